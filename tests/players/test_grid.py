"""Players on grids: the best never errs where a value is known, the others err as they should."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest
from hypothesis import given

from noughts import Game, GridPosition, Player, solving
from noughts.limits import Limits
from noughts.players import GRID_LEVELS, choose_move
from noughts.solving.solver import Solver
from noughts.solving.tables import Table
from noughts.values import Analysis, MoveValue, Value
from support.cli_runner import Result
from support.solver_cases import by_brute_force, positions, script_result, seen_before

SOON = Limits(seconds=2.0, memory=1 << 26)
"""Enough for the boards here, and not enough to hang a test."""

PLENTY = Limits(nodes=1_000_000, memory=1 << 26)
"""Enough for a proof where nine cells are empty, however slow the machine is."""


def is_best(position: GridPosition, move: int) -> bool:
    """Return whether a move keeps the value, as quick or as slow as can be."""
    return seen_before(by_brute_force(position.play(move))) == by_brute_force(position)


@cache
def reached(grid: str) -> tuple[GridPosition, ...]:
    """Return every running position of a grid, one of each kind up to symmetry."""

    def found() -> Iterator[GridPosition]:
        seen = set()
        new = [GridPosition.start(grid)]
        while new:
            position = new.pop().canonical()
            if position not in seen and position.outcome is None:
                seen.add(position)
                yield position
                new += [position.play(move) for move in position.legal_moves]

    return tuple(found())


def at(text: str) -> GridPosition:
    """Return the position after some moves on a grid."""
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    return position


# -- perfect play ------------------------------------------------------------------------


def test_perfect_play_is_best_in_every_position_of_3x3() -> None:
    for position in reached("3x3x3"):
        choice = choose_move(position)
        assert is_best(position, choice.move), position.text
        assert choice.known == MoveValue.proved(choice.move, *by_brute_force(position))
        assert choice.note == ""


@pytest.mark.parametrize("side", Player)
def test_perfect_play_withstands_every_opponent_on_3x3(side: Player) -> None:
    @cache
    def worst(position: GridPosition) -> Value:
        """Return the least that the perfect player may get, as the player sees it."""
        if position.outcome is not None:
            winner = position.outcome.winner
            return Value.DRAW if winner is None else Value.WIN if winner is side else Value.LOSS
        if position.turn is side:
            return worst(position.play(choose_move(position).move))
        replies = [worst(position.play(move)) for move in position.legal_moves]
        return min(replies, key=lambda value: value.rank)

    for position in reached("3x3x3"):
        value = by_brute_force(position)[0]
        assert worst(position) is (value if position.turn is side else value.reversed)


@pytest.mark.parametrize("opponent", ["beginner", "casual"])
def test_perfect_play_wins_3x4x3_in_seven(opponent: str) -> None:
    for seed in range(3):
        rng = Random(seed)
        position = GridPosition.start("3x4x3")
        while position.outcome is None:
            level = "perfect" if position.turn is Player.X else opponent
            position = position.play(choose_move(position, level, SOON, rng).move)
        assert position.outcome.winner is Player.X
        assert position.x.bit_count() + position.o.bit_count() <= 7


@given(positions(["3x4x3", "4x4x3", "4x4x4", "2x7x4", "3x4x9"], empty=9))
def test_what_the_solver_finds_is_best(position: GridPosition) -> None:
    choice = choose_move(position, limits=PLENTY)
    assert is_best(position, choice.move)
    assert choice.known is not None
    assert (choice.known.value, choice.known.plies) == by_brute_force(position)


def test_a_table_is_used(built: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch) -> None:
    table = built("4x4x3")
    monkeypatch.setenv("NOUGHTS_TABLES", str(table.path.parent))
    monkeypatch.setattr(Solver, "__init__", _not_needed)
    position = GridPosition.start("4x4x3")
    while position.outcome is None:
        choice = choose_move(position)
        assert choice.move in table.best(position)
        position = position.play(choice.move)
    assert position.x.bit_count() + position.o.bit_count() == 5


def _not_needed(*_: object, **__: object) -> None:
    raise AssertionError("the solver is not needed")


def test_with_a_table_a_choice_takes_few_lookups(
    built: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the empty board all 16 moves draw, and the 15 replies to each are compared."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(built("4x4x4").path.parent))
    lookups = 0
    look_up = Table._look_up

    def counted(table: Table, position: GridPosition) -> tuple[Value, int | None]:
        nonlocal lookups
        lookups += 1
        return look_up(table, position)

    monkeypatch.setattr(Table, "_look_up", counted)
    assert choose_move("4x4x4").phrase == "a draw"
    assert 16 + 16 * 15 < lookups < 3_000


def test_the_solver_that_is_kept_is_that_of_the_grid() -> None:
    for grid, phrase in (("3x4x3", "wins in 7"), ("4x4x3", "wins in 5"), ("3x4x3", "wins in 7")):
        assert choose_move(GridPosition.start(grid), limits=SOON).phrase == phrase


# -- among equals ------------------------------------------------------------------------


def test_among_equals_the_move_that_asks_most() -> None:
    """On the empty board all moves draw; to a corner, all replies but one lose."""
    assert choose_move(GridPosition.start("3x3x3")).move in (0, 2, 6, 8)


def test_with_randomness_equal_moves_take_turns() -> None:
    rng = Random(1)
    moves = {choose_move(GridPosition.start("3x3x3"), rng=rng).move for _ in range(50)}
    assert moves == {0, 2, 6, 8}


def test_in_a_lost_position_a_threat_is_blocked() -> None:
    """Two threats cannot be blocked, but the opponent may overlook the other one."""
    for text in ("X.X/.OX/O..", "3x4x3:X.X./.OX./O..."):
        position = GridPosition.parse(text)
        assert by_brute_force(position) == (Value.LOSS, 2)
        after = position.play(choose_move(position, limits=SOON).move)
        wins = [move for move in after.legal_moves if after.play(move).outcome is not None]
        assert len(wins) == 1


def test_choosing_among_equals_keeps_to_the_node_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    position = GridPosition.start("4x4x4")
    equals = tuple(MoveValue.proved(move, Value.DRAW) for move in position.legal_moves)
    whole = Analysis(position, equals, (0,), nodes=600)
    monkeypatch.setattr("noughts.players.grid.analyse", lambda *_, **__: whole)
    allowed: list[int | None] = []

    def spend_300(after: GridPosition, limits: Limits) -> Analysis:
        allowed.append(limits.nodes)
        moves = (MoveValue.proved(after.legal_moves[0], Value.DRAW),)
        return Analysis(after, moves, nodes=300)

    monkeypatch.setattr(solving, "analyse", spend_300)
    choose_move(position, "perfect", Limits(nodes=1000))
    assert allowed == [400, 100]
    choose_move(position, "perfect", Limits(nodes=600))
    assert len(allowed) == 2, "nothing is left"


def test_several_wins_on_a_board_that_the_solver_does_not_take() -> None:
    """Four with both ends open, and three: there are two moves that win at once, and in three."""
    four = at("15x15x5 d8 a1 e8 a3 f8 a5 g8 a7")
    assert four.move_name(choose_move(four, limits=SOON).move) in ("c8", "h8")
    three = at("15x15x5 g8 a1 h8 a3 i8 a5")
    choice = choose_move(three, limits=Limits(nodes=5_000))
    assert three.move_name(choice.move) in ("f8", "j8")
    assert choice.phrase == "wins in 3"


# -- repeating ---------------------------------------------------------------------------


def test_without_randomness_it_is_always_the_same_move(
    built: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(built("4x4x4").path.parent))
    for grid in ("3x3x3", "4x4x4", "9x9x5"):
        position = GridPosition.start(grid)
        limits = Limits(nodes=200)
        assert len({choose_move(position, limits=limits).move for _ in range(3)}) == 1


@pytest.mark.parametrize("grid", ["3x3x3", "9x9x4"])
def test_a_seed_repeats_a_game(grid: str) -> None:
    def game(level: str, seed: int) -> GridPosition:
        rng = Random(seed)
        position = GridPosition.start(grid)
        for _ in range(6):
            if position.outcome is None:
                position = position.play(choose_move(position, level, Limits(nodes=50), rng).move)
        return position

    for level in GRID_LEVELS:
        assert game(level, 5) == game(level, 5)
    for level in ("beginner", "casual"):
        assert len({game(level, seed) for seed in range(4)}) > 1


# -- the other levels --------------------------------------------------------------------


@given(positions(["3x3x3", "4x4x3", "9x9x4", "1x1x1", "2x2x9"]))
def test_every_level_makes_legal_moves(position: GridPosition) -> None:
    for level in GRID_LEVELS:
        before = position.text
        limits = Limits(nodes=50, memory=1 << 26)
        assert choose_move(position, level, limits, Random(1)).move in position.legal_moves
        assert position.text == before


@pytest.mark.parametrize("text", ["XX./OO./...", "4x4x4:XXX./OOO./..../....", "XX.O../..X.OO"])
def test_a_win_is_not_overlooked(text: str) -> None:
    position = GridPosition.parse(text)
    for level in ("casual", "strong", "perfect"):
        for seed in range(30):
            after = position.play(choose_move(position, level, SOON, Random(seed)).move)
            assert after.outcome is not None, level


def test_a_beginner_overlooks_wins_and_a_casual_player_threats() -> None:
    win, threat = GridPosition.parse("XX./OO./..."), GridPosition.parse("XX./.O./...")
    rng = Random(3)
    wins = sum(choose_move(win, "beginner", rng=rng).move == 2 for _ in range(400))
    blocks = sum(choose_move(threat, "casual", rng=rng).move == 2 for _ in range(400))
    # A beginner sees half of the wins, and finds one in five of the others by chance.
    assert 200 < wins < 280  # expected 240 ± 10
    # A casual player misses a sixth of the threats, and may then find the cell by its weight.
    assert 310 < blocks < 400


def test_a_strong_player_errs_once_in_eight_moves() -> None:
    position = GridPosition.parse("X../.O./..X")
    rng = Random(4)
    moves = [choose_move(position, "strong", rng=rng).move for _ in range(800)]
    mistakes = [move for move in moves if not is_best(position, move)]
    assert 70 < len(mistakes) < 130  # expected 100 ± 9
    # The second best moves lose, but as late as they can.
    assert {by_brute_force(position.play(move)) for move in mistakes} == {(Value.WIN, 3)}


def test_a_strong_player_never_loses_at_once_nor_misses_a_win() -> None:
    for text in ("XX./.O./...", "XX./OO./..."):
        position = GridPosition.parse(text)
        rng = Random(4)
        assert {choose_move(position, "strong", rng=rng).move for _ in range(200)} == {2}


def test_a_strong_player_errs_only_where_a_move_is_worse() -> None:
    """Where all moves are worth the same, a mistake is one of the best moves, too."""
    for text in ("3x3x3", "X.X/.OX/O.."):
        position = GridPosition.parse(text) if "/" in text else GridPosition.start(text)
        rng = Random(5)
        for _ in range(50):
            assert is_best(position, choose_move(position, "strong", rng=rng).move)


# -- what is not proved ------------------------------------------------------------------

# X has four in a row with one end open, three with both, and two pairs that cross, which win by
# threats alone but not in three plies.
FOUR = "15x15x5 d8 c8 e8 a1 f8 a3 g8"
OPEN_THREE = "15x15x5 g8 a1 h8 a3 i8"
CROSSED = "15x15x5 c8 b8 e8 a1 f8 a3 d10 o1 d11 o3"


def test_without_a_proof_the_move_is_the_engines() -> None:
    for text, limits in [
        ("8x8x5", Limits(seconds=0.3)),
        ("8x8x5 d4 e5", Limits(seconds=0.3)),
        ("15x15x5 h8", Limits(nodes=200)),
    ]:
        choice = choose_move(at(text), "perfect", limits)
        assert choice.known is not None
        assert choice.known.estimate is not None
        assert choice.known.visits > 0
        assert choice.phrase.startswith("~ ")
        assert choice.note


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (FOUR, {"h8"}),
        (f"{FOUR} a5", {"h8"}),  # completes it
        (OPEN_THREE, {"e8", "f8", "j8", "k8"}),
        ("19x19x5 j10 a1 k10 s19 l10", {"h10", "i10", "m10", "n10"}),
        ("19x19x5 a1 j1 b2 j2 c3 j3 d4 j4", {"e5"}),
    ],
)
def test_perfect_play_on_a_large_grid_sees_threats(text: str, moves: set[str]) -> None:
    position = at(text)
    choice = choose_move(position, "perfect", Limits(nodes=20_000), Random(1))
    assert position.move_name(choice.move) in moves


def test_the_engine_proves_what_the_solver_cannot() -> None:
    position = at(CROSSED)
    choice = choose_move(position, "perfect", Limits(nodes=5_000), Random(1))
    assert (position.move_name(choice.move), choice.phrase) == ("d8", "wins in 5")
    assert choice.note == ""


def test_too_little_time_is_not_a_reason_to_lose_at_once() -> None:
    """X threatens to make four with both ends open, which takes a block beside the three."""
    rows = ["........"] * 8
    rows[3], rows[6] = "..XXX...", ".O....O."
    position = GridPosition.parse(f"8x8x5:{'/'.join(rows)}")
    assert position.turn is Player.O
    for limits in (Limits(seconds=0.05, memory=1 << 24), Limits(nodes=50)):
        assert choose_move(position, limits=limits).move in (3 * 8 + 1, 3 * 8 + 5)


def test_what_is_known_at_once_needs_no_time() -> None:
    for limits in (Limits(seconds=1e-9), Limits(nodes=1)):
        assert choose_move(GridPosition.start("3x3x3"), limits=limits).phrase == "a draw"


# -- boards that the engine does not take ------------------------------------------------


def test_on_a_huge_board_threats_decide() -> None:
    start = time.perf_counter()
    for grid in ("40x40x5", "300x300x5", "1000x1000x5"):
        for level in GRID_LEVELS:
            rng = Random(1)
            four = at(f"{grid} b2 s1 c3 s3 d4 s5 e5 s7")
            choice = choose_move(four, level, rng=rng)
            assert choice.move in four.legal_moves
            if level in ("casual", "strong", "perfect"):
                assert four.move_name(choice.move) in ("a1", "f6")
            if level == "perfect":
                assert choice.phrase == "wins in 1"
                assert choice.note == ""
        three = at(f"{grid} j10 a1 k10 s19 l10")
        choice = choose_move(three)
        assert three.move_name(choice.move) in ("h10", "i10", "m10", "n10")
        assert choice.phrase == ""
        assert "too large" in choice.note
    assert time.perf_counter() - start < 60, "no search, no list of all moves"


def test_a_huge_board_starts_in_the_centre() -> None:
    choice = choose_move(GridPosition.start("1000x1000x5"))
    assert choice.move in (499_499, 499_500, 500_499, 500_500)
    assert choose_move(GridPosition.start("41x41x5")).move == 20 * 41 + 20


# -- what is loaded ----------------------------------------------------------------------

_PLAY = """
import sys
from noughts import GridPosition
from noughts.players import GRID_LEVELS, choose_move
for level in GRID_LEVELS:
    choose_move(GridPosition.start(sys.argv[1]), level)
