"""The places of many boards are those that `ranking` finds one by one."""

from __future__ import annotations

import numpy as np
import pytest

from noughts.solving.numbering import Numbering
from noughts.solving.ranking import layer_starts, place_of


@pytest.mark.parametrize("cells", [1, 2, 5, 8, 9, 13, 16])
def test_places_and_boards(cells: int) -> None:
    numbering = Numbering(cells)
    total = layer_starts(cells)[-1]
    places = np.unique(np.linspace(0, total - 1, 3_000).astype(np.int64))
    x, o = numbering.boards(places)
    assert not (x & o).any()
    assert numbering.places(x, o).tolist() == places.tolist()
    found = zip(places.tolist(), x.tolist(), o.tolist(), strict=True)
    assert all(place_of(cells, x, o) == place for place, x, o in found)
