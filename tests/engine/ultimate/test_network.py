"""The looked-up network against the same network computed plainly from its weights."""

from __future__ import annotations

import math
from itertools import islice
from random import Random
from threading import Event

import numpy as np
import pytest

from noughts import Player, UltimatePosition, Variant
from noughts.engine.ultimate import UltimateSearch
from noughts.engine.ultimate.board import (
    CAPTURED,
    GOES_ON,
    SIDE,
    State,
    play,
    state_of,
)
from noughts.engine.ultimate.endgame import Endgame
from noughts.engine.ultimate.network import (
    CHANCE,
    FEATURES,
    Network,
    Weights,
    blank_network,
    board_features,
    evaluate,
    evaluate_child,
    load_network,
    new_scratch,
    sum_boards,
)
from noughts.limits import Limits
from support.ultimate_endgames import endgames, midgames

ROUNDING = 0.01  # tables hold whole numbers, and the last curve has steps
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def features_of(position: UltimatePosition, board: int) -> list[float]:
    """Describe a board as the side to move sees it: cells, threats, owner and a constant."""
    marks = position.line.split(";")[2].split("/")[board]
    owner = position.owners[board]
    me, them = position.turn.value, position.turn.other.value
    closed = [owner == me, owner == them, owner == "#"]
    if any(closed):
        return [0.0] * 36 + [float(flag) for flag in closed] + [1.0]

    def wins(mark: str, cell: int) -> bool:
        with_it = marks[:cell] + mark + marks[cell + 1 :]
        lines = (line for line in LINES if cell in line)
        return marks[cell] == "." and any(all(with_it[c] == mark for c in line) for line in lines)

    cells = [marks[c] == mark for mark in (me, them) for c in range(9)]
    threats = [wins(mark, c) for mark in (me, them) for c in range(9)]
    return [float(flag) for flag in cells + threats] + [0.0, 0.0, 0.0, 1.0]


def chance_of(weights: Weights, position: UltimatePosition) -> float:
    """Compute the network layer by layer, without tables."""
    total = weights.free[0].astype(np.float64)
    for board in range(9):
        features = np.array(features_of(position, board))
        encoded = np.maximum(features @ weights.encoder, 0.0)
        total = total + encoded @ weights.boards[board]
        if board == position.forced:
            total = total + encoded @ weights.forced[board]
    if position.forced is None:
        total = total + weights.free[1]
    logit = float(np.append(np.maximum(total, 0.0), 1.0) @ weights.output)
    return 1.0 / (1.0 + math.exp(-logit))


def with_colours_exchanged(state: State) -> State:
    twin = state.copy()
    twin[0:9], twin[9:18] = state[9:18], state[0:9]
    twin[CAPTURED], twin[CAPTURED + 1] = state[CAPTURED + 1], state[CAPTURED]
    twin[SIDE] = 1 - state[SIDE]
    return twin


def test_positions_are_worth_what_the_weights_say(weights: Weights, network: Network) -> None:
    scratch, chances = new_scratch(), []
    for position in islice(midgames(Variant.STANDARD, 21), 120):
        chances.append(CHANCE[evaluate(network, scratch, state_of(position))])
        assert chances[-1] == pytest.approx(chance_of(weights, position), abs=ROUNDING), position
    assert max(chances) - min(chances) > 0.2  # or the comparison would show nothing


def test_children_are_worth_what_the_weights_say(weights: Weights, network: Network) -> None:
    scratch, compared = new_scratch(), 0
    for position in islice(midgames(Variant.STANDARD, 22), 40):
        state = state_of(position)
        sum_boards(network, scratch, state, 1 - state[SIDE])
        for move in position.legal_moves:
            after = state.copy()
            if play(after, move) != GOES_ON:
                continue
            found = CHANCE[evaluate_child(network, scratch, state, after, move // 9)]
            expected = chance_of(weights, position.play_unchecked(move))
            assert found == pytest.approx(expected, abs=ROUNDING), (position, move)
            compared += 1
    assert compared > 200


def test_colours_do_not_matter(network: Network) -> None:
    scratch = new_scratch()
    for position in islice(midgames(Variant.STANDARD, 23), 100):
        state = state_of(position)
        image = with_colours_exchanged(state)
        assert evaluate(network, scratch, image) == evaluate(network, scratch, state)


def test_features_of_all_states() -> None:
    features = board_features()
    assert features.shape[1] == FEATURES + 1
    assert len(np.unique(features, axis=0)) == len(features)
    assert set(np.unique(features)) == {0.0, 1.0}


def test_features_of_a_board() -> None:
    position = UltimatePosition.start().play("ab").play("bb").play("be").play("ea").play("aa")
    assert position.turn is Player.O
    mine, theirs, my_wins, their_wins = np.array(features_of(position, 0)[:36]).reshape(4, 9)
    assert not mine.any()
    assert list(theirs.nonzero()[0]) == [0, 1]
    assert not my_wins.any()
    assert list(their_wins.nonzero()[0]) == [2]


def test_a_blank_network_knows_nothing() -> None:
    step = evaluate(blank_network(), new_scratch(), state_of(UltimatePosition.start()))
    assert CHANCE[step] == pytest.approx(0.5, abs=1e-3)


def test_the_network_that_comes_with_the_package() -> None:
    network, scratch = load_network(), new_scratch()
    assert all(np.isfinite(array).all() for array in network)
    found = [
        CHANCE[evaluate(network, scratch, state_of(position))]
        for position in islice(midgames(Variant.STANDARD, 24), 60)
    ]
    assert min(found) > 0.0
    assert max(found) < 1.0


def test_the_network_tells_won_positions_from_lost_ones() -> None:
    network, scratch, endgame = load_network(), new_scratch(), Endgame()
    chances: dict[int, list[float]] = {-1: [], 0: [], 1: []}
    for position in islice(endgames(Variant.STANDARD, 20, 25), 150):
        state = state_of(position)
        solved = endgame.solve(state)
        assert solved is not None
        chances[solved[0]].append(float(CHANCE[evaluate(network, scratch, state)]))
    won, drawn, lost = chances[1], chances[0], chances[-1]
    assert min(len(won), len(lost)) > 20
    # How often has a won position a higher chance than a lost one? At random, half of the time.
    correct = sum(w > q for w in won for q in lost) / (len(won) * len(lost))
    assert correct > 0.85
    assert np.mean(lost) < np.mean(drawn or [0.5]) < np.mean(won)


def test_the_network_beats_playouts_with_the_same_number_of_simulations() -> None:
    score = 0.0
    for seed in range(6):
        players = [UltimateSearch(seed, memory=1 << 26), UltimateSearch(seed, plain=True)]
        rng = Random(seed // 2)
        position = UltimatePosition.start()
        while not position.outcome:
            if (position.x | position.o).bit_count() < 2:  # each opening with both colours
                position = position.play(rng.choice(position.legal_moves))
                continue
            mover = players[(position.turn is Player.O) ^ (seed % 2)]
            found = mover.analyse(position, Limits(nodes=1000), Event())
            position = position.play(found.best.move)
        ours = Player.O if seed % 2 else Player.X
        score += 0.5 if position.outcome.winner is None else position.outcome.winner is ours
    assert score >= 4.5