print("numpy" in sys.modules, "numba" in sys.modules)
"""


@pytest.mark.parametrize("grid", ["3x3x3", "1x9x3", "1000x1000x5"])
def test_numpy_is_not_needed(grid: str) -> None:
    assert output(script_result(_PLAY, grid)) == ["False False"]


def test_the_probe_would_notice_numpy() -> None:
    assert output(script_result(_PLAY, "4x4x3"))[0].startswith("True ")


_WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from noughts import GridPosition
from noughts.players import GRID_LEVELS, choose_move

def say(text, level):
    choice = choose_move(GridPosition.parse(text), level)
    print(choice.move, choice.phrase, choice.note, sep="|")

for level in GRID_LEVELS:
    say("4x4x3:XX../OO../..../....", level)
say("5x5x4:" + "/".join(5 * ["....."]), "perfect")
say("4x4x4:XX../..O./.O../....", "perfect")  # two ways to make a line of three
say("4x4x3:.X../.X../..O./O...", "perfect")
say("3x3x3:X../.O./..X", "perfect")
"""


def test_without_numpy_threats_decide() -> None:
    beginner, *better, empty, quiet, double, small = output(script_result(_WITHOUT_NUMPY))
    assert int(beginner.split("|")[0]) in range(16)
    assert better[0].startswith("2|")  # casual says nothing about it
    assert better[1:] == ["2|wins in 1|", "2|wins in 1|"]
    move, phrase, note = empty.split("|")
    assert (move, phrase) == ("12", ""), "the heaviest cell, which is the centre"
    assert "noughts[engine]" in note
    assert "noughts[engine]" in quiet
    assert double == "9|wins in 1|"
    assert small.split("|")[1] == "a draw"


def output(result: Result) -> list[str]:
    """Return the lines that a script wrote."""
    assert result.code == 0, result.err
    return result.out.splitlines()


def test_compiling_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["noughts.solving.solver"], "needs_compiling", lambda: True)
    notices: list[str] = []
    choose_move(GridPosition.start("3x4x3"), limits=SOON, on_notice=notices.append)
    assert notices
    assert all("compiling" in notice for notice in notices)
