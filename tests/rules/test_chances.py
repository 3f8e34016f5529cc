"""Who can still win if the other side helps, compared with trying every game."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given

from noughts import GridPosition, Variant
from noughts.rules.chances import can_still_win
from noughts.rules.game import Game
from noughts.rules.player import Player
from support.oracle import has_line
from support.strategies import Shape, board_of, play_all, ultimate_games, ultimate_settings

# A side to move may have to complete a line of its own: in 1x3x2 O cannot win after X..
SHAPES: list[Shape] = [(3, 3, 3), (1, 6, 2), (1, 7, 3), (2, 4, 3), (2, 4, 2), (3, 3, 4), (2, 2, 1)]


@cache
def wins(shape: Shape, cells: str, side: str) -> bool:
    """Return whether some game from a board on ends with a line of this side."""
    for mark in "XO":
        if has_line(cells, *shape, mark):
            return mark == side
    turn = "X" if cells.count("X") == cells.count("O") else "O"
    return any(
        wins(shape, cells[:cell] + turn + cells[cell + 1 :], side)
        for cell, mark in enumerate(cells)
        if mark == "."
    )


def reachable(shape: Shape) -> set[str]:
    """Return all boards of all games on a grid."""
    found, fresh = set[str](), {"." * (shape[0] * shape[1])}
    while fresh:
        found |= fresh
        fresh = {
            cells[:cell] + "XO"[cells.count("X") - cells.count("O")] + cells[cell + 1 :]
            for cells in fresh
            if not any(has_line(cells, *shape, mark) for mark in "XO")
            for cell, mark in enumerate(cells)
            if mark == "."
        }
    return found


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_on_grids_it_is_what_trying_every_game_says(shape: Shape) -> None:
    answers = set()
    for cells in reachable(shape):
        position = GridPosition.of(board_of(shape, cells))
        for side in Player:
            expected = wins(shape, cells, side.value)
            assert can_still_win(position, side) is expected, (cells, side)
            answers.add(expected)
    assert True in answers or shape == (3, 3, 4)
    assert False in answers


def test_a_large_board_takes_no_time() -> None:
    assert can_still_win(GridPosition.start("50x50x25"), Player.O)
    assert not can_still_win(GridPosition.start("50x50x51"), Player.O)


@ultimate_settings
@given(ultimate_games())
def test_who_won_ultimate_could_win_all_along(played: tuple[Variant, list[int]]) -> None:
    variant, moves = played
    end = play_all(variant, moves)
    winner = end.outcome and end.outcome.winner
    for count in range(len(moves) + 1 if winner else 0):
        assert winner
        assert can_still_win(play_all(variant, moves[:count]), winner)


# After 35 moves every three boards in a row have one that is X's, or in which X is on every line.
LOST_FOR_O = (
    "ultimate gi ih hh hc cg ge ea ag gc cf ff fh he ef fa ae ee eb bi ic cb bd db bc cd dg gf fe"
    " eg fc ci if fd de ec"
)


def test_ultimate_counts_the_boards_that_can_still_be_had() -> None:
    game = Game.parse(LOST_FOR_O)
    assert not can_still_win(game.position, Player.O)
    assert can_still_win(game.position, Player.X)
    game.undo()
    assert can_still_win(game.position, Player.O)
    # Where the most boards win, a line is not the only way.
    other = Game.parse(LOST_FOR_O.replace("ultimate", "ultimate-most-boards"))
    assert can_still_win(other.position, Player.O)
