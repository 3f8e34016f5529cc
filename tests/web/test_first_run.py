"""The first minute on a machine: nothing is compiled yet, and every game is played all the same."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from noughts.kernels import COMPILED
from noughts.players import levels_of
from support.http_server import process


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compile")
def test_every_level_moves_while_the_code_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # as on a machine's first run
    with process("--workers", "1") as server, httpx.Client(trust_env=False, timeout=60) as http:

        def strength() -> str:
            return str(http.get(f"{server.url}/api/version").json()["strength"])

        for game in ("3x3x3", "4x4x3", "5x5x4", "ultimate"):
            for level in levels_of(game):
                question = {"game": game, "level": level, "seconds": 0.2}
                answer = http.post(f"{server.url}/api/move", json=question)
                assert answer.status_code == 200, answer.text
                assert answer.json()["view"]["played"] == 1
        question = {"game": "4x4x3", "seconds": 5}
        known = http.post(f"{server.url}/api/analyse", json=question).json()
        assert (known["value"], known["proved"]) == ("win", True)
        assert strength() == "warming"
