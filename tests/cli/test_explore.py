"""``noughts explore``: every move with its value and its games, in words and as JSON."""

from __future__ import annotations

import pytest

from noughts import explore
from support.cli_runner import run

TABLE = """\
3x3x3:.../OX./...: X wins in 5 moves (3 of X, 2 of O), proved
     a     b     c
1    W5 │  W5 │  W5
   ─────┼─────┼─────
2    O  │  X  │  D
   ─────┼─────┼─────
3    W5 │  W5 │  W5
3x3x3, X to move
  move   value      games
  all               3,270          XXXXXXXXXXXXXX---OOO
  a1 a3  wins in 5    473  14.5 %  XXXXXXXXXXXXXX----OO
  b1 b3  wins in 5    449  13.7 %  XXXXXXXXXXXXX---OOOO
  c1 c3  wins in 5    417  12.8 %  XXXXXXXXXXXXXXX-OOOO
  c2     a draw       592  18.1 %  XXXXXXXXXXXX----OOOO
"""


def test_in_words() -> None:
    result = run("explore", "3x3x3", "b2", "a2")
    assert (result.code, result.err) == (0, "")
    assert result.out == TABLE


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("value", ["a1", "b1", "c1", "c2"]),
        ("move", ["a1", "b1", "c1", "c2"]),
        ("games", ["c2", "a1", "b1", "c1"]),
        ("x-wins", ["c1", "a1", "b1", "c2"]),
        ("draws", ["c2", "a1", "b1", "c1"]),
        ("o-wins", ["c2", "c1", "b1", "a1"]),
    ],
)
def test_the_moves_in_order(order: str, first: list[str]) -> None:
    shares = {
        "x-wins": lambda games: games.x_wins / games.total,
        "draws": lambda games: games.draws / games.total,
        "o-wins": lambda games: games.o_wins / games.total,
    }
    result = run("explore", "3x3x3", "b2", "a2", "--sort", order)
    assert [line.split()[0] for line in result.lines[-4:]] == first
    if order in shares:
        found = explore("3x3x3 b2 a2")
        name = found.position.move_name
        by_name = {name(each.move): shares[order](each.games) for each in found.moves}
        assert first == sorted(first, key=lambda move: -by_name[move])


def test_as_json() -> None:
    result = run("explore", "4x4x3", "b2", "--json")
    assert result.object == explore("4x4x3 b2").to_json()
    assert result.object["games"]["total"] == "66867528468"
    d4 = result.object["moves"]["d4"]
    assert (d4["value"], d4["plies"], d4["alike"]) == ("loss", 4, ["d4"])


def test_what_is_open_is_said() -> None:
    result = run("explore", "15x15x5", "--time", "1s")
    assert result.code == 0
    assert result.lines[0] == "15x15x5: not proved"
    assert result.lines[1] == "Boards of more than 64 cells are too large to be solved."
    assert result.lines[2].startswith("Games are not counted: this board is too large to count")
    assert len(result.lines) == 3


def test_a_long_table_ends() -> None:
    result = run("explore", "15x15x5", "h8", "a1", "h9", "a3", "h10", "--time", "1s")
    assert [line.split()[0] for line in result.lines if line.endswith("not proved")][1:] == [
        "h7",
        "h11",
    ]
    assert "  and 190 more" in result.lines
    assert result.lines[-1].startswith("Games are not counted")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ultimate"], "only grids can be explored"),
        (["3x3x3:XXX/OO./..."], "the game is over: X wins"),
        (["3x3x3", "b2", "b2"], "move 2: b2 (cell 4) is taken by X"),
        (["3x3x3", "--sort", "best"], "'best' is not one of"),
        (["3x3x3", "--time", "soon"], "'soon' is not a time"),
    ],
)
def test_bad_input_is_refused(words: list[str], message: str) -> None:
    result = run("explore", *words)
    assert result.failed_politely()
    assert message in result.err
