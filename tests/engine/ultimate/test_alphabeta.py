"""The alpha-beta search: what it calls proved, what it keeps up to date, and what it looks at."""

from __future__ import annotations

from itertools import islice, product
from random import Random

import numpy as np
import pytest

from endgames import endgames, midgames, minimax, random_game
from noughts import UltimatePosition, Variant
from noughts.engine.memory import new_memory
from noughts.engine.ultimate import alphabeta
from noughts.engine.ultimate.alphabeta import (
    NODE_LIMIT,
    NODES,
    PLY,
    PROVED,
    STOP,
    STOPPED,
    UNSEEN,
    WON,
    Stack,
    hash_of,
    new_stack,
    search,
)
from noughts.engine.ultimate.board import SIDE, state_of
from noughts.engine.ultimate.network import WIDTH, Network, evaluate
from noughts.kernels import wrapping


def stack_for(nodes: int = 1 << 60) -> Stack:
    stack = new_stack()
    stack.counters[NODE_LIMIT] = nodes
    return stack


def value_of(
    network: Network,
    position: UltimatePosition,
    plies: int,
    low: int = -WON,
    high: int = WON,
    stack: Stack | None = None,
) -> int:
    """Search with an empty memory."""
    stack = stack or stack_for()
    with wrapping():
        return int(
            search(network, new_memory(1 << 12), stack, state_of(position), plies * PLY, low, high)
        )


def check_value(position: UltimatePosition, value: int) -> bool:
    """Compare a value with minimax if it is a proof; return whether it is."""
    true, plies = minimax(position)
    if value == 0:
        assert true == 0, position
    elif value >= PROVED:
        assert (true, plies <= WON - value) == (1, True), position
    elif value <= -PROVED:
        assert (true, plies <= WON + value) == (-1, True), position
    else:
        return False
    return True


# ------------------------------------------------------------------------------------- proofs


def test_what_is_proved_is_true(network: Network) -> None:
    """Whatever the network says: this one knows nothing."""
    proved = 0
    for position in islice(endgames(Variant.STANDARD, 9, 61), 60):
        proved += sum(check_value(position, value_of(network, position, d)) for d in range(1, 9))
    assert proved > 200


def test_a_memory_that_is_shared_by_all_questions_is_right(network: Network) -> None:
    """Also a tiny one, whose entries are written over all the time."""
    for slots in (16, 1 << 14):
        memory, stack = new_memory(slots), stack_for()
        for position in islice(endgames(Variant.STANDARD, 9, 62), 40):
            for depth in (3, 5, 7, 20):
                with wrapping():
                    value = search(
                        network, memory, stack, state_of(position), depth * PLY, -WON, WON
                    )
                check_value(position, value)


def test_deep_enough_everything_is_proved(network: Network) -> None:
    for position in islice(endgames(Variant.STANDARD, 8, 63), 40):
        assert check_value(position, value_of(network, position, 60)), position


def test_the_moves_of_the_root_are_proved_truly(network: Network) -> None:
    proved = 0
    for position, depth in product(islice(endgames(Variant.STANDARD, 8, 64), 30), (1, 4, 30)):
        stack = stack_for()
        value_of(network, position, depth, stack=stack)
        seen = np.flatnonzero(stack.value != UNSEEN).tolist()
        for move in seen:
            value, after = int(stack.value[move]), position.play(move)
            true, plies = minimax(after)
            if value >= PROVED:
                assert (true, plies < WON - value + 1) == (-1, True)
            elif value <= -PROVED:
                assert (true, plies < WON + value + 1) == (1, True)
            elif value == 0 and stack.exact[move]:
                assert true == 0
            else:
                continue
            proved += 1
    assert proved > 150


@pytest.mark.parametrize("bounds", [(-1, 0), (0, 1), (-60, 60), (-WON, 0), (0, WON)])
def test_narrow_bounds_tell_the_truth_about_their_side(
    bounds: tuple[int, int], network: Network
) -> None:
    low, high = bounds
    for position in islice(endgames(Variant.STANDARD, 8, 65), 30):
        value = value_of(network, position, 60, low, high)
        true = minimax(position)[0]
        if value <= low:
            assert true <= (value > 0) - (value < 0) or true * WON <= low
        elif value >= high:
            assert true >= (value > 0) - (value < 0) or true * WON >= high
        else:
            assert true == (value > 0) - (value < 0)


