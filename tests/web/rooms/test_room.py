"""A room as a value: who may do what, when, and what repeating it changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noughts import Game
from noughts.rules.player import Player
from noughts.views import view
from noughts.web.errors import ApiError
from noughts.web.rooms.clock import Clock, TimeControl
from noughts.web.rooms.names import clean_name
from noughts.web.rooms.room import Conflict, Person, Room, key_of

HOST, GUEST, STRANGER = "the host's", "the guest's", "nobody's"


def room(game: str = "3x3x3", side: Player = Player.X) -> Room:
    return Room("id", game, side, key_of(HOST))


def played(game: str, *, side: Player = Player.X) -> Room:
    """Return a room with both seats taken, in which a game was played."""
    return room(game, side).sit(GUEST)


def status(error: pytest.ExceptionInfo[ApiError]) -> int:
    return error.value.status


def test_a_new_room_has_a_host_and_a_free_seat() -> None:
    state = room("ultimate", Player.O).to_json()
    assert state["seats"] == {"X": None, "O": "host"}
    assert state["view"] == view(Game.parse("ultimate"))
    assert (state["version"], state["round"], state["result"]) == (1, 1, None)


def test_nothing_that_is_shown_tells_a_secret() -> None:
    shown = str(played("3x3x3").to_json())
    for secret in (HOST, GUEST):
        assert secret not in shown
        assert key_of(secret).hex() not in shown
        assert str(key_of(secret)) not in shown


def test_one_guest_sits_down_and_no_other() -> None:
    taken = room().sit(GUEST)
    assert taken.to_json()["seats"] == {"X": "host", "O": "guest"}
    assert taken.sit(GUEST) is taken
    assert taken.sit(HOST) is taken
    with pytest.raises(Conflict) as error:
        taken.sit(STRANGER)
    assert error.value.to_json()["room"] == taken.to_json()


def test_a_host_alone_has_one_seat_only() -> None:
    alone = room()
    assert alone.sit(HOST) is alone


def test_a_whole_game() -> None:
    now, record = played("3x3x3"), Game.parse("3x3x3")
    for number, move in enumerate(["a1", "a2", "b1", "b2", "c1"]):
        now = now.play([HOST, GUEST][number % 2], move, round=1, played=number)
        record.play(move)
        assert now.to_json()["view"] == view(record)
        assert now.version == number + 3
    assert now.to_json()["result"] == {"winner": "X", "by": "line", "text": "X wins"}


@pytest.mark.parametrize(
    ("secret", "move", "round", "after", "expected"),
    [
        (STRANGER, "c3", 1, 2, 403),
        ("", "c3", 1, 2, 403),
        (GUEST, "c3", 1, 2, 409),  # not their turn
        (HOST, "b2", 1, 2, 422),  # taken
        (HOST, "z9", 1, 2, 422),
        (HOST, "", 1, 2, 422),
        (HOST, "c3", 1, 3, 409),  # ahead of the game
        (HOST, "c3", 1, 0, 409),  # long past, and another move was made
        (HOST, "c3", 2, 2, 409),
        (GUEST, "b2", 1, 0, 409),  # a move that was made, but by the other one
    ],
)
def test_refused(secret: str, move: str, round: int, after: int, expected: int) -> None:
    now = played("3x3x3 b2 a1")
    with pytest.raises(ApiError) as error:
        now.play(secret, move, round=round, played=after)
    assert status(error) == expected


def test_a_repeated_move_changes_nothing() -> None:
    now = played("3x3x3").play(HOST, "b2", round=1, played=0)
    assert now.play(HOST, "b2", round=1, played=0) is now
    assert now.play(HOST, "4", round=1, played=0) is now  # another name of the same cell
    later = now.play(GUEST, "a1", round=1, played=1)
    assert later.play(HOST, "b2", round=1, played=0) is later


def test_no_move_after_the_end() -> None:
    won = played("3x3x3 a1 a2 b1 b2 c1")
    with pytest.raises(Conflict, match="over"):
        won.play(GUEST, "c3", round=1, played=5)
    resigned = played("3x3x3 b2 a1").resign(GUEST, round=1)
    with pytest.raises(Conflict, match="over"):
        resigned.play(HOST, "c3", round=1, played=2)
    assert resigned.play(HOST, "b2", round=1, played=0) is resigned


def test_resigning() -> None:
    now = played("3x3x3 b2", side=Player.O).resign(HOST, round=1)
    result = {"winner": "X", "by": "resignation", "text": "X wins, O resigned"}
    assert now.to_json()["result"] == result
    assert now.resign(HOST, round=1) is now
    with pytest.raises(Conflict):
        now.resign(GUEST, round=1)
    with pytest.raises(ApiError) as error:
        now.resign(STRANGER, round=1)
    assert status(error) == 403
    with pytest.raises(Conflict):
        played("3x3x3 a1 a2 b1 b2 c1").resign(GUEST, round=1)


def test_a_rematch_swaps_sides_and_begins_where_the_game_began() -> None:
    won = played("3x3x3:XX./OO./... c1")
    asked = won.rematch(GUEST, round=1)
    assert asked.to_json()["rematch"] == "guest"
    assert asked.rematch(GUEST, round=1) is asked
    again = asked.rematch(HOST, round=1)
    assert again.rematch(HOST, round=1) is again
    assert again.rematch(GUEST, round=1) is again
    state = again.to_json()
    assert state["seats"] == {"X": "guest", "O": "host"}
    assert (state["round"], state["rematch"], state["result"]) == (2, None, None)
    assert state["view"] == view(Game.parse("3x3x3:XX./OO./..."))
    assert again.play(GUEST, "c1", round=2, played=0).to_json()["result"]["winner"] == "X"
    with pytest.raises(Conflict):
        again.play(HOST, "c1", round=1, played=0)


def test_no_rematch_without_an_end_or_an_opponent() -> None:
    with pytest.raises(Conflict, match="not over"):
        played("3x3x3 b2").rematch(HOST, round=1)
    with pytest.raises(Conflict, match="seat is free"):
        room().resign(HOST, round=1).rematch(HOST, round=1)
    with pytest.raises(ApiError) as error:
        played("3x3x3 b2").resign(HOST, round=1).rematch(STRANGER, round=1)
    assert status(error) == 403


# -- clocks ----------------------------------------------------------------------------------


def timed(game: str = "3x3x3", initial: int = 60, increment: int = 0) -> Room:
    """Return a room with both seats taken and a clock, at time 0."""
    clock = Clock.of(TimeControl(initial, increment))
    return replace(room(game), clock=clock).at(0).sit(GUEST)


def after(now: Room, *moves: tuple[float, str]) -> Room:
    """Return a room after moves, each at a time; the host begins."""
    for time, move in moves:
        played = len(now.game.moves)
        now = now.at(time).play([HOST, GUEST][played % 2], move, round=1, played=played)
    return now


def test_a_room_without_a_clock_has_all_the_time_in_the_world() -> None:
    now = played("3x3x3 b2").at(1e9)
    assert now.to_json()["clock"] is None
    assert now.play(GUEST, "a1", round=1, played=1).to_json()["result"] is None


def test_time_runs_out_whether_or_not_somebody_moves() -> None:
    now = after(timed(), (100, "b2"), (200, "a1"), (220, "c3"))
    assert now.at(280.4).to_json()["result"] is None
    with pytest.raises(Conflict, match="your time is over"):
        now.at(280.4).play(GUEST, "a2", round=1, played=3)
    in_time = now.at(280.4).play(GUEST, "a2", round=1, played=3, thought=59.9)
    assert in_time.to_json()["clock"]["O"] == 0.1
    late = now.at(280.5)
    assert late.version == now.version + 1
    assert late == now.at(9_999), "what came of it does not depend on when one looks"
    assert late.to_json()["result"] == {"winner": "X", "by": "time", "text": "X wins on time"}
    clock = {"initial": 60, "increment": 0, "X": 40, "O": 0, "running": None}
    assert late.to_json()["clock"] == clock
    with pytest.raises(Conflict, match="the game is over: X wins on time") as error:
        late.play(GUEST, "a2", round=1, played=3)
    assert error.value.to_json()["room"] == late.to_json()
    assert late.play(HOST, "c3", round=1, played=2) is late, "a repeated move is still no fault"


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("3x3x3", "b3 b2 b1 a3 c3", "draw, O ran out of time, but X cannot win any more"),
        ("3x3x3", "b2 a1 c3", "X wins on time"),
        ("3x3x4", "b2 a1 c3", "draw, O ran out of time, but X cannot win any more"),
    ],
)
def test_who_cannot_win_does_not_win_on_time(game: str, moves: str, expected: str) -> None:
    now = after(timed(game), *((0, move) for move in moves.split()))
    result = now.at(60.5).to_json()["result"]
    assert (result["text"], result["by"]) == (expected, "time")
    assert result["winner"] == ("X" if "wins" in expected else None)


def test_the_end_of_a_game_stops_the_clock() -> None:
    won = after(timed(), (0, "a1"), (0, "a2"), (5, "b1"), (15, "b2"), (25, "c1"))
    for now in (won, after(timed(), (0, "a1"), (0, "a2")).at(15).resign(HOST, round=1)):
        clock = now.at(9_999).to_json()["clock"]
        assert (clock["running"], clock["X"]) == (None, 45)
        assert now.at(9_999).version == now.version
        assert now.at(9_999).to_json()["result"]["by"] in ("line", "resignation")


def test_a_rematch_keeps_the_clock_and_sets_it_anew() -> None:
    late = after(timed(increment=3), (0, "b2"), (0, "a1")).at(60.5)
    again = late.rematch(GUEST, round=1).rematch(HOST, round=1)
    clock = {"initial": 60, "increment": 3, "X": 60, "O": 60, "running": None}
    assert again.to_json()["clock"] == clock
    assert again.at(1e6).to_json()["result"] is None
    assert (again.to_json()["seats"]["X"], again.to_json()["result"]) == ("guest", None)


def test_moves_from_before_the_room_are_not_on_its_clock() -> None:
    now = timed("3x3x3 b2 a1")
    assert now.at(1e6).to_json()["result"] is None
    now = after(now, (1e6, "c3"), (2e6, "a3"))
    assert now.to_json()["clock"]["running"] == "X"
    assert now.at(2e6 + 60.5).to_json()["result"]["winner"] == "O"


# -- names and greetings ----------------------------------------------------------------------


def test_names_go_with_their_people() -> None:
    now = replace(room(), host=Person("Anna")).sit(GUEST, "Ben")
    assert now.to_json()["names"] == {"X": "Anna", "O": "Ben"}
    now = now.rename(GUEST, "Bea")
    assert now.rename(GUEST, "Bea") is now
    now = now.resign(HOST, round=1).rematch(HOST, round=1).rematch(GUEST, round=1)
    assert now.to_json()["names"] == {"X": "Bea", "O": "Anna"}
    assert now.rename(HOST, "").to_json()["names"] == {"X": "Bea", "O": None}
    assert now.sit(GUEST, "Someone else") is now
    with pytest.raises(ApiError) as error:
        now.rename(STRANGER, "Mallory")
    assert status(error) == 403


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \n Maria\t", "Anna Maria"),
        ("", ""),
        ("\u202eanna\u2066 \u200b", "anna"),  # would turn the text around it, or cannot be seen
        ("\0<b>", "<b>"),  # text is only ever text on the page
        ("e\u0301" + "\u0301" * 9 + "!", "\u00e9" + "\u0301" * 3 + "!"),
        ("\u0301\u0301a", "a"),
        ("\ud800x", "x"),
        ("李小龙 🙂", "李小龙 🙂"),
        ("x" * 20, "x" * 20),
    ],
)
def test_names_are_cleaned(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown
    assert clean_name(shown) == shown


def test_a_long_name_is_refused() -> None:
    with pytest.raises(ApiError, match="20 characters, not 21") as error:
        clean_name("x" * 21)
    assert (status(error), error.value.field) == (422, "name")


def test_a_greeting_is_said_for_a_moment() -> None:
    now = played("3x3x3").at(100).greet(GUEST, "Good luck!")
    assert now.to_json()["greetings"] == {"X": None, "O": "Good luck!"}
    assert now.at(103.9).to_json()["greetings"]["O"] == "Good luck!"
    assert now.at(104).to_json()["greetings"]["O"] is None
    assert now.at(50).to_json()["greetings"]["O"] is None, "the machine was started anew"
    with pytest.raises(ApiError) as error:
        now.greet(STRANGER, "Thanks!")
    assert status(error) == 403


def test_greetings_do_not_come_thick_and_fast() -> None:
    now = played("3x3x3").at(100).greet(GUEST, "Good luck!")
    assert now.at(101).greet(GUEST, "Good luck!").version == now.version, "a repeated request"
    with pytest.raises(ApiError) as error:
        now.at(101.5).greet(GUEST, "Thanks!")
    assert (status(error), error.value.headers) == (429, {"Retry-After": "4"})
    assert now.at(101.5).greet(HOST, "Thanks!").version == now.version + 1, "the other one may"
    assert now.at(105).greet(GUEST, "Thanks!").to_json()["greetings"]["O"] == "Thanks!"
