"""Choosing a move in any game: what is refused, what is said, and whose engine is used."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from noughts import GridPosition, IllegalMove, NotationError, NoughtsError, Variant, start
from noughts.engine import Engine
from noughts.limits import Limits
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS, Choice, choose_move
from noughts.values import Analysis, MoveValue, Value
from support.ultimate_endgames import random_game

SOON = Limits(nodes=200)


def test_a_finished_game_is_refused() -> None:
    over = random_game(Variant.STANDARD, Random(1))[-1]
    for level in ULTIMATE_LEVELS:
        with pytest.raises(IllegalMove, match="the game is over"):
            choose_move(over, level, SOON)
    for level in GRID_LEVELS:
        for text in ("XXX/OO./...", "XOX/XOO/OXX"):
            with pytest.raises(IllegalMove, match="the game is over"):
                choose_move(GridPosition.parse(text), level, SOON)


def test_an_unknown_level_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(NotationError, match="beginner, casual, strong, perfect"):
        choose_move(start("3x3x3"), "expert", SOON)
    with pytest.raises(NotationError, match="beginner, casual, skilled, strong, expert, full"):
        choose_move(start("ultimate"), "perfect", SOON)
    with pytest.raises(NotationError, match="'' is not a level"):
        choose_move(start("3x3x3"), "", SOON)


def test_a_position_may_be_given_by_its_text() -> None:
    assert choose_move("3x3x3 a1 b1 a2 b2", "perfect").phrase == "wins in 1"
    assert choose_move("ultimate", "casual").move in range(81)


def test_what_is_not_a_position_is_refused() -> None:
    nonsense: list[Any] = [None, "ultimatum", 3, object()]
    for each in nonsense:
        with pytest.raises(NoughtsError):
            choose_move(each, "casual", SOON)


def test_without_a_level_it_is_the_best_one() -> None:
    for game, level in (("3x3x3", "perfect"), ("ultimate", "full")):
        position = start(game)
        best = choose_move(position, None, SOON, Random(1))
        assert best == choose_move(position, level, SOON, Random(1))
        assert best.known is not None


def test_a_level_may_be_given_by_its_number() -> None:
    position = start("3x3x3")
    for number, level in enumerate(GRID_LEVELS, 1):
        by_number = choose_move(position, str(number), SOON, Random(3))
        assert by_number == choose_move(position, level, SOON, Random(3))


def test_levels_that_do_not_search_claim_nothing() -> None:
    for game in ("3x3x3", "ultimate", "15x15x5"):
        for level in ("beginner", "casual"):
            choice = choose_move(start(game), level, SOON)
            assert (choice.known, choice.phrase, choice.note) == (None, "", "")


class Recording(Engine):
    """An engine that keeps the positions that it was asked about."""

    def analyse(self, where: Any, *arguments: Any, **named: Any) -> Analysis:
        self.asked = [*getattr(self, "asked", []), where]
        return super().analyse(where, *arguments, **named)


def test_an_engine_that_is_handed_in_is_used() -> None:
    for game, level in (("ultimate", "full"), ("15x15x5", "perfect"), ("15x15x5", "strong")):
        engine = Recording(1)
        choose_move(start(game), level, Limits(nodes=100), engine=engine)
        assert engine.asked == [start(game)]


def test_an_engine_keeps_what_it_learnt() -> None:
    engine, position = Engine(1), start("ultimate")
    choose_move(position, "full", Limits(nodes=100), engine=engine)
    after = engine.analyse(position, Limits(nodes=1))
    assert sum(each.visits for each in after.moves) > 90


def test_a_level_with_a_fixed_strength_has_its_own_engine() -> None:
    """An engine that knows the position already would make it stronger."""
    engine = Recording(1)
    choose_move(start("ultimate"), "skilled", SOON, Random(1), engine)
    assert not hasattr(engine, "asked")


def test_a_choice_says_what_is_known_in_words() -> None:
    words = {
        MoveValue.proved(0, Value.WIN, 1): "wins in 1",
        MoveValue.proved(0, Value.WIN): "wins",
        MoveValue.proved(0, Value.DRAW): "a draw",
        MoveValue.proved(0, Value.LOSS, 4): "loses in 4",
        MoveValue.proved(0, Value.LOSS): "loses",
        MoveValue(0): "not proved",
        MoveValue(0, at_least=Value.DRAW): "not proved: at least a draw",
        MoveValue(0, at_most=Value.DRAW): "not proved: at most a draw",
        MoveValue.estimated(0, 0.611, 900): "~ 61 %",
    }
    assert {known: Choice(0, known).phrase for known in words} == words
    assert Choice(0).phrase == ""
