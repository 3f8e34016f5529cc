"""Samples: of small grids from the table, of other games analysed one by one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts import Game, UltimatePosition, Variant, count, parse_position, start
from noughts.counting import Games
from noughts.datasets import Request, export
from noughts.datasets.analysed import analysed_actions, analysed_states
from noughts.datasets.games import numbered_games, played_games
from noughts.datasets.sampling import drawn_games, drawn_places, drawn_positions, random_game
from noughts.datasets.solved import solved_grid
from noughts.rules.parsing import AnyPosition
from noughts.rules.symmetry import Symmetry
from support.data_sets import Row, content, rows_of, rows_of_columns
from support.oracle import minimax as oracle_minimax
from support.ultimate_endgames import endgames, minimax

REVERSED = {"win": "loss", "draw": "draw", "loss": "win"}


# ------------------------------------------------------------------------------ what is drawn


@pytest.mark.parametrize("kind", ["states", "actions", "games"])
@pytest.mark.parametrize("game", ["3x3x3", "4x5x4", "ultimate"])
def test_a_seed_gives_the_same_sample(kind: Any, game: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"format": "csv", "sample": 3}
    options |= {} if game == "3x3x3" or kind == "games" else {"nodes": 50}
    first, again, other = (
        export(kind, game, tmp_path / name, seed=seed, **options)
        for name, seed in (("first", 7), ("again", 7), ("other", 8))
    )
    assert content(first.folder) == content(again.folder)
    assert [*rows_of(first)] != [*rows_of(other)]
    rows = [*rows_of(first)]
    if kind == "actions":
        assert len({row["position"] for row in rows}) == 3
    else:
        assert len(rows) == 3


def test_samples_of_small_grids_are_part_of_the_whole() -> None:
    request = Request("states", "2x3x2", sample=50, verdicts=("X_turn", "X_wins"))
    solved = solved_grid("2x3x2")
    everything = solved.chosen(0, solved.places, request.wanted, up_to_symmetry=False)
    total = len(everything)
    drawn: Counter[int] = Counter()
    for seed in range(200):
        places = drawn_places(Request(**{**request.to_json(), "seed": seed}), solved).tolist()
        assert len(set(places)) == 50
        assert places == sorted(places)
        drawn.update(places)
    assert set(drawn) == set(everything.tolist())  # each is missed with (1 - 50/total) ** 200
    expected = 200 * 50 / total
    assert all(0.5 * expected < drawn[place] < 1.5 * expected for place in drawn), drawn
    whole = drawn_places(Request(**{**request.to_json(), "sample": total}), solved)
    assert whole.tolist() == everything.tolist()


def test_sampled_games_have_their_numbers() -> None:
    request = Request("games", "3x3x3", sample=40, seed=3, verdicts=("O_wins", "draw"))
    games = Games("3x3x3")
    numbers = drawn_games(request)
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 40
    (columns,) = numbered_games(request, numbers)
    for row in rows_of_columns(columns):
        assert tuple(row["moves"]) == games[row["index"]]
        assert row["outcome"] == games.outcome_of(row["moves"])
        assert row["outcome"] in request.verdicts
    every = drawn_games(Request("games", "2x2x2", sample=24))
    assert every == list(range(24))


@pytest.mark.parametrize("game", ["4x5x4", "ultimate-most-boards"])
@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_drawn_positions_are_different_and_reached(game: str, up_to_symmetry: bool) -> None:
    request = Request("states", game, sample=60, seed=1, up_to_symmetry=up_to_symmetry)
    texts = drawn_positions(request)
    positions = [parse_position(text) for text in texts]
    assert len(set(texts)) == 60
    assert all(position.game == game for position in positions)
    if up_to_symmetry:
        assert all(position.canonical() == position for position in positions)
    marks = {position.x.bit_count() + position.o.bit_count() for position in positions}
    assert len(marks) > 8
    wanted = Request("states", game, sample=5, verdicts=("O_wins",))
    for text in drawn_positions(wanted):
        outcome = parse_position(text).outcome
        assert outcome is not None
        assert outcome.verdict == "O_wins"


# ------------------------------------------------------------------------------------- games


def check_game(row: Row, game: str, symmetries: int) -> None:
    """Compare a row about a game with the rules."""
    played = Game.parse(row["game"])
    position = played.position
    assert position.game == game
    assert list(played.moves) == row["moves"]
    assert row["length"] == len(row["moves"])
    assert position.outcome is not None
    assert (row["outcome"], row["position"]) == (position.outcome.verdict, position.text)
    moved = (image_of(row["moves"], played.position, symmetry) for symmetry in Symmetry)
    images = [image for image in moved if image is not None]
    assert Game.parse(row["canonical"]).moves == min(images)
    assert row["orbit_size"] == len(set(images)) == symmetries


def image_of(moves: list[int], position: AnyPosition, symmetry: Symmetry) -> tuple[int, ...] | None:
    """Return where a symmetry takes a game's moves; None if it does not fit the board."""
    found = []
    for move in moves:
        if isinstance(position, UltimatePosition):
            board, cell = (symmetry.image(part, 3, 3) for part in divmod(move, 9))
            found.append(board * 9 + cell)
        else:
            grid = position.grid
            if symmetry.value[0] and grid.rows != grid.cols:
                return None
            found.append(symmetry.image(move, grid.rows, grid.cols))
    return tuple(found)


