"""The JSON of games by link."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from noughts.web.rooms.clock import MOST_INCREMENT, MOST_INITIAL
from noughts.web.rooms.room import Greeting, Seat
from noughts.web.schemas.errors import ErrorResponse
from noughts.web.schemas.requests import GameRequest, RequestBody
from noughts.web.schemas.responses import Side, View

__all__ = [
    "ConflictResponse",
    "GreetingRequest",
    "NameRequest",
    "OpenRoomRequest",
    "RoomMoveRequest",
    "RoomResponse",
    "RoundRequest",
    "SeatRequest",
    "SeatResponse",
]


class TimeControlRequest(RequestBody):
    """Seconds for all moves of a side, and seconds that each move adds."""

    initial: int = Field(ge=1, le=MOST_INITIAL, examples=[180])
    increment: int = Field(0, ge=0, le=MOST_INCREMENT, examples=[2])


class SeatRequest(RequestBody):
    """The name of the one who takes a seat."""

    name: str = Field("", max_length=200, examples=["Anna"])


class OpenRoomRequest(GameRequest, SeatRequest):
    """A game to begin with, the side of the host, and a clock, if there is to be one."""

    side: Side = "X"
    clock: TimeControlRequest | None = Field(
        None, examples=[{"initial": 180, "increment": 2}], description="null for no clock"
    )


class NameRequest(RequestBody):
    """The name of a player; an empty one is none."""

    name: str = Field(max_length=200, examples=["Anna"])


class GreetingRequest(RequestBody):
    """Something to say to the other player."""

    greeting: Greeting = Field(examples=["Good luck!"])


class RoundRequest(RequestBody):
    """The round that an action belongs to."""

    round: int = Field(ge=1, examples=[1])


class RoomMoveRequest(RoundRequest):
    """A move, and the number of moves of the round before it."""

    move: str = Field(max_length=20, examples=["b2", "ee"])
    played: int = Field(ge=0, examples=[4])
    thought: float | None = Field(
        None, ge=0, description="the seconds from seeing the position to the move", examples=[1.5]
    )


class Seats(BaseModel):
    """The seat that plays each side in this round."""

    X: Seat | None
    O: Seat | None  # noqa: E741 - the side's own name


class Names(BaseModel):
    """The name of the player of each side."""

    X: str | None
    O: str | None  # noqa: E741 - the side's own name


class Greetings(BaseModel):
    """What each side says now; null a few seconds later."""

    X: Greeting | None
    O: Greeting | None  # noqa: E741 - the side's own name


class Clock(BaseModel):
    """The seconds that each side has left when this is sent; those of `running` become less."""

    initial: int
    increment: int
    X: float
    O: float  # noqa: E741 - the side's own name
    running: Side | None = Field(description="null before both sides have moved, and in the end")


class Result(BaseModel):
    """How the round ended."""

    winner: Side | None
    by: Literal["line", "full", "most_boards", "resignation", "time"]
    text: str = Field(examples=["X wins, O resigned"])


class RoomResponse(BaseModel):
    """The state of a room, without secrets."""

    room: str
    version: int
    round: int
    seats: Seats
    names: Names
    view: View
    result: Result | None
    rematch: Seat | None = Field(description="the seat that wants another round")
    clock: Clock | None
    greetings: Greetings


class SeatResponse(BaseModel):
    """Your seat, its secret, and the state of the room."""

    seat: Seat
    secret: str
    state: RoomResponse


class ConflictResponse(ErrorResponse):
    """An action that does not fit the current state of the room."""

    room: RoomResponse
