"""Perfect play on grids: values with proofs."""
