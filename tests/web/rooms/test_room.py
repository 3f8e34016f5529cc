"""A room as a value: who may do what, when, and what repeating it changes."""

from __future__ import annotations

import pytest

from noughts import Game
from noughts.rules.player import Player
from noughts.views import view
from noughts.web.errors import ApiError
from noughts.web.rooms.room import Conflict, Room, key_of

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
