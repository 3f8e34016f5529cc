"""OpenSpiel's games are ours, move for move; and its search plays legally."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, GridPosition, UltimatePosition, start
from noughts.errors import MissingExtra, NoughtsError
from noughts.limits import Limits
from noughts.matches.match import Match, play_match
from noughts.matches.openspiel import OpenSpielPlayer, actions_of, load
from noughts.rules.ultimate import Variant
from support.strategies import ultimate_games

pyspiel = pytest.importorskip("pyspiel")


def moves_in(state: object, position: GridPosition | UltimatePosition) -> list[int]:
    """Return the legal moves of a state of OpenSpiel, in our numbers."""
    legal = state.legal_actions()  # type: ignore[attr-defined]
    if isinstance(position, GridPosition):
        return list(legal)
    if position.forced is not None:
        return [position.forced * 9 + cell for cell in legal]
    return [
        board * 9 + cell
        for board in legal
        for cell in state.child(board).legal_actions()  # type: ignore[attr-defined]
    ]


def agree(begin: GridPosition | UltimatePosition, moves: list[int]) -> None:
    state, position = load(begin).new_initial_state(), begin
    for move in moves:
        assert state.current_player() == (0 if position.turn == "X" else 1)
        assert moves_in(state, position) == position.legal_moves
        for action in actions_of(position, move):
            state.apply_action(action)
        position = position.play(move)
    assert state.is_terminal() == (position.outcome is not None)
    if position.outcome is not None:
        returns = {None: 0, "X": 1, "O": -1}[position.outcome.winner]
        assert state.returns() == [returns, -returns]


@settings(max_examples=60)
@given(ultimate_games(Variant.STANDARD))
def test_ultimate_is_the_same_game(played: tuple[Variant, list[int]]) -> None:
    agree(UltimatePosition.start(), played[1])


@settings(max_examples=50)
@given(st.sampled_from(["3x3x3", "3x4x3", "5x4x4", "2x6x3"]), st.randoms())
def test_grids_are_the_same_games(name: str, rng: object) -> None:
    begin = GridPosition.start(name)
    game = Game(begin)
    while game.outcome is None:
        game.play(rng.choice(game.position.legal_moves))  # type: ignore[attr-defined]
    agree(begin, list(game.moves))


@pytest.mark.parametrize("game", ["3x4x3", "ultimate"])
def test_it_plays_legally_and_repeatably(game: str) -> None:
    match = Match("openspiel", "openspiel", game, 2, Limits(nodes=30), "random:2")
    records = list(play_match(match, OpenSpielPlayer))
    assert not any(record.is_forfeit for record in records)
    assert [each.text for each in play_match(match, OpenSpielPlayer)] == [
        each.text for each in records
    ]


def test_a_free_move_is_chosen_from_one_search() -> None:
    game = Game.parse("ultimate")
    player = OpenSpielPlayer()
    player.new_game(game.start, seed=1)
    for nodes in (1, 2, 5, 500):
        answer = player.choose(game, Limits(nodes=nodes), 60)
        assert answer.move in game.position.legal_moves
        assert answer.info == f"nodes {nodes}"


def test_it_takes_a_win() -> None:
    player = OpenSpielPlayer()
    player.new_game(start("3x3x3"), seed=1)
    assert player.choose(Game.parse("3x3x3 a1 a2 b1 b2"), Limits(nodes=500), 60).move == 2


def test_time_ends_the_search() -> None:
    player = OpenSpielPlayer()
    player.new_game(start("ultimate"), seed=1)
    answer = player.choose(Game.parse("ultimate ee ea"), Limits(seconds=0.05), 60)
    assert 0 <= answer.move < 9


def test_what_openspiel_does_not_have_is_said() -> None:
    with pytest.raises(NoughtsError, match="not ultimate-open"):
        OpenSpielPlayer().new_game(start("ultimate-open"), seed=1)
    with pytest.raises(NoughtsError, match="empty board"):
        OpenSpielPlayer().new_game(GridPosition.parse("X../.O./..."), seed=1)


def test_without_it_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"pip install 'noughts\[openspiel\]'"):
        OpenSpielPlayer()
