"""The levels: the perfect one never errs where a value is known, and each beats the one below."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, IllegalMove, Player
from noughts.solving import Limits, MoveValue, Value, levels
from noughts.solving.levels import Level, choose_move, in_words, value_moves
from noughts.solving.tables import Table
from support.oracle import minimax

SOON = Limits(seconds=2, memory=1 << 26)
"""Plenty for the boards here, and not enough to hang a test."""


@pytest.fixture(autouse=True)
def _no_tables(installed: Path) -> None:
    """Look nothing up in the tables that somebody may have installed."""


def true_value(position: GridPosition) -> tuple[Value, int | None]:
    """Return the value and the plies to the end as the oracle finds them."""
    grid = position.grid
    cells = "".join(position.board.rows)
    value, plies = minimax(cells, grid.rows, grid.cols, grid.k)
    return Value(value), plies


def is_best(position: GridPosition, move: int) -> bool:
    """Return whether a move keeps the value, as quick or as slow as can be."""
    value, plies = true_value(position)
    after, left = true_value(position.play(move))
    return (after.reversed, left) == (value, None if plies is None else plies - 1)


def reached(grid: str) -> Iterator[GridPosition]:
    """Yield every position in which somebody can move, one of each kind up to symmetry."""
    seen = set()
    new = [GridPosition.start(grid)]
    while new:
        position = new.pop().canonical()
        if position not in seen and position.outcome is None:
            seen.add(position)
            yield position
            new += [position.play(move) for move in position.legal_moves]


@st.composite
def positions(draw: st.DrawFn, *grids: str, empty: int = 0) -> GridPosition:
    """Draw a position in which somebody can move, with at most so many empty cells."""
    position = GridPosition.start(draw(st.sampled_from(grids)))
    order = draw(st.permutations(position.legal_moves))
    marks = draw(st.integers(max(len(order) - empty, 0) if empty else 0, len(order) - 1))
    for move in order[:marks]:
        after = position.play(move)
        if after.outcome is not None:
            break
        position = after
    return position


# -- perfect play ------------------------------------------------------------------------


def test_perfect_play_is_best_in_every_position_of_3x3() -> None:
    for position in reached("3x3x3"):
        choice = choose_move(position)
        assert is_best(position, choice.move), position.text
        value, plies = true_value(position)
        assert choice.known == MoveValue(choice.move, value, value, plies)
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
        value = true_value(position)[0]
        assert worst(position) is (value if position.turn is side else value.reversed)


@pytest.mark.parametrize("opponent", [Level.BEGINNER, Level.CASUAL])
@pytest.mark.parametrize("seed", range(5))
def test_perfect_play_wins_3x4x3_in_seven(opponent: Level, seed: int) -> None:
    rng = Random(seed)
    position = GridPosition.start("3x4x3")
    while position.outcome is None:
        level = Level.PERFECT if position.turn is Player.X else opponent
        position = position.play(choose_move(position, level, SOON, rng).move)
    assert position.outcome.winner is Player.X
    assert position.x.bit_count() + position.o.bit_count() <= 7


@settings(deadline=None)
@given(positions("3x4x3", "4x4x3", "4x4x4", "2x7x4", "3x4x9", empty=9))
def test_what_the_solver_is_asked_for_is_best(position: GridPosition) -> None:
    choice = choose_move(position, limits=SOON)
    assert is_best(position, choice.move)
    assert choice.known is not None
    assert (choice.known.value, choice.known.plies) == true_value(position)


@settings(deadline=None)
@given(positions("3x4x3", "4x4x3", "3x4x4", "3x3x3", "2x3x2", empty=9))
def test_every_move_is_valued(position: GridPosition) -> None:
    values = value_moves(position, SOON)
    assert values.note == ""
    assert sorted(known.move for known in values.moves) == position.legal_moves
    assert [known.order for known in values.moves] == sorted(known.order for known in values.moves)
    for known in values.moves:
        value, plies = true_value(position.play(known.move))
        assert known.value is value.reversed
        assert known.plies == (None if plies is None else plies + 1)


def test_a_table_is_asked(built: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch) -> None:
    table = built("4x4x3")
    monkeypatch.setenv("NOUGHTS_TABLES", str(table.path.parent))

    def nobody(*_: object) -> None:
        raise AssertionError("the solver is not needed")

    monkeypatch.setattr(levels, "_solver", nobody)
    position = GridPosition.start("4x4x3")
    while position.outcome is None:
        choice = choose_move(position)
        assert choice.move in table.best(position)
        position = position.play(choice.move)
    assert position.x.bit_count() + position.o.bit_count() == 5


def test_among_equals_the_move_that_asks_most() -> None:
    """On the empty board all moves draw; to a corner, all replies but one lose."""
    assert choose_move(GridPosition.start("3x3x3")).move in (0, 2, 6, 8)


def test_in_a_lost_position_a_threat_is_blocked() -> None:
    """Two threats cannot be blocked, but the opponent may overlook the other one."""
    for text in ("X.X/.OX/O..", "3x4x3:X.X./.OX./O..."):
        position = GridPosition.parse(text)
        assert true_value(position) == (Value.LOSS, 2)
        after = position.play(choose_move(position, limits=SOON).move)
        wins = [move for move in after.legal_moves if after.play(move).outcome is not None]
        assert len(wins) == 1


def test_without_luck_it_is_always_the_same_move(
    built: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(built("4x4x4").path.parent))
    for grid in ("3x3x3", "4x4x4", "9x9x5"):
        position = GridPosition.start(grid)
        assert len({choose_move(position).move for _ in range(3)}) == 1


def test_with_luck_equal_moves_take_turns() -> None:
    rng = Random(1)
    assert {choose_move(GridPosition.start("3x3x3"), rng=rng).move for _ in range(50)} == {
        0,
        2,
        6,
        8,
    }


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("grid", ["3x3x3", "9x9x4"])
def test_a_seed_repeats_a_game(level: Level, grid: str) -> None:
    def game() -> GridPosition:
        rng = Random(5)
        position = GridPosition.start(grid)
        for _ in range(6):
            if position.outcome is None:
                position = position.play(choose_move(position, level, SOON, rng).move)
        return position

    assert game() == game()


# -- the other levels --------------------------------------------------------------------


def score(grid: str, level: Level, below: Level, games: int) -> float:
    """Return the share of points that a level gets, with each side in half of the games."""
    rng = Random(2024)
    points = 0.0
    for number in range(games):
        side = Player.X if number % 2 else Player.O
        position = GridPosition.start(grid)
        while position.outcome is None:
            mover = level if position.turn is side else below
            position = position.play(choose_move(position, mover, SOON, rng).move)
        winner = position.outcome.winner
        points += 0.5 if winner is None else winner is side
    return points / games


@pytest.mark.parametrize(("below", "level"), list(pairwise(Level)))
def test_each_level_beats_the_one_below_on_3x3(level: Level, below: Level) -> None:
    assert score("3x3x3", level, below, 200) > 0.52


@pytest.mark.slow
@pytest.mark.parametrize(("below", "level"), list(pairwise(Level)))
@pytest.mark.parametrize("grid", ["3x4x3", "4x4x3"])
def test_each_level_beats_the_one_below(
    grid: str,
    level: Level,
    below: Level,
    built: Callable[[str], Table],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(built(grid).path.parent))
    assert score(grid, level, below, 200) > 0.52


@settings(deadline=None)
@given(positions("3x3x3", "4x4x3", "9x9x4", "1x1x1", "2x2x9"), st.sampled_from(Level), st.randoms())
def test_every_level_makes_legal_moves(position: GridPosition, level: Level, rng: Random) -> None:
    before = position.text
    assert choose_move(position, level, SOON, rng).move in position.legal_moves
    assert position.text == before


@pytest.mark.parametrize("level", [Level.CASUAL, Level.STRONG, Level.PERFECT])
@pytest.mark.parametrize("text", ["XX./OO./...", "4x4x4:XXX./OOO./..../....", "XX.O../..X.OO"])
def test_a_win_is_not_overlooked(level: Level, text: str) -> None:
    for seed in range(30):
        position = GridPosition.parse(text)
        after = position.play(choose_move(position, level, SOON, Random(seed)).move)
        assert after.outcome is not None


def test_a_beginner_overlooks_wins_and_a_casual_player_threats() -> None:
    win, threat = GridPosition.parse("XX./OO./..."), GridPosition.parse("XX./.O./...")
    rng = Random(3)
    wins = sum(choose_move(win, Level.BEGINNER, rng=rng).move == 2 for _ in range(400))
    blocks = sum(choose_move(threat, Level.CASUAL, rng=rng).move == 2 for _ in range(400))
    assert 150 < wins < 300
    assert 300 < blocks < 400


def test_a_strong_player_slips_now_and_then_but_never_at_once() -> None:
    position = GridPosition.parse("X../.O./..X")
    rng = Random(4)
    moves = [choose_move(position, Level.STRONG, rng=rng).move for _ in range(200)]
    slips = sum(not is_best(position, move) for move in moves)
    assert 5 < slips < 60
    threatened = GridPosition.parse("XX./.O./...")
    assert {choose_move(threatened, Level.STRONG, rng=rng).move for _ in range(200)} == {2}


def test_weaker_levels_claim_nothing() -> None:
    for level in (Level.BEGINNER, Level.CASUAL, Level.STRONG):
        assert choose_move(GridPosition.start("3x3x3"), level).why == ""


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(IllegalMove, match="over"):
        choose_move(GridPosition.parse("XXX/OO./..."))
    assert value_moves(GridPosition.parse("XXX/OO./...")).moves == ()


def test_an_unknown_level() -> None:
    with pytest.raises(ValueError, match="expert"):
        choose_move(GridPosition.start("3x3x3"), "expert")


# -- what is not proved ------------------------------------------------------------------


def test_what_is_not_proved_says_so() -> None:
    choice = choose_move(GridPosition.start("8x8x5"), limits=Limits(seconds=0.05, memory=1 << 24))
    assert choice.why.startswith("not proved")
    assert "time" in choice.note
    values = value_moves(GridPosition.start("8x8x5"), Limits(seconds=0.2, memory=1 << 24))
    assert {in_words(known) for known in values.moves} <= {
        "not proved",
        "not proved: at most a draw",
    }
    assert "time" in values.note


def test_what_is_known_at_once_needs_no_time() -> None:
    limits = Limits(seconds=1e-9)
    assert choose_move(GridPosition.start("3x3x3"), limits=limits).why == "a draw"
    assert (
        len({in_words(known) for known in value_moves(GridPosition.parse("X../.O./..X")).moves})
        == 2
    )


def test_too_little_time_is_no_reason_to_lose_at_once() -> None:
    """X threatens to make four with both ends open, which takes a block beside the three."""
    limits = Limits(seconds=0.05, memory=1 << 24)
    rows = ["........"] * 8
    rows[3], rows[6] = "..XXX...", ".O....O."
    position = GridPosition.parse(f"8x8x5:{'/'.join(rows)}")
    assert position.turn is Player.O
    assert choose_move(position, limits=limits).move in (3 * 8 + 1, 3 * 8 + 5)


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (MoveValue(0, Value.WIN, Value.WIN, 1), "wins in 1"),
        (MoveValue(0, Value.WIN, Value.WIN), "wins"),
        (MoveValue(0, Value.DRAW, Value.DRAW), "a draw"),
        (MoveValue(0, Value.LOSS, Value.LOSS, 4), "loses in 4"),
        (MoveValue(0, Value.LOSS, Value.LOSS), "loses"),
        (MoveValue(0), "not proved"),
        (MoveValue(0, at_least=Value.DRAW), "not proved: at least a draw"),
        (MoveValue(0, at_most=Value.DRAW), "not proved: at most a draw"),
    ],
)
def test_words(known: MoveValue, words: str) -> None:
    assert in_words(known) == words


# -- large boards ------------------------------------------------------------------------


@pytest.fixture
def _threats_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small boards be judged as large ones are, where the oracle can tell the truth."""
    monkeypatch.setattr(levels, "_judge", lambda *_: levels._Threats("only threats"))


