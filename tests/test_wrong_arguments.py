"""Whatever a caller hands in, the error is one of noughts: types, sizes, signs and texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
import noughts.puzzles
from noughts import Game, Grid, GridPosition, Limits, NoughtsError, UltimatePosition, Value
from noughts.counting.listing import Games
from noughts.drawing import Diagram, draw_svg, draw_text
from noughts.engine import Engine
from noughts.matches.external import ExternalPlayer
from noughts.matches.match import Match, play_match
from noughts.matches.match_file import MatchFile
from noughts.matches.openings import openings_of
from noughts.matches.registry import player_of
from noughts.players import choose_move, level_named, levels_of
from noughts.solving import analyse, is_instant, solver_for, table_of
from noughts.solving.solver import Solver
from noughts.values import Analysis
from noughts.views import view

HUGE = 10**5000
"""Python refuses to write such a number, so no message may try to."""

JUNK: list[Any] = [
    *(None, 1.5, float("nan"), b"XX.", HUGE, -HUGE, -1, True, "", " ", "?", "\0", "\ud800"),
    *([], [None], [HUGE], {}, {1}, object(), int, 1j, lambda: None, "X" * 10_000),
    *(np.int64(3), np.float64(2), np.bool_(True), np.array([1, 2]), np.array([1])),
]

UNLIMITED: Any = "unlimited"
START = GridPosition.start("3x3x3")
SMALL = Games("2x2x2")
MATCH = Match("random", "random", game="2x2x2", games=2, openings="none")

CALLS: dict[str, Callable[[Any], object]] = {
    "position": noughts.position,
    "judge": noughts.judge,
    "Grid": lambda junk: Grid(junk, 3, 3),
    "has_line": Grid(3, 3, 3).has_line,
    "play": START.play,
    "put": lambda junk: START.board.put(0, junk),
    "transformed": START.transformed,
    "perft": lambda junk: noughts.perft("2x2x2", junk),
    "moves": lambda junk: Game(START, [junk]),
    "variant": UltimatePosition.start,
    "symmetry": lambda junk: noughts.Symmetry.ROTATE_90.apply(0, -1 if junk is HUGE else junk, 3),
    "count": noughts.count,
    "count of": lambda junk: noughts.count("2x2x2", junk),
    "count limits": lambda junk: noughts.count("2x2x2", limits=junk),
    "games": Games,
    "outcome": lambda junk: Games("2x2x2", outcome=junk),
    "number": lambda junk: SMALL[junk],
    "puzzle": lambda junk: noughts.puzzles.puzzle(junk),
    "puzzles": lambda junk: noughts.puzzles.puzzles(junk, junk, junk),
    "kind of puzzle": lambda junk: noughts.puzzles.puzzles(kind=junk),
    "stars of a puzzle": lambda junk: noughts.puzzles.puzzles(stars=junk),
    "day": noughts.puzzles.daily,
    "attempt": lambda junk: noughts.puzzles.daily("2026-01-01").check(junk),
    "slice": lambda junk: SMALL[1:5][junk],
    "walk": lambda junk: list(SMALL.walk(0, junk)),
    "sample seed": lambda junk: list(SMALL.sample(1, junk)),
    "block size": lambda junk: list(SMALL.blocks(junk)),
    "solve": lambda junk: noughts.solve(junk, nodes=10),
    "solve limits": lambda junk: noughts.solve("2x2x2", junk),
    "solve nodes": lambda junk: noughts.solve("2x2x2", nodes=junk),
    "solver": lambda junk: solver_for(junk, 1 << 20),
    "solver memory": lambda junk: solver_for(Grid(4, 4, 4), 1 << 20 if junk is HUGE else junk),
    "Solver": Solver,
    "table": table_of,
    "is instant": is_instant,
    "values": lambda junk: analyse("5x5x5", UNLIMITED if junk is None else junk),
    "analyse": lambda junk: noughts.analyse(junk, nodes=10),
    "analyse limits": lambda junk: noughts.analyse("2x2x2", junk),
    "review": lambda junk: noughts.review(junk, nodes=10),
    "view": view,
    "review limits": lambda junk: noughts.review("2x2x2 a1", junk),
    "engine seed": Engine,
    "contempt": lambda junk: Engine(contempt=junk),
    "engine limits": lambda junk: Engine().analyse("5x5x5", UNLIMITED if junk is None else junk),
    "level": lambda junk: choose_move("3x3x3", "?" if junk is None else junk),
    "level limits": lambda junk: choose_move("2x2x2", "perfect", junk),
    "levels": levels_of,
    "level of": lambda junk: level_named(junk, "casual"),
    "match player": lambda junk: Match(junk, "random"),
    "match limit": lambda junk: Match("random", "random", limit=junk),
    "match openings": lambda junk: Match("random", "random", openings=junk),
    "match seed": lambda junk: Match("random", "random", seed=junk),
    "match margin": lambda junk: Match("random", "random", margin=junk),
    "match": lambda junk: list(play_match(junk, player_of)),
    "match game": lambda junk: list(play_match(MATCH, player_of, [junk])),
    "match file": lambda junk: MatchFile("\0" if isinstance(junk, str) else junk, MATCH),
    "player": player_of,
    "program": ExternalPlayer,
    "openings": lambda junk: openings_of(junk, START, 1, 1),
    "theme": lambda junk: draw_svg(START.diagram(), theme=junk),
    "diagram": draw_text,
    "rows": lambda junk: Diagram(junk, 3, "." * 9, ""),
    "marks": lambda junk: Diagram(3, 3, junk, ""),
    "column labels": lambda junk: draw_text(Diagram(3, 3, "." * 9, "", col_labels=junk)),
    "row labels": lambda junk: draw_text(Diagram(3, 3, "." * 9, "", row_labels=junk)),
    "lines": lambda junk: draw_svg(Diagram(3, 3, "." * 9, "", lines=junk)),
    "line": lambda junk: draw_svg(Diagram(3, 3, "." * 9, "", lines=(junk,))),
    "cell of a line": lambda junk: draw_svg(Diagram(3, 3, "." * 9, "", lines=((junk,),))),
    "owners": lambda junk: draw_text(Diagram(9, 9, "." * 81, "", owners=junk)),
    "playable": lambda junk: draw_svg(Diagram(9, 9, "." * 81, "", owners="." * 9, playable=junk)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_gives_an_error_of_noughts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = 0
    for junk in JUNK:
        try:
            CALLS[name](junk)
        except NoughtsError as error:
            refused += 1
            assert str(error)
    assert refused > len(JUNK) // 3  # of some junk, like 3 or True, something can be made


def test_what_an_analysis_does_not_have() -> None:
    finished = Analysis.finished(GridPosition.parse("XXX/OO./..."))
    assert (finished.value, finished.best_moves) == (Value.LOSS, ())
    with pytest.raises(NoughtsError, match="the game is over: X wins"):
        _ = finished.best
    found = noughts.analyse("ultimate ee", Limits(nodes=10))
    with pytest.raises(NoughtsError, match="only grids can be solved"):
        _ = found.solution


def test_levels_of_a_text_are_those_of_its_game() -> None:
    assert list(levels_of("ultimate ee")) == list(levels_of(UltimatePosition.start()))
    assert list(levels_of("4x4x3 b2")) == list(levels_of(START))
