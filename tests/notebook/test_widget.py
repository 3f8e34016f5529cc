"""The notebook's board, from Python's side: messages in, what is shown out."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

from noughts import (
    Game,
    GridPosition,
    IllegalMove,
    NotationError,
    NoughtsError,
    Player,
    SizeError,
    UltimatePosition,
)
from noughts.notebook import board, widget
from noughts.notebook.widget import BoardWidget
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS, choose_move
from noughts.solving import analyse
from noughts.views import view
from support.strategies import records


def send(played: BoardWidget, content: object) -> None:
    """Let the board hear what a browser says."""
    played._handle_custom_msg(content, [])


def click(played: BoardWidget, move: str) -> None:
    """Click on a cell of the board as it is."""
    send(played, {"move": move, "on": played.game.text})


# -- what is shown -----------------------------------------------------------------------


@settings(max_examples=50)
@given(records())
def test_what_is_shown_is_the_view_of_the_game(game: Game[Any]) -> None:
    for form in (game, game.text):
        played = board(form)
        assert played.game == game
        assert played.shown["view"] == view(game)
        assert played.shown["players"] == {"X": "person", "O": "person"}
        assert played.shown["message"] == ""
        assert played.shown["thinking"] is False
    assert board(game.position).game == Game(game.position)


def test_a_board_shows_a_picture_where_widgets_do_not_run() -> None:
    played = board("3x3x3 b2", o="casual", x=None, values=True)
    formatter: Any = DisplayFormatter()
    bundle, _ = formatter.format(played)
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["image/svg+xml"].startswith("<svg ")
    assert bundle["text/plain"] == repr(played) == f"board({played.game.text!r}, o='casual')"
    labels = analyse(played.position).labels
    assert all(f">{label}<" in bundle["image/svg+xml"] for label in labels.values())


@pytest.mark.parametrize("text", ["3x3x3", "3x3x3 b2", "3x3x3:XX./OO./...", "4x4x3 b2 a1"])
def test_values_are_those_of_the_solver(text: str) -> None:
    played = board(text, values=True, seconds=20)
    exact = analyse(played.position)
    name = played.position.move_name
    assert {
        move: (known["value"], known["plies"]) for move, known in played.shown["values"].items()
    } == {name(known.move): (known.value, known.plies) for known in exact.moves}
    assert sorted(played.shown["best"]) == sorted(map(name, exact.solution.best))
    played.values = False
    assert played.shown["values"] == {}
    assert played.shown["best"] == []


def test_estimates_have_one_best_move() -> None:
    played = board("ultimate ee", values=True, seconds=0.1)
    assert set(played.shown["values"]) == set(played.shown["view"]["legal"])
    assert len(played.shown["best"]) == 1


# -- clicks ------------------------------------------------------------------------------


MESSAGES = (
    st.builds(lambda move, late: ("move", move, late), st.integers(0, 80), st.booleans())
    | st.sampled_from([("order", name) for name in ("undo", "redo", "new")])
    | st.tuples(
        st.just("noise"),
        st.none()
        | st.text(max_size=5)
        | st.dictionaries(st.sampled_from(["move", "order", "on"]), st.integers() | st.text()),
    )
)


@settings(max_examples=60)
@given(
    st.sampled_from(["2x2x2", "3x3x3", "3x3x3:XX./OO./...", "ultimate", "ultimate-open ee"]),
    st.lists(MESSAGES, max_size=40),
)
def test_any_clicks_against_a_plain_game(text: str, messages: list[tuple[Any, ...]]) -> None:
    """What is legal happens, what is not is refused with the reason, and nothing else changes."""
    played = board(text)
    game: Game[Any] = Game.parse(text)
    for kind, what, *more in messages:
        refusal: str | None = None
        if kind == "move":
            (is_late,) = more
            name = game.position.move_name(what % (81 if text.startswith("u") else 4))
            send(played, {"move": name, "on": "elsewhere" if is_late else game.text})
            try:
                if is_late:
                    raise IllegalMove("the board has changed meanwhile")
                game.play(name)
            except NoughtsError as error:
                refusal = str(error)
        elif kind == "order":
            send(played, {"order": what})
            try:
                if what == "new":
                    game = Game(game.start)
                else:
                    game.undo() if what == "undo" else game.redo()
            except IllegalMove as error:
                refusal = str(error)
        else:
            send(played, what)
            refusal = "neither a move nor an order"
        assert played.game == game
        assert played.shown["view"] == view(game)
        if refusal is None:
            assert played.shown["message"] == ""
        elif kind == "order":
            assert "to undo" in played.shown["message"] or "to redo" in played.shown["message"]
        else:
            assert played.shown["message"].startswith(refusal) or kind == "noise"


def test_a_late_click_is_not_taken_for_another() -> None:
    played = board("3x3x3")
    before = played.game.text
    played.play("a1")
    send(played, {"move": "b2", "on": before})
    assert played.shown["message"] == "the board has changed meanwhile"
    assert played.game.text == "3x3x3 a1"


def test_clicks_are_for_people() -> None:
    played = board("3x3x3")
    with played._held():
        played.x = "perfect"
        click(played, "b2")
    assert played.shown["message"] == "it is the turn of X, which the computer plays"
    assert played.game.text == "3x3x3"


# -- the computer ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "level"),
    [("3x3x3", level) for level in GRID_LEVELS]
    + [("ultimate", level) for level in ULTIMATE_LEVELS],
)
def test_every_level_answers(text: str, level: str) -> None:
    played = board(text, o=level, seconds=0.05)
    move = played.position.move_name(played.position.legal_moves[0])
    click(played, move)
    assert len(played.game.moves) == 2
    assert played.shown["thinking"] is False
    assert played.game.turn == "X"


def test_the_computer_begins_and_plays_to_the_end() -> None:
    played = board("3x3x3", x="perfect")
    assert len(played.game.moves) == 1
    alone = board("3x3x3", x="perfect", o="perfect")
    assert alone.game.outcome is not None
    assert alone.game.outcome.winner is None


def test_undo_takes_the_answer_back_as_well() -> None:
    played = board("3x3x3", o="perfect")
    click(played, "a1")
    answered = played.game.text
    send(played, {"order": "undo"})
    assert (len(played.game.moves), len(played.game.undone)) == (0, 2)
    send(played, {"order": "redo"})
    assert played.game.text == answered
    send(played, {"order": "new"})
    assert played.game.text == "3x3x3"
    send(played, {"order": "undo"})
    assert played.shown["message"] == "there is no move of yours to undo"


def test_players_can_be_changed_at_any_time() -> None:
    played = board("3x3x3 b2")
    played.o = "perfect"
    assert len(played.game.moves) == 2
    played.o = None
    click(played, played.shown["view"]["legal"][0])
    assert len(played.game.moves) == 3
    assert played.shown["players"] == {"X": "person", "O": "person"}


def test_what_stops_the_computer_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    played = board("3x3x3", o="perfect")

    def fail(*_: Any) -> None:
        raise NoughtsError("the table is damaged")

    monkeypatch.setattr(widget, "choose_move", fail)
    click(played, "b2")
    assert played.game.text == "3x3x3 b2"
    assert played.shown["message"] == "the table is damaged"
    assert played.shown["thinking"] is False
    with pytest.raises(NoughtsError, match="the table is damaged"):
        played.seconds = 2
    monkeypatch.undo()
    played.seconds = 3
    assert len(played.game.moves) == 2, "it goes on as soon as it can"


class Slow:
    """A computer that thinks until it is allowed to go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked = 0

    def __call__(self, *arguments: Any) -> Any:
        self.asked += 1
        assert self.go_on.wait(20)
        return choose_move(*arguments)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow()
    monkeypatch.setattr(widget, "choose_move", slow)
    return slow