# ------------------------------------------------------------------------- kept up to date


def test_what_is_kept_up_to_date_is_what_a_new_start_computes(network: Network) -> None:
    rng = Random(66)
    stack, fresh = stack_for(), stack_for()
    for _ in range(6):
        game = random_game(Variant.STANDARD, rng)
        alphabeta._set_up(network, stack, state_of(game[0]))
        for ply, after in enumerate(game[1:-1]):
            stack.move[ply] = ((after.x | after.o) ^ (game[ply].x | game[ply].o)).bit_length() - 1
            with wrapping():
                alphabeta._descend(network, stack, ply)
                alphabeta._set_up(network, fresh, state_of(after))
            for name in ("states", "rows", "sums", "reach", "hash"):
                kept, computed = getattr(stack, name)[ply + 1], getattr(fresh, name)[0]
                assert np.array_equal(kept, computed), (name, after)


def test_a_move_looks_as_the_network_judges_the_position_after_it(network: Network) -> None:
    stack, sums, compared = stack_for(), np.zeros(WIDTH, np.int16), 0
    for position in islice(midgames(Variant.STANDARD, 67), 40):
        with wrapping():
            alphabeta._set_up(network, stack, state_of(position))
        for move in position.legal_moves:
            after = position.play(move)
            with wrapping():
                look = alphabeta._look(network, stack, 0, move)
                judged = -evaluate(network, state_of(after), sums)
            if after.outcome:
                assert look == (0 if after.outcome.winner is None else WON)
            elif look != 0:  # else it is a draw, as nobody can get a line of boards any more
                assert look == (judged or 1)
                compared += 1
    assert compared > 200


def test_different_positions_have_different_hashes() -> None:
    rng = Random(68)
    found: dict[tuple[int, ...], UltimatePosition] = {}
    for _ in range(40):
        for position in random_game(Variant.STANDARD, rng)[:-1]:
            key = np.zeros(2, np.int64)
            hash_of(state_of(position), key)
            assert found.setdefault(tuple(key.tolist()), position) == position
    assert len(found) > 1500


# ------------------------------------------------------------------------------------- effort


def test_limits_and_wishes_for_an_end_are_heard(network: Network) -> None:
    start = UltimatePosition.start()
    stack = stack_for(5_000)
    assert value_of(network, start, 30, stack=stack) == STOPPED
    assert 5_000 - 81 < stack.counters[NODES] <= 5_000
    stack = stack_for()
    stack.counters[STOP] = 1
    assert value_of(network, start, 30, stack=stack) == STOPPED
    assert stack.counters[NODES] == 81, "the moves of the root are always judged"
    assert (stack.value != UNSEEN).all()


def test_the_same_search_takes_the_same_nodes(network: Network) -> None:
    for position in islice(midgames(Variant.STANDARD, 69), 5):
        found = []
        for _ in range(2):
            stack = stack_for()
            value = value_of(network, position, 6, stack=stack)
            found.append((value, int(stack.counters[NODES]), stack.visits.tolist()))
        assert found[0] == found[1]


def test_what_is_remembered_is_not_searched_again(network: Network) -> None:
    memory, taken = new_memory(1 << 18), []
    for _ in range(2):
        stack = stack_for()
        with wrapping():
            start = state_of(UltimatePosition.start())
            search(network, memory, stack, start, 6 * PLY, -WON, WON)
        taken.append(int(stack.counters[NODES]))
    assert taken[1] < taken[0] / 2


def test_sides_do_not_matter(network: Network) -> None:
    """A position with colours exchanged has the same value."""
    for position in islice(midgames(Variant.STANDARD, 70), 10):
        state = state_of(position)
        twin = state.copy()
        twin[0:9], twin[9:18] = state[9:18], state[0:9]
        twin[18], twin[19] = state[19], state[18]
        twin[SIDE] = 1 - state[SIDE]
        values = []
        for each in (state, twin):
            with wrapping():
                values.append(
                    search(network, new_memory(1 << 12), stack_for(), each, 4 * PLY, -WON, WON)
                )
        assert values[0] == values[1]