@pytest.mark.usefixtures("_threats_only")
def test_what_threats_prove_is_true() -> None:
    @settings(deadline=None)
    @given(positions("3x3x3", "3x4x3", "4x4x3", "2x5x2", "3x4x4", "1x7x1", empty=9))
    def compare(position: GridPosition) -> None:
        for known in value_moves(position).moves:
            value, plies = true_value(position.play(known.move))
            value, plies = value.reversed, None if plies is None else plies + 1
            assert known.at_least.rank <= value.rank <= known.at_most.rank
            if known.value is not None:
                assert known.plies == plies
            # A line now, two threats at once, and what is left open to those: all are seen.
            assert known.value is not None or plies not in (1, 2, 3, 4)

    compare()


def test_a_large_board_is_won_in_one() -> None:
    position = GridPosition.start("19x19x5")
    for move in ("a1", "j1", "b2", "j2", "c3", "j3", "d4", "j4"):
        position = position.play(position.read_move(move))
    choice = choose_move(position)
    assert (position.move_name(choice.move), choice.why, choice.note) == ("e5", "wins in 1", "")


def test_a_large_board_is_held() -> None:
    position = GridPosition.start("19x19x5")
    for move in ("j10", "a1", "k10", "s19", "l10"):
        position = position.play(position.read_move(move))
    # An open three makes two threats next; here they come in 4 plies unless it is stopped.
    choice = choose_move(position)
    assert position.move_name(choice.move) in ("h10", "i10", "m10", "n10")
    assert choice.why == "not proved"
    assert "64 cells" in choice.note
    values = value_moves(position)
    assert {in_words(known) for known in values.moves} == {"not proved", "loses in 4"}
    assert len(values.moves) == 19 * 19 - 5


