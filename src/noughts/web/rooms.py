"""Games by link: two people play, everybody with the link may look."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from noughts.rules.player import Player
from noughts.web.answers import View
from noughts.web.problems import Problem, ProblemAnswer, responses
from noughts.web.questions import GameQuestion, Question, Reader
from noughts.web.room import Room, Seat
from noughts.web.settings import Settings
from noughts.web.store import Store
from noughts.web.updates import Updates, in_thread

__all__ = ["router"]

Side = Literal["X", "O"]


class OpenQuestion(GameQuestion):
    """A game to begin with, and the side of whoever opens the room."""

    side: Side = "X"


class Nothing(Question):
    """There is nothing to say."""


class RoundQuestion(Question):
    """Which round this is about."""

    round: int = Field(ge=1, examples=[1])


class MoveQuestion(RoundQuestion):
    """A move, and after how many moves of the round it is to be made."""

    move: str = Field(max_length=20, examples=["b2", "ee"])
    played: int = Field(ge=0, examples=[4])


class Seats(BaseModel):
    """Who plays which side in this round."""

    X: Seat | None
    O: Seat | None  # noqa: E741 - the side's own name


class Result(BaseModel):
    """How the round ended."""

    winner: Side | None
    by: Literal["line", "full", "most_boards", "resignation"]
    text: str = Field(examples=["X wins, O resigned"])


class RoomState(BaseModel):
    """A room as everybody may see it."""

    room: str
    version: int
    round: int
    seats: Seats
    view: View
    result: Result | None
    rematch: Seat | None = Field(description="who wants another round")


class Seated(BaseModel):
    """Your seat, the secret that goes with it, and the room."""

    seat: Seat
    secret: str
    state: RoomState


class ConflictAnswer(ProblemAnswer):
    """An action that does not fit the room as it is now."""

    room: RoomState


Credentials = Annotated[
    HTTPAuthorizationCredentials | None,
    Depends(HTTPBearer(auto_error=False, scheme_name="seat", description="A seat's secret.")),
]

_READING = (400, 408, 413, 415, 422)
_CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": ConflictAnswer, "description": "Conflict"}
}
_ACTING = responses(*_READING, 401, 403, 404, 503) | _CONFLICT


_STREAM: dict[str, Any] = {
    "description": "Events: `room` with a room's state, `silence` if nothing happened for a while, "
    "`error` with a problem before the end.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


def router(settings: Settings) -> APIRouter:
    """Return the addresses of games by link; the file of games is opened at once."""
    store = Store(settings.database)
    updates = Updates(store)
    read = Reader(settings)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        yield
        store.close()

    routes = APIRouter(prefix="/api/rooms", tags=["games by link"], lifespan=lifespan)

    async def act(id: str, action: Callable[[Room], Room]) -> dict[str, Any]:
        state = await in_thread(lambda: store.change(id, action).to_json())
        updates.tell(id)
        return state

    @routes.post(
        "",
        status_code=201,
        response_model=Seated,
        response_model_exclude_unset=True,
        responses=responses(*_READING, 429, 503),
    )
    async def open_room(question: OpenQuestion, request: Request, credentials: Credentials) -> Any:
        """Open a room for a game, and take a seat in it."""
        secret = _secret_for_seat(credentials)
        address = request.client.host if request.client else ""

        def opened() -> dict[str, Any]:
            game = read.game(question.game)
            if game.outcome:
                message = f"the game is over: {game.outcome}"
                raise Problem(422, message, code="illegal_move", field="game")
            return store.open(game, Player(question.side), secret, address).to_json()

        return {"seat": "host", "secret": secret, "state": await in_thread(opened)}

    @routes.get(
        "/{room}",
        response_model=RoomState,
        response_model_exclude_unset=True,
        responses=responses(404, 503),
    )
    async def look(room: str) -> Any:
        """Return a room as it is now."""
        return await in_thread(lambda: store.find(room).to_json())

    @routes.post(
        "/{room}/seats",
        response_model=Seated,
        response_model_exclude_unset=True,
        responses=responses(*_READING, 404, 503) | _CONFLICT,
    )
    async def take_seat(room: str, question: Nothing, credentials: Credentials) -> Any:
        """Take the free seat. Asking again with the same secret gives the same seat."""
        secret = _secret_for_seat(credentials)
        seat: list[Seat | None] = []

        def sit(before: Room) -> Room:
            after = before.sit(secret)
            seat.append(after.seat_of(secret))
            return after

        state = await act(room, sit)
        return {"seat": seat[0], "secret": secret, "state": state}

    @routes.post(
        "/{room}/moves",
        response_model=RoomState,
        response_model_exclude_unset=True,
        responses=_ACTING,
    )
    async def move(room: str, question: MoveQuestion, credentials: Credentials) -> Any:
        """Make a move. Making it again, because an answer got lost, changes nothing."""
        secret, now = _secret(credentials), question
        return await act(
            room, lambda it: it.play(secret, now.move, round=now.round, played=now.played)
        )

    @routes.post(
        "/{room}/resignation",
        response_model=RoomState,
        response_model_exclude_unset=True,
        responses=_ACTING,
    )
    async def resign(room: str, question: RoundQuestion, credentials: Credentials) -> Any:
        """Give up this round."""
        secret = _secret(credentials)
        return await act(room, lambda it: it.resign(secret, round=question.round))

    @routes.post(
        "/{room}/rematch",
        response_model=RoomState,
        response_model_exclude_unset=True,
        responses=_ACTING,
    )
    async def rematch(room: str, question: RoundQuestion, credentials: Credentials) -> Any:
        """Agree to another round with sides swapped; it begins when both did."""
        secret = _secret(credentials)
        return await act(room, lambda it: it.rematch(secret, round=question.round))

    @routes.get(
        "/{room}/events",
        response_class=StreamingResponse,
        responses=responses(404, 503) | {200: _STREAM},
    )
    async def events(
        room: str,
        request: Request,
        last_event_id: Annotated[str, Header(description="the last version seen")] = "",
    ) -> Any:
        """Tell of every change: first how the room is now, unless that was seen already."""
        await in_thread(store.find, room)  # so that a room that is not there is an error
        seen = int(last_event_id) if re.fullmatch(r"[0-9]{1,18}", last_event_id) else None
        states = updates.listen(room, seen, request.app.state.closing)
        return StreamingResponse(
            _written(states),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},  # a proxy must not keep events back
        )

    return routes


async def _written(states: AsyncIterator[tuple[int, str] | None]) -> AsyncIterator[str]:
    """Write states as server-sent events.

    Silence is an event as well, not a comment: a page takes its absence for a broken connection,
    which after a laptop slept is not to be noticed in any other way.
    """
    yield "retry: 2000\n\n"
    try:
        async for state in states:
            if state is None:
                yield "event: silence\ndata: null\n\n"
            else:
                version, data = state
                yield f"id: {version}\nevent: room\ndata: {data}\n\n"
    except Problem as problem:
        yield f"event: error\ndata: {json.dumps(problem.to_json())}\n\n"


def _secret(credentials: HTTPAuthorizationCredentials | None) -> str:
    if credentials is None:
        raise Problem(401, headers={"WWW-Authenticate": "Bearer"})
    return credentials.credentials


def _secret_for_seat(credentials: HTTPAuthorizationCredentials | None) -> str:
    """Return the secret that somebody brings for a seat to be taken, or a new one."""
    if credentials is None:
        return secrets.token_urlsafe(32)
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", credentials.credentials):
        message = "a secret of your own is 43 characters of A-Z, a-z, 0-9, - and _"
        raise Problem(422, message, field="Authorization")
    return credentials.credentials