async def until(condition: Any) -> None:
    """Wait for something that the event loop brings about."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def test_the_event_loop_is_free_while_the_computer_thinks(slow: Slow) -> None:
    async def kernel() -> None:
        played = board("3x3x3", o="perfect")
        click(played, "b2")
        assert played.shown["view"]["game"] == "3x3x3 b2", "it is drawn at once"
        assert played.shown["thinking"] is True
        await until(lambda: slow.asked)
        click(played, "a1")
        assert "which the computer plays" in played.shown["message"]
        slow.go_on.set()
        await until(lambda: len(played.game.moves) == 2)
        assert played.shown["thinking"] is False
        assert played.shown["message"] == ""

    asyncio.run(kernel())


@pytest.mark.parametrize("change", ["undo", "new", "game", "o", "play"])
def test_an_answer_to_what_is_past_is_dropped(slow: Slow, change: str) -> None:
    async def kernel() -> None:
        played = board("3x3x3", o="perfect")
        click(played, "b2")
        await until(lambda: slow.asked)
        if change in ("undo", "new"):
            send(played, {"order": change})
            wanted = "3x3x3 | b2" if change == "undo" else "3x3x3"
        elif change == "game":
            played.game = wanted = "4x4x3"
        elif change == "play":
            slow.go_on.set()
            played.play("a1")  # for O, before the computer has made up its mind
            wanted = "3x3x3 b2 a1"
        else:
            played.o = None
            wanted = "3x3x3 b2"
        slow.go_on.set()
        task = played._task
        assert task is not None
        await task
        assert played.game.text == wanted
        assert played.shown["view"]["game"] == wanted
        assert played.shown["thinking"] is False

    asyncio.run(kernel())


# -- what Python may do ------------------------------------------------------------------


def test_games_are_read_set_and_observed() -> None:
    played = board("3x3x3 b2")
    heard: list[tuple[str, str]] = []
    played.observe(lambda change: heard.append((change.old.text, change.new.text)), "game")
    played.play("a1")
    played.play(8)
    played.undo()
    played.redo()
    played.new()
    played.game = Game.parse("ultimate ee")
    played.position = GridPosition.parse("4x4x3:X.../..../..../....")
    assert [new for _, new in heard] == [
        "3x3x3 b2 a1",
        "3x3x3 b2 a1 c3",
        "3x3x3 b2 a1 | c3",
        "3x3x3 b2 a1 c3",
        "3x3x3",
        "ultimate ee",
        "4x4x3:X.../..../..../....",
    ]
    assert [old for old, _ in heard[1:]] == [new for _, new in heard[:-1]]
    assert played.position.turn is Player.O


def test_moves_are_heard_in_their_order() -> None:
    played = board("3x3x3", o="perfect")
    heard: list[str] = []
    played.observe(lambda change: heard.append(change.new.text), "game")
    played.play("a1")
    click(played, "c3")
    assert heard[0] == "3x3x3 a1"
    assert [len(Game.parse(text).moves) for text in heard] == [1, 2, 3, 4]


def test_the_board_has_a_game_of_its_own() -> None:
    mine = Game.parse("3x3x3 b2")
    played = board(mine)
    mine.play("a1")
    assert played.game.text == "3x3x3 b2"
    played.play("c3")
    assert mine.text == "3x3x3 b2 a1"


@pytest.mark.parametrize("move", ["b2", "zz", "d4", 4, 99, "", True])
def test_an_illegal_move_raises_and_changes_nothing(move: Any) -> None:
    played = board("3x3x3 b2")
    with pytest.raises((IllegalMove, NotationError)):
        played.play(move)
    assert played.game.text == "3x3x3 b2"
    assert played.shown["view"]["game"] == "3x3x3 b2"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"game": "3x3"}, NotationError, "4x4x3"),
        ({"game": "3x3x3 b2 b2"}, NotationError, "taken"),
        ({"game": 3}, NotationError, "a game, a position or its text"),
        ({"game": None}, NotationError, "a game, a position or its text"),
        ({"x": "grandmaster"}, NotationError, "person, beginner, casual, strong, perfect"),
        ({"o": "full"}, NotationError, "does not play 3x3x3"),
        ({"game": "ultimate", "o": "perfect"}, NotationError, "does not play ultimate"),
        ({"o": 3}, NotationError, "person or a level"),
        ({"seconds": 0}, SizeError, "above 0"),
        ({"seconds": -1.0}, SizeError, "above 0"),
        ({"seconds": float("nan")}, SizeError, "above 0"),
        ({"seconds": "2"}, SizeError, "seconds must be a number"),
        ({"values": 3}, NotationError, "values must be True or False"),
    ],
)
def test_what_makes_no_sense(options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        board(**options)
    if len(options) == 1:
        played = board("3x3x3 b2")
        ((name, value),) = options.items()
        with pytest.raises(error, match=words):
            setattr(played, name, value)
        assert played.game.text == played.shown["view"]["game"] == "3x3x3 b2"


def test_a_level_must_play_the_game_that_is_set() -> None:
    played = board("3x3x3", o="perfect")
    with pytest.raises(NotationError, match="'perfect' does not play ultimate"):
        played.game = "ultimate"
    assert played.game.text == "3x3x3"
    played.o = "casual"
    played.game = UltimatePosition.start()
    assert played.shown["view"]["name"] == "ultimate"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noughts.notebook.widget", None)
    with pytest.raises(ImportError, match=r"needs anywidget: pip install 'noughts\[notebook\]'"):
        board()
