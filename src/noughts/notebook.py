"""An interactive board for notebooks."""
