"""A view says what the rules say, in the order in which things are drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from noughts import Game, GridPosition, UltimatePosition
from noughts.views import view
from support.strategies import VARIANTS, records


@given(records())
def test_a_view_agrees_with_the_game(game: Game[Any]) -> None:
    seen = json.loads(json.dumps(view(game)))
    position = game.position
    assert Game.parse(seen["game"]) == game
    assert seen["moves"][: seen["played"]] == [position.move_name(move) for move in game.moves]
    assert seen["legal"] == [position.move_name(move) for move in position.legal_moves]
    assert len(seen["cells"]) == seen["rows"] * seen["cols"]
    for cell in seen["cells"]:
        bit = 1 << position.read_move(cell["name"])
        assert cell["mark"] == ("X" if position.x & bit else "O" if position.o & bit else ".")
    assert (seen["outcome"] is None) == (position.outcome is None)
    if isinstance(position, GridPosition):
        rows = position.text.partition(":")[2].split("/")
        assert [cell["mark"] for cell in seen["cells"]] == list("".join(rows))
    else:
        assert [board["owner"] for board in seen["boards"]] == list(position.owners)
        named = {cell["name"][0] for cell in seen["cells"] if cell["name"] in seen["legal"]}
        assert named <= {board["name"] for board in seen["boards"] if board["open"]}


def test_a_game_may_be_given_by_its_text_or_its_start() -> None:
    game = Game.parse("3x3x3 b2 | a1")
    assert view(game.text) == view(game)
    assert view(game.position) == view(Game(game.position))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_small_boards_lie_where_they_are_drawn(variant: Any) -> None:
    seen = view(Game(UltimatePosition.start(variant)))
    names = [cell["name"] for cell in seen["cells"]]
    assert names[:9] == ["aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc"]
    assert names[9:12] == ["ad", "ae", "af"]
    assert names[-1] == "ii"
    assert seen["cells"][80]["board"] == 8
    assert seen["forced"] is None


def test_a_forced_board_is_named() -> None:
    seen = view(Game.parse("ultimate ee ea"))
    assert seen["forced"] == "a"
    assert [board["name"] for board in seen["boards"] if board["open"]] == ["a"]
    assert seen["status"] == "X to move in board a (top left)"


def test_a_win_names_its_lines() -> None:
    seen = view(Game.parse("3x3x3 a1 a2 b1 b2 c1"))
    assert seen["outcome"] == {
        "winner": "X",
        "verdict": "X_wins",
        "lines": [["a1", "b1", "c1"]],
        "text": "X wins",
    }
    assert seen["legal"] == []
