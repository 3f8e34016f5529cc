"""One engine for both games: who may use it, when it ends, and what it refuses."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from noughts import (
    GridPosition,
    IllegalMove,
    NoughtsError,
    UltimatePosition,
    Variant,
    start,
)
from noughts.engine import Engine
from noughts.limits import Limits
from noughts.values import Analysis
from support.strategies import VARIANTS
from support.ultimate_endgames import random_game

FAR_TOO_LONG = 10.0


@contextmanager
def thinking(engine: Engine, seconds: float = 60.0) -> Iterator[list[Analysis]]:
    """Let an engine think in another thread; it ends with the block, and the answer is there."""
    begun = Event()
    answers: list[Analysis] = []

    def think() -> None:
        limit = Limits(seconds=seconds)
        answers.append(engine.analyse(UltimatePosition.start(), limit, lambda _: begun.set()))

    thread = Thread(target=think)
    thread.start()
    assert begun.wait(FAR_TOO_LONG)
    try:
        yield answers
    finally:
        engine.cancel()
        thread.join(FAR_TOO_LONG)
        assert not thread.is_alive()


@pytest.mark.parametrize("variant", VARIANTS)
def test_ultimate_is_analysed(variant: Variant) -> None:
    position = UltimatePosition.start(variant).play("ee")
    estimate = Engine(plain=True).analyse(position, Limits(nodes=200))
    assert sorted(found.move for found in estimate.moves) == position.legal_moves
    assert estimate.nodes == 200


def test_one_engine_for_all_games() -> None:
    engine = Engine(plain=True)
    for game in ("3x3x3", "ultimate", "4x4x3", "ultimate-open", "3x3x3"):
        position = start(game)
        estimate = engine.analyse(position, Limits(nodes=50))
        assert estimate.position == position
        assert sorted(found.move for found in estimate.moves) == position.legal_moves


def test_the_same_engine_made_twice_says_the_same() -> None:
    limit = Limits(nodes=300)
    position = UltimatePosition.start()
    answers = [Engine(5, plain=True).analyse(position, limit) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0] != Engine(6, plain=True).analyse(position, limit)


def test_what_is_forgotten_is_found_again() -> None:
    engine = Engine(plain=True)
    first = engine.analyse(UltimatePosition.start(), Limits(nodes=300))
    more = engine.analyse(UltimatePosition.start(), Limits(nodes=300))
    engine.forget()
    assert engine.analyse(UltimatePosition.start(), Limits(nodes=300)) == first != more


@pytest.mark.parametrize("game", ["3x3x3", "ultimate", "ultimate-open"])
def test_loading_changes_nothing(game: str) -> None:
    engine = Engine(plain=True)
    engine.load(start(game))
    answer = engine.analyse(start(game), Limits(nodes=100))
    assert answer == Engine(plain=True).analyse(start(game), Limits(nodes=100))


@pytest.mark.parametrize(
    "finished",
    [
        GridPosition.parse("XXX/OO./..."),
        GridPosition.parse("XOX/XOO/OXX"),
        random_game(Variant.STANDARD, random.Random(1))[-1],
    ],
    ids=["won", "drawn", "ultimate"],
)
def test_a_finished_game_is_refused(finished: Any) -> None:
    assert finished.outcome
    with pytest.raises(IllegalMove, match="the game is over"):
        Engine(plain=True).analyse(finished, Limits(nodes=1))


def test_a_position_may_be_given_by_its_text() -> None:
    found = Engine().analyse("3x3x3 b2", Limits(nodes=10))
    assert found.position == start("3x3x3").play("b2")


def test_what_is_not_a_position_is_refused() -> None:
    nonsense: list[Any] = [None, "ultimatum", 3, [], object()]
    for each in nonsense:
        with pytest.raises(NoughtsError):
            Engine().analyse(each, Limits(nodes=1))


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1", None])
def test_wrong_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(NoughtsError, match="seed must be"):
        Engine(seed)


def test_an_engine_answers_one_question_at_a_time() -> None:
    engine = Engine(plain=True)
    with thinking(engine):
        with pytest.raises(NoughtsError, match="searching already"):
            engine.analyse(UltimatePosition.start(), Limits(nodes=1))
        with pytest.raises(NoughtsError, match="searching already"):
            engine.analyse(start("3x3x3"), Limits(nodes=1))
    assert engine.analyse(UltimatePosition.start(), Limits(nodes=1)).moves  # free again


def test_a_question_may_be_taken_back() -> None:
    engine = Engine(plain=True)
    with thinking(engine) as answers:
        begin = time.perf_counter()
        engine.cancel()
        while not answers and time.perf_counter() - begin < FAR_TOO_LONG:
            time.sleep(0.001)
        assert answers
        assert sorted(found.move for found in answers[0].moves) == list(range(81))
    # Cancelling ends one answer, not the engine; and where nothing runs it does nothing.
    engine.cancel()
    assert engine.analyse(UltimatePosition.start(), Limits(nodes=123)).nodes == 123


def test_an_error_does_not_lock_the_engine() -> None:
    def fail(_: Analysis) -> None:
        raise RuntimeError("enough")

    engine = Engine(plain=True)
    with pytest.raises(RuntimeError, match="enough"):
        engine.analyse(UltimatePosition.start(), Limits(seconds=60.0), fail)
    assert engine.analyse(UltimatePosition.start(), Limits(nodes=10)).nodes == 10


def test_nodes_and_seconds_together() -> None:
    """The first limit that is reached ends it."""
    engine = Engine(plain=True)
    assert engine.analyse(start("ultimate"), Limits(seconds=60.0, nodes=50)).nodes == 50
    assert engine.analyse(start("ultimate"), Limits(seconds=0.05, nodes=1 << 40)).seconds < 10


_NOTHING_IS_COMPILED_LATER = """
import sys
from noughts import start
from noughts.engine import Engine
from noughts.limits import Limits

def compiled():
    return {
        (module.__name__, name): len(kernel.signatures)
        for module in list(sys.modules.values()) if module.__name__.startswith("noughts.")
        for name, kernel in vars(module).items() if hasattr(kernel, "signatures")
    }

position, engine = start(sys.argv[1]), Engine(plain=sys.argv[2] == "plain", contempt=0.1)
engine.load(position)
before = compiled()
assert before
while position.outcome is None:
    found = engine.analyse(position, Limits(nodes=60))
    position = position.play(found.best.move)
later = {name: count for name, count in compiled().items() if count != before.get(name)}
sys.exit(f"compiled during a game: {later}" if later else 0)
"""


@pytest.mark.parametrize("plain", ["plain", "full"])
@pytest.mark.parametrize("game", ["ultimate", "ultimate-open", "6x6x4"])
def test_a_game_waits_for_no_compiler(game: str, plain: str) -> None:
    """A player that loads an engine before the clock starts loses no time in any later move."""
    done = subprocess.run(
        [sys.executable, "-c", _NOTHING_IS_COMPILED_LATER, game, plain],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
