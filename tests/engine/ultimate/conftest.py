"""A network that knows nothing but is no different from one that does."""

from __future__ import annotations

import numpy as np
import pytest

from noughts.engine.ultimate.network import (
    ENCODED,
    FEATURES,
    WIDTH,
    Network,
    Weights,
    network_of,
)


@pytest.fixture(scope="session")
def weights() -> Weights:
    """Return random weights whose outputs spread well between 0 and 1."""
    rng = np.random.default_rng(1)
    shapes = [
        (FEATURES + 1, ENCODED),
        (9, ENCODED, WIDTH),
        (9, ENCODED, WIDTH),
        (2, WIDTH),
        (WIDTH + 1,),
    ]
    return Weights(*(rng.normal(0.0, 0.2, shape).astype(np.float32) for shape in shapes))


@pytest.fixture(scope="session")
def network(weights: Weights) -> Network:
    """Return a network with random weights."""
    return network_of(weights)
