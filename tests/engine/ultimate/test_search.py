"""The search as a whole: limits, proofs, reuse of the tree from move to move, and whole games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from threading import Event, Timer

import pytest
from hypothesis import given, settings

from noughts import UltimatePosition, Variant
from noughts.engine.ultimate.alphabeta import NODES
from noughts.engine.ultimate.board import State
from noughts.engine.ultimate.endgame import Endgame
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.search import UltimateSearch
from noughts.engine.ultimate.transposition import new_table
from noughts.limits import Limits
from noughts.values import Analysis, Value
from support.search_trees import walk
from support.strategies import VARIANTS, ultimate_positions, ultimate_settings
from support.ultimate_endgames import endgames, midgames, minimax, random_game

MEMORY = 1 << 23
FAR_TOO_LONG = 2.0  # seconds that no answer may be late, on any machine


@cache
def small(variant: Variant) -> Sequence[UltimatePosition]:
    return list(islice(endgames(variant, 8, 51), 12))


@pytest.fixture(params=["plain", "network"])
def fresh(request: pytest.FixtureRequest, network: Network) -> Callable[[int], UltimateSearch]:
    """Return a function that makes a search, of either kind."""

    def make(seed: int = 0) -> UltimateSearch:
        is_plain = request.param == "plain"
        return UltimateSearch(seed, plain=is_plain, network=network, memory=MEMORY)

    return make


def ask(search: UltimateSearch, position: UltimatePosition, **limits: float) -> Analysis:
    return search.analyse(position, Limits(**limits), Event())  # type: ignore[arg-type]


def check_form(
    estimate: Analysis, position: UltimatePosition, *, is_cancelled: bool = False
) -> None:
    """Check what holds for every answer, however little time there was."""
    assert estimate.position == position
    assert sorted(found.move for found in estimate.moves) == position.legal_moves
    for found in estimate.moves:
        assert 0.0 <= found.score <= 1.0
        assert found.visits >= 0
        if found.value is not None:
            assert found.score == (found.value.rank + 1) / 2
            assert (found.plies is None) == (found.value is Value.DRAW)
        else:
            assert found.plies is None
    assert estimate.line[0] == estimate.best.move
    reached = position
    for move in estimate.line:
        reached = reached.play(move)
    proved = estimate.best.plies
    if proved is not None:
        assert reached.outcome or is_cancelled
        assert len(estimate.line) <= proved
    ranks = [found.value.rank for found in estimate.moves if found.value is not None]
    assert ranks == sorted(ranks, reverse=True)  # quick wins first, and losses last
    if estimate.best.value is Value.LOSS:
        assert all(found.value is Value.LOSS for found in estimate.moves)


def check_proofs(estimate: Analysis, position: UltimatePosition) -> None:
    """Compare what is said to be proved with minimax."""
    for found in estimate.moves:
        if found.value is not None:
            value, plies = minimax(position.play(found.move))
            assert found.value.rank == -value, (position, found)
            if found.plies is not None:
                assert found.plies >= plies + 1, (position, found)


# ------------------------------------------------------------------------------- every answer


@settings(ultimate_settings, max_examples=25)
@given(ultimate_positions().filter(lambda position: not position.outcome))
def test_every_answer_has_its_form(position: UltimatePosition) -> None:
    search = UltimateSearch(plain=True, memory=MEMORY)
    for nodes in (1, 2, 30, 300):
        check_form(ask(search, position, nodes=nodes), position)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_answer_of_the_full_search_has_its_form(variant: Variant, network: Network) -> None:
    search = UltimateSearch(network=network, memory=MEMORY)
    for position in islice(midgames(variant, 52), 12):
        for nodes in (1, 300):
            check_form(ask(search, position, nodes=nodes), position)


@pytest.mark.parametrize("variant", VARIANTS)
def test_proofs_of_the_tree_are_true(variant: Variant) -> None:
    """A plain search does not solve endgames."""
    proved = 0
    for seed, position in enumerate(small(variant)):
        search = UltimateSearch(seed, plain=True, memory=MEMORY)
        estimate = ask(search, position, nodes=1000)
        assert estimate.unit == "simulations"
        check_form(estimate, position)
        check_proofs(estimate, position)
        proved += estimate.best.is_proved
        if estimate.best.is_proved:
            assert estimate.best.value is Value.of(minimax(position)[0]), position
    assert proved >= 6


@pytest.mark.parametrize("variant", VARIANTS)
def test_proofs_of_two_threads_are_true(variant: Variant) -> None:
    for seed, position in enumerate(small(variant)):
        search = UltimateSearch(seed, plain=True, memory=MEMORY)
        estimate = ask(search, position, nodes=2000, threads=2)
        check_proofs(estimate, position)
        assert sorted(found.move for found in estimate.moves) == position.legal_moves


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("variant", VARIANTS)
def test_endgames_are_solved_to_the_end(variant: Variant, threads: int, network: Network) -> None:
    search = UltimateSearch(network=network, memory=MEMORY)
    for position in small(variant):
        estimate = ask(search, position, nodes=1_000_000, threads=threads)
        assert estimate.unit == "positions"
        check_form(estimate, position)
        value, plies = minimax(position)
        assert estimate.best.value is Value.of(value)
        assert estimate.best.plies == (plies or None)
        if plies:
            assert len(estimate.line) == plies
        for found in estimate.moves:
            value, plies = minimax(position.play(found.move))
            assert found.value is Value.of(-value)
            assert found.plies == (plies + 1 if value else None)


def test_contempt_chooses_the_draw_that_asks_most_of_the_opponent(network: Network) -> None:
    """It is the drawing move after which the largest part of the replies loses."""

    def trap(position: UltimatePosition) -> float:
        if position.outcome:
            return 0.0
        replies = [minimax(position.play(move))[0] == 1 for move in position.legal_moves]
        return sum(replies) / len(replies)

    chosen = 0
    for position in islice(endgames(Variant.STANDARD, 8, 52), 150):
        if minimax(position)[0] != 0:
            continue
        after = {move: position.play(move) for move in position.legal_moves}
        traps = {m: trap(reached) for m, reached in after.items() if minimax(reached)[0] == 0}
        search = UltimateSearch(network=network, memory=MEMORY, contempt=0.1)
        estimate = ask(search, position, nodes=100_000)
        check_form(estimate, position)
        assert estimate.best.value is Value.DRAW
        assert traps[estimate.best.move] == max(traps.values())
        chosen += len(set(traps.values())) > 1
    assert chosen > 3, "or this test shows little"


def winning_moves(position: UltimatePosition) -> list[int]:
    """List the moves that win at once."""
    found = []
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome and outcome.winner is position.turn:
            found.append(move)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_win_in_one_is_played(variant: Variant, fresh: Callable[[int], UltimateSearch]) -> None:
    """Even with a single simulation."""
    rng = random.Random(53)
    last = (random_game(variant, rng)[-2] for _ in range(40))
    chances = (p for p in last if winning_moves(p))
    search = fresh(0)
    for position in islice(chances, 10):
        estimate = ask(search, position, nodes=1)
        assert estimate.best.move in winning_moves(position)
        assert (estimate.best.value, estimate.best.plies) == (Value.WIN, 1)
        assert estimate.line == (estimate.best.move,)
        assert str(estimate) == f"{position.turn} wins in 1 move, proved"


def test_a_win_in_one_is_played_without_time() -> None:
    rng = random.Random(53)
    search, stop = UltimateSearch(plain=True, memory=MEMORY), Event()
    stop.set()
    last = (random_game(Variant.STANDARD, rng)[-2] for _ in range(40))
    for position in islice((p for p in last if winning_moves(p)), 10):
        for estimate in (
            ask(search, position, seconds=1e-6),
            search.analyse(position, Limits(), stop),
        ):
            assert estimate.best.plies == 1
            search.forget()


def test_variants_are_not_confused(network: Network) -> None:
    search = UltimateSearch(network=network, memory=MEMORY)
    for position in islice(endgames(Variant.STANDARD, 7, 37), 40):
        for variant in (Variant.STANDARD, Variant.MOST_BOARDS):
            same = replace(position, variant=variant)
            best = ask(search, same, nodes=100_000).best
            assert best.value is Value.of(minimax(same)[0]), same


# ------------------------------------------------------------------------------------- limits


def test_the_positions_of_an_endgame_are_counted(network: Network) -> None:
    search = UltimateSearch(network=network, memory=MEMORY)
    for position in islice(endgames(Variant.STANDARD, 16, 60), 20):
        estimate = ask(search, position, nodes=100_000)
        assert sum(found.visits for found in estimate.moves) <= estimate.nodes <= 100_000


def test_the_line_of_an_endgame_keeps_to_the_node_limit(network: Network) -> None:
    """With a table of one slot nothing of the line is remembered, so it is searched anew."""
    cut = 0
    for position in islice(endgames(Variant.STANDARD, 9, 60), 10):
        search = UltimateSearch(network=network, memory=MEMORY)
        search._endgame._endgames = [Endgame(new_table(1))]
        whole = ask(search, position, nodes=100_000)
        needed = sum(found.visits for found in whole.moves)
        for nodes in (max(needed, 1), needed + 3):
            found = ask(search, position, nodes=nodes)
            assert found.is_proved
            assert found.nodes <= nodes
            cut += len(found.line) < len(whole.line)
    assert cut > 0


def test_the_same_seed_gives_the_same_answer(fresh: Callable[[int], UltimateSearch]) -> None:
    position = next(midgames(Variant.STANDARD, 54))
    answers = [ask(fresh(7), position, nodes=500) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].to_json() == answers[1].to_json()


def test_another_seed_is_another_search() -> None:
    start = UltimatePosition.start()
    found = {
        tuple(m.visits for m in ask(UltimateSearch(s, plain=True), start, nodes=500).moves)
        for s in range(3)
    }
    assert len(found) == 3


@pytest.mark.parametrize("threads", [1, 2, 64])
@pytest.mark.parametrize("nodes", [1, 2, 3, 100, 777])
def test_nodes_are_counted_exactly(
    nodes: int, threads: int, fresh: Callable[[int], UltimateSearch]
) -> None:
    start = UltimatePosition.start()
    search = fresh(0)
    estimate = ask(search, start, nodes=nodes, threads=threads)
    assert estimate.nodes == nodes
    assert sum(found.visits for found in estimate.moves) == nodes - 1  # the first makes the moves
    again = ask(search, start, nodes=nodes, threads=threads)
    assert again.nodes == nodes
    assert sum(found.visits for found in again.moves) == 2 * nodes - 1


def test_seconds_are_kept(fresh: Callable[[int], UltimateSearch]) -> None:
    search = fresh(0)
    search.load_kernels()
    for threads in (1, 2):
        begin = time.perf_counter()
        estimate = ask(search, UltimatePosition.start(), seconds=0.1, threads=threads)
        assert time.perf_counter() - begin < 0.1 + FAR_TOO_LONG
        assert 0.05 <= estimate.seconds < 0.1 + FAR_TOO_LONG
        assert estimate.nodes > 0
        check_form(estimate, UltimatePosition.start())


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("delay", [0.0, 0.05])
def test_stopping(delay: float, threads: int, fresh: Callable[[int], UltimateSearch]) -> None:
    search, stop = fresh(0), Event()
    search.load_kernels()
    for position in (UltimatePosition.start(), next(endgames(Variant.STANDARD, 24, 55))):
        stop.clear()
        timer = Timer(delay, stop.set)
        if delay:
            timer.start()
        else:
            stop.set()
        begin = time.perf_counter()
        estimate = search.analyse(position, Limits(seconds=60.0, threads=threads), stop)
        assert time.perf_counter() - begin < delay + FAR_TOO_LONG
        check_form(estimate, position, is_cancelled=True)
        timer.cancel()


def test_cancelling_ends_the_line_of_an_endgame(
    monkeypatch: pytest.MonkeyPatch, network: Network
) -> None:
    def endless(endgame: Endgame, _: State) -> None:
        while not endgame.is_stopped:
            endgame._stack.counters[NODES] += 100
            time.sleep(0.001)

    search, cancelled = UltimateSearch(network=network, memory=MEMORY), Event()
    search.load_kernels()
    monkeypatch.setattr(Endgame, "best_move", endless)
    position = next(p for p in small(Variant.STANDARD) if not p.play(p.legal_moves[0]).outcome)
    timer = Timer(0.3, cancelled.set)
    timer.start()
    analysis = search.analyse(position, Limits(nodes=100_000), cancelled)
    assert analysis.is_proved
    assert analysis.line == (analysis.moves[0].move,)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_reported(threads: int) -> None:
    reported: list[Analysis] = []
    start = UltimatePosition.start()
    search = UltimateSearch(plain=True, memory=MEMORY)
    limit = Limits(seconds=0.8, threads=threads)
    estimate = search.analyse(start, limit, Event(), reported.append)
    assert reported
    for each in reported:
        assert sorted(found.move for found in each.moves) == start.legal_moves
        assert each.nodes <= estimate.nodes


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_on_progress_stops_the_search(
    threads: int, fresh: Callable[[int], UltimateSearch]
) -> None:
    """As Ctrl-C does; the next analysis reuses a tree that is whole."""

    def fail(_: Analysis) -> None:
        raise RuntimeError("enough")

    search, start = fresh(0), UltimatePosition.start()
    begin = time.perf_counter()
    with pytest.raises(RuntimeError, match="enough"):
        search.analyse(start, Limits(seconds=60.0, threads=threads), Event(), fail)
    assert time.perf_counter() - begin < 10.0
    known = int(search._tree.nodes[0]["visits"])
    assert known > 100
    assert sum(1 for _ in walk(search._tree, start)) <= search._used
    again = ask(search, start, nodes=300, threads=threads)
    check_form(again, start)
    assert visits(again) == known - 1 + 300


@pytest.mark.parametrize("threads", [1, 2])
def test_repeated_analyses_do_not_waste_memory(
    threads: int, fresh: Callable[[int], UltimateSearch]
) -> None:
    """Threads leave gaps between the nodes that they add, which must not be lost for good."""
    search, start = fresh(0), UltimatePosition.start()
    for number in range(1, 13):
        estimate = ask(search, start, nodes=300, threads=threads)
        assert visits(estimate) == 300 * number - 1
    reached = sum(1 for _ in walk(search._tree, start))
    search._move_root(start)
    assert search._used == reached
    assert max(node for node, _ in walk(search._tree, start)) == reached - 1


@pytest.mark.parametrize("memory", [1 << 13, 1 << 16])
@pytest.mark.parametrize("is_plain", [True, False])
def test_a_full_tree_still_answers(memory: int, is_plain: bool, network: Network) -> None:
    search = UltimateSearch(plain=is_plain, network=network, memory=memory)
    position = UltimatePosition.start()
    for _ in range(6):
        estimate = ask(search, position, nodes=3000, threads=2)
        check_form(estimate, position)
        position = position.play(estimate.best.move)


# ---------------------------------------------------------------------- what is kept between moves


def visits(estimate: Analysis) -> int:
    return sum(found.visits for found in estimate.moves)


def test_the_tree_is_reused_two_moves_later(fresh: Callable[[int], UltimateSearch]) -> None:
    search = fresh(0)
    start = UltimatePosition.start()
    first = ask(search, start, nodes=5000)
    position = start.play(first.line[0]).play(first.line[1])
    search._move_root(position)
    nodes = search._tree.nodes
    begin, count = int(nodes[0]["first"]), int(nodes[0]["count"])
    kept = int(nodes["visits"][begin : begin + count].sum())
    assert count == position.move_count
    assert kept > 0
    second = ask(search, position, nodes=500)
    assert second.nodes == 500
    assert visits(second) == kept + 500
    check_form(second, position)


def test_the_tree_is_reused_one_move_later(fresh: Callable[[int], UltimateSearch]) -> None:
    search = fresh(0)
    start = UltimatePosition.start()
    first = ask(search, start, nodes=2000)
    second = ask(search, start.play(first.best.move), nodes=100)
    own = first.best.visits + 100 - visits(second)  # that did not go on to a child
    assert own in (1, 2)


def test_another_game_starts_anew(fresh: Callable[[int], UltimateSearch]) -> None:
    search = fresh(0)
    ask(search, UltimatePosition.start(), nodes=1000)
    for position in (
        UltimatePosition.start(Variant.OPEN),
        UltimatePosition.start().play("ab").play("bc").play("cd").play("de"),
    ):
        assert visits(ask(search, position, nodes=100)) == 99


def test_forget(fresh: Callable[[int], UltimateSearch]) -> None:
    search = fresh(3)
    first = ask(search, UltimatePosition.start(), nodes=300)
    search.forget()
    assert ask(search, UltimatePosition.start(), nodes=300) == first


def test_going_back_in_a_game(fresh: Callable[[int], UltimateSearch]) -> None:
    """Earlier analyses do not harm later ones."""
    search = fresh(0)
    rng = random.Random(56)
    games = [list(islice(midgames(variant, 57), 6)) for variant in VARIANTS]
    for _ in range(24):
        positions = games[int(rng.random() * 4)]
        position = positions[int(rng.random() * 6)]
        check_form(ask(search, position, nodes=200, threads=1 + int(2 * rng.random())), position)


# -------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_searches_play_a_game(variant: Variant, network: Network) -> None:
    sides = [
        UltimateSearch(1, network=network, memory=MEMORY),
        UltimateSearch(2, plain=True, memory=MEMORY),
    ]
    position, plies = UltimatePosition.start(variant), 0
    while not position.outcome:
        estimate = ask(sides[plies % 2], position, nodes=100)
        check_form(estimate, position)
        position, plies = position.play(estimate.best.move), plies + 1
    assert plies == (position.x | position.o).bit_count() <= 81


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_proved_result_never_gets_worse(
    variant: Variant, fresh: Callable[[int], UltimateSearch]
) -> None:
    """Whatever the opponent does, a proved win comes in time and a proved draw is not lost."""
    rng = random.Random(58)
    search, kept = fresh(0), 0
    for position in islice(endgames(variant, 16, 59), 6):
        me = position.turn
        rank, left = -1, 0  # the proved result, and the plies of a win
        while not position.outcome:
            legal = position.legal_moves
            move = legal[int(rng.random() * len(legal))]
            if position.turn is me:
                best = ask(search, position, nodes=2000).best
                move = best.move
                if rank >= 0:
                    assert best.value is not None
                    assert best.value.rank >= rank
                    if rank > 0:
                        assert best.plies is not None
                        assert best.plies <= left
                    kept += 1
                if best.value is not None:
                    rank, left = best.value.rank, best.plies or 0
            position, left = position.play(move), left - 1
        if rank > 0:
            assert position.outcome.winner is me
        elif rank == 0:
            assert position.outcome.winner in (None, me)
    assert kept > 0