@pytest.mark.parametrize(
    ("game", "symmetries"), [("4x5x4", 4), ("5x5x4", 8), ("ultimate", 8), ("ultimate-open", 8)]
)
def test_random_games_are_games(game: str, symmetries: int) -> None:
    request = Request("games", game, sample=12)
    (columns,) = played_games(request, 0, 12)
    rows = rows_of_columns(columns)
    for row in rows:
        check_game(row, game, symmetries)
    (columns,) = played_games(request, 5, 7)  # no row needs the others
    assert rows_of_columns(columns) == rows[5:7]


@pytest.mark.parametrize(("game", "symmetries"), [("3x3x3", 8), ("2x4x3", 4), ("4x5x4", 4)])
def test_a_range_of_games(game: str, symmetries: int, tmp_path: Path) -> None:
    total = count(game).total
    first = total // 3
    found = export("games", game, tmp_path, start=first, limit=30, test_share=0)
    rows = [*rows_of(found)]
    games = Games(game)
    assert [int(row["index"]) for row in rows] == list(range(first, first + 30))
    assert [tuple(row["moves"]) for row in rows] == list(games[first : first + 30])
    for row in rows:
        check_game(row, game, symmetries)


def test_the_values_of_the_moves_of_games(tmp_path: Path) -> None:
    for row in rows_of(export("games", "3x3x3", tmp_path, sample=30, test_share=0)):
        position = start("3x3x3")
        for move, value in zip(row["moves"], row["move_values"], strict=True):
            position = position.play(move)
            board = position.text.partition(":")[2].replace("/", "")
            assert REVERSED[oracle_minimax(board, 3, 3, 3)[0]] == value


# ---------------------------------------------------------------------- analysed positions


VALUES = {1: "win", 0: "draw", -1: "loss"}


@pytest.mark.parametrize("variant", [Variant.STANDARD, Variant.MOST_BOARDS])
def test_labels_of_ultimate_are_proved_right_or_unknown(variant: Variant) -> None:
    found = endgames(variant, most=7, seed=5)
    positions: list[AnyPosition] = [next(found) for _ in range(12)]
    states = rows_of_columns(analysed_states(positions, 3_000))
    assert {row["value"] for row in states} >= {"win", "loss"}
    for row, position in zip(states, positions, strict=True):
        check_state(row, position)
    rows = iter(rows_of_columns(analysed_actions(positions, 3_000)))
    for state, position in zip(states, positions, strict=True):
        for move in position.legal_moves:
            row = next(rows)
            assert (row["position"], row["move"]) == (state["position"], move)
            assert row["name"] == position.move_name(move)
            assert row["value"] == state["move_values"][move]
            assert row["estimate"] == state["move_estimates"][move]
            known = "unknown" not in (row["value"], state["value"])
            assert row["preserves_value"] is (row["value"] == state["value"] if known else None)
    assert next(rows, None) is None


def check_state(row: Row, position: AnyPosition) -> None:
    """Compare a row about a position of Ultimate with minimax."""
    assert isinstance(position, UltimatePosition)
    assert parse_position(row["position"]) == position
    value, plies = minimax(position)
    if row["value"] == "unknown":
        assert 0 <= row["estimate"] <= 1
    else:
        assert (row["value"], row["estimate"]) == (VALUES[value], None)
        assert row["within"] is None if row["value"] == "draw" else row["within"] >= plies
    for cell in range(81):
        found = row["move_values"][cell]
        assert (
            row["legal_mask"][cell] == int(cell in position.legal_moves) == int(found is not None)
        )
        if found not in (None, "unknown"):
            assert found == VALUES[-minimax(position.play(cell))[0]]
        assert (row["move_estimates"][cell] is not None) is (found == "unknown")
    assert row["canonical"] == position.canonical().text
    images = {position.transformed(symmetry).text for symmetry in Symmetry}
    assert row["orbit_size"] == len(images)


def test_finished_positions_need_no_analysis() -> None:
    finals = [parse_position(text) for text in ("4x5x3:XXX../OO.../...../.....",)]
    (row,) = rows_of_columns(analysed_states(finals, 1))
    assert (row["verdict"], row["value"], row["within"]) == ("X_wins", "loss", 0)
    assert (row["estimate"], set(row["legal_mask"]), row["orbit_size"]) == (None, {0}, 4)
    assert not rows_of_columns(analysed_actions(finals, 1))


def test_a_row_does_not_depend_on_the_rows_before() -> None:
    """A solver or an engine that remembers would know more of a game's earlier positions."""
    game, _ = random_game(start("6x5x4"), Random(1))
    positions = game[4:-1]
    forwards = rows_of_columns(analysed_states(positions, 3_000))
    assert {"unknown"} < {row["value"] for row in forwards}
    assert rows_of_columns(analysed_states(positions[::-1], 3_000)) == forwards[::-1]
