"""Settings make sense, or say what does not."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.errors import NoughtsError
from noughts.web.settings import Settings


def test_a_value_that_makes_no_sense_is_named() -> None:
    wrong: list[tuple[str, Any]] = [
        ("workers", 0),
        ("workers", 1.5),
        ("per_client", 0),
        ("max_nodes", 0),
        ("body_bytes", -1),
        ("text_length", True),
        ("board_cells", 0),
        ("page_size", 0),
        ("waiting", -1),
        ("ready", -1),
        ("memory", 1 << 20),
        ("max_seconds", 0),
        ("max_seconds", float("nan")),
        ("max_seconds", float("inf")),
        ("max_seconds", "5"),
        ("wait_seconds", -1.0),
        ("body_seconds", 0.0),
    ]
    for name, value in wrong:
        with pytest.raises(NoughtsError, match=name):
            Settings(**{name: value})


def test_every_site_is_too_many() -> None:
    with pytest.raises(NoughtsError, match="name the origins"):
        Settings(origins=("https://example.org", "*"))
