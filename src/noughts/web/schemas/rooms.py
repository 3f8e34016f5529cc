"""The JSON of games by link."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from noughts.web.rooms.room import Seat
from noughts.web.schemas.errors import ErrorResponse
from noughts.web.schemas.requests import GameRequest, RequestBody
from noughts.web.schemas.responses import Side, View

__all__ = [
    "ConflictResponse",
    "EmptyRequest",
    "OpenRoomRequest",
    "RoomMoveRequest",
    "RoomResponse",
    "RoundRequest",
    "SeatResponse",
]


class OpenRoomRequest(GameRequest):
    """A game to begin with, and the side of the host."""

    side: Side = "X"


class EmptyRequest(RequestBody):
    """An empty object."""


class RoundRequest(RequestBody):
    """The round that an action belongs to."""

    round: int = Field(ge=1, examples=[1])


class RoomMoveRequest(RoundRequest):
    """A move, and the number of moves of the round before it."""

    move: str = Field(max_length=20, examples=["b2", "ee"])
    played: int = Field(ge=0, examples=[4])


class Seats(BaseModel):
    """The seat that plays each side in this round."""

    X: Seat | None
    O: Seat | None  # noqa: E741 - the side's own name


class Result(BaseModel):
    """How the round ended."""

    winner: Side | None
    by: Literal["line", "full", "most_boards", "resignation"]
    text: str = Field(examples=["X wins, O resigned"])


class RoomResponse(BaseModel):
    """The state of a room, without secrets."""

    room: str
    version: int
    round: int
    seats: Seats
    view: View
    result: Result | None
    rematch: Seat | None = Field(description="the seat that wants another round")


class SeatResponse(BaseModel):
    """Your seat, its secret, and the state of the room."""

    seat: Seat
    secret: str
    state: RoomResponse


class ConflictResponse(ErrorResponse):
    """An action that does not fit the current state of the room."""

    room: RoomResponse