def test_a_large_board_starts_in_the_centre() -> None:
    assert choose_move(GridPosition.start("19x19x5")).move == 180
    assert choose_move(GridPosition.start("9x9x5")).move == 40
    assert choose_move(GridPosition.start("1000x1000x5")).move in (
        499_499,
        499_500,
        500_499,
        500_500,
    )


def test_a_huge_board_is_not_valued_cell_by_cell() -> None:
    position = GridPosition.start("300x300x5").play(0)
    values = value_moves(position)
    assert len(values.moves) == 300 * 300 - 1
    assert {in_words(known) for known in values.moves} == {"not proved"}


@pytest.mark.slow
def test_large_boards_are_played_better_by_higher_levels() -> None:
    assert score("9x9x4", Level.CASUAL, Level.BEGINNER, 20) > 0.9
    assert score("9x9x4", Level.PERFECT, Level.CASUAL, 20) > 0.6


def test_the_limit_is_the_solver_s() -> None:
    from noughts.solving.arena import MAX_CELLS

    assert levels.SOLVER_CELLS == MAX_CELLS


# -- what is loaded ----------------------------------------------------------------------


def loads_numpy(code: str) -> bool:
    program = (
        "import sys\n"
        "from noughts import GridPosition\n"
        "from noughts.solving.levels import choose_move, value_moves\n"
        f"{code}\n"
        "print('numpy' in sys.modules, 'numba' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout in ("True True\n", "False False\n")
    return ran.stdout == "True True\n"


@pytest.mark.parametrize("grid", ["3x3x3", "1x9x3", "19x19x5"])
def test_numpy_is_not_needed(grid: str) -> None:
    assert not loads_numpy(
        f"position = GridPosition.start('{grid}')\n"
        "for level in ('beginner', 'casual', 'strong', 'perfect'): choose_move(position, level)\n"
        "value_moves(position)"
    )


def test_the_probe_would_notice_numpy() -> None:
    assert loads_numpy("choose_move(GridPosition.start('4x4x3'))")


def test_without_numpy_only_threats_are_seen() -> None:
    program = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "from noughts import GridPosition\n"
        "from noughts.solving.levels import choose_move\n"
        "choice = choose_move(GridPosition.start('4x4x3'))\n"
        "print(choice.why, choice.note, sep='|')\n"
        "print(choose_move(GridPosition.parse('4x4x3:XX../OO../..../....')).why)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    first, second = ran.stdout.splitlines()
    assert first.startswith("not proved|")
    assert "noughts[engine]" in first
    assert second == "wins in 1"


def test_compiling_is_announced_to_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.solving import solver

    monkeypatch.setattr(solver, "needs_compiling", lambda: True)
    heard: list[str] = []
    choose_move(GridPosition.start("3x4x3"), limits=Limits(seconds=2, notice=heard.append))
    assert heard
    assert all("compiling" in message for message in heard)


def test_grids_of_one_kind_share_nothing_with_others() -> None:
    """The solver that is remembered is the one of the grid that is asked about."""
    for grid, why in (("3x4x3", "wins in 7"), ("4x4x3", "wins in 5"), ("3x4x3", "wins in 7")):
        position = GridPosition.start(Grid.parse(grid))
        assert choose_move(position, limits=SOON).why == why
