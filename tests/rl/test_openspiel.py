"""The games for OpenSpiel: its own check, and side by side with its own games."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

from noughts import NoughtsError, parse_position
from support.cases import for_each
from support.observations import planes_of

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("noughts.rl.openspiel")

GAMES = int(os.environ.get("NOUGHTS_TEST_GAMES", "40"))
"""Random games that are played side by side, of each kind."""


@for_each(
    "name",
    [
        *("noughts_mnk", "noughts_mnk(rows=4,cols=5,k=3)", "noughts_mnk(rows=1,cols=1,k=1)"),
        *("noughts_ultimate", "noughts_ultimate(variant=open-most-boards)"),
    ],
)
def test_the_check_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


@for_each(
    ("ours", "theirs"),
    [
        ("noughts_mnk", "tic_tac_toe"),
        ("noughts_mnk(rows=4,cols=3,k=3)", "mnk(m=3,n=4,k=3)"),
        ("noughts_mnk(rows=5,cols=5,k=4)", "mnk(m=5,n=5,k=4)"),
        ("noughts_ultimate", "ultimate_tic_tac_toe"),
    ],
)
def test_random_games_are_the_same(ours: str, theirs: str) -> None:
    rng = random.Random(6)
    for _ in range(GAMES):
        state = pyspiel.load_game(ours).new_initial_state()
        other = pyspiel.load_game(theirs).new_initial_state()
        while not state.is_terminal():
            assert not other.is_terminal()
            assert state.current_player() == other.current_player()
            # A free move of Ultimate is a board and a cell there, a forced one a cell.
            forced = getattr(parse_position(str(state)), "forced", None)
            is_free = theirs == "ultimate_tic_tac_toe" and forced is None
            legal = state.legal_actions()
            if is_free:
                assert legal == [
                    9 * board + cell
                    for board in other.legal_actions()
                    for cell in other.child(board).legal_actions()
                ]
            else:
                assert legal == [9 * (forced or 0) + cell for cell in other.legal_actions()]
            action = rng.choice(legal)
            state.apply_action(action)
            for part in [action // 9, action % 9] if is_free else [action - 9 * (forced or 0)]:
                other.apply_action(part)
        assert other.is_terminal()
        assert state.returns() == other.returns()
        assert state.legal_actions() == []


def test_tensors_are_the_planes_as_a_player_sees_them() -> None:
    for name, moves in (("noughts_mnk(rows=2,cols=3,k=2)", 2), ("noughts_ultimate", 30)):
        game = pyspiel.load_game(name)
        state = game.new_initial_state()
        rng = random.Random(2)
        for _ in range(moves):
            state.apply_action(rng.choice(state.legal_actions()))
        observer = game.make_py_observer()
        for player in (0, 1):
            observer.set_from(state, player)
            seen = planes_of(parse_position(str(state)), player)
            assert (observer.dict["observation"] == np.moveaxis(seen, 2, 0)).all()
            assert state.observation_tensor(player) == observer.tensor.tolist()
        assert game.observation_tensor_shape() == list(observer.dict["observation"].shape)
        assert state.observation_string() == str(state)


def test_actions_have_names_and_games_have_parameters() -> None:
    state = pyspiel.load_game("noughts_mnk(rows=4,cols=5,k=3)").new_initial_state()
    assert state.action_to_string(0, 7) == "X(c2)"
    assert str(state) == "4x5x3:...../...../...../....."
    assert state.get_game().num_distinct_actions() == 20
    ultimate = pyspiel.load_game("noughts_ultimate(variant=open)").new_initial_state()
    assert ultimate.action_to_string(1, 80) == "O(ii)"
    assert str(ultimate).startswith("ultimate-open:X;")
    for name in ("noughts_mnk(rows=0)", "noughts_mnk(k=-1)", "noughts_ultimate(variant=other)"):
        with pytest.raises(NoughtsError):
            pyspiel.load_game(name)
    state.apply_action(0)
    with pytest.raises(NoughtsError, match="is taken by X"):
        state._apply_action(0)


def test_its_algorithms_play_our_games() -> None:
    from open_spiel.python.algorithms import mcts, minimax

    game = pyspiel.load_game("noughts_mnk(rows=2,cols=3,k=2)")
    assert minimax.alpha_beta_search(game)[0] == 1.0  # X wins
    bot = mcts.MCTSBot(game, 1.4, 40, mcts.RandomRolloutEvaluator(1))
    assert bot.step(game.new_initial_state()) in range(6)
