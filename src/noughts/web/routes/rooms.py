"""Games by link: two people play, and everyone with the link can watch."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.responses import StreamingResponse

from noughts.rules.player import Player
from noughts.web.clients import client_of
from noughts.web.errors import ApiError
from noughts.web.reading import Reader
from noughts.web.rooms.clock import TimeControl
from noughts.web.rooms.names import clean_name
from noughts.web.rooms.room import Room, Seat
from noughts.web.rooms.store import Store
from noughts.web.rooms.timekeeper import Timekeeper
from noughts.web.rooms.updates import State, Updates, in_thread
from noughts.web.routes.task_response import STREAM_HEADERS, server_sent_event
from noughts.web.schemas.errors import error_responses
from noughts.web.schemas.rooms import (
    ConflictResponse,
    GreetingRequest,
    NameRequest,
    OpenRoomRequest,
    RoomMoveRequest,
    RoomResponse,
    RoundRequest,
    SeatRequest,
    SeatResponse,
)
from noughts.web.settings import Settings

__all__ = ["router"]

_bearer = HTTPBearer(auto_error=False, scheme_name="seat", description="The secret of a seat.")


def _secret(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    if credentials is None:
        raise ApiError(401, headers={"WWW-Authenticate": "Bearer"})
    return credentials.credentials


def _secret_for_seat(
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> str:
    """Return the secret that a client chose for the seat it takes, or a new one."""
    if credentials is None:
        return secrets.token_urlsafe(32)
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", credentials.credentials):
        message = "a secret of your own is 43 characters of A-Z, a-z, 0-9, - and _"
        raise ApiError(422, message, field="Authorization")
    return credentials.credentials


Secret = Annotated[str, Depends(_secret)]
SeatSecret = Annotated[str, Depends(_secret_for_seat)]

_BODY_ERRORS = (400, 408, 413, 415, 422)
_CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": ConflictResponse, "description": "Conflict"}
}
_ACTION_ERRORS = error_responses(*_BODY_ERRORS, 401, 403, 404, 503) | _CONFLICT
_EVENTS: dict[str, Any] = {
    "description": "Events: `room` with the state of the room, `silence` when nothing has happened "
    "for a while, and `error` with the JSON of an error before the stream ends.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


def router(settings: Settings, store: Store) -> APIRouter:
    """Return the routes, which close the file of games in the end."""
    updates = Updates(store)
    timekeeper = Timekeeper(store, updates)
    read = Reader(settings)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        keeping = asyncio.create_task(timekeeper.run())
        yield
        keeping.cancel()
        await asyncio.wait([keeping])
        store.close()

    routes = APIRouter(prefix="/api/rooms", tags=["games by link"], lifespan=lifespan)

    post_action = partial(
        routes.post,
        response_model=RoomResponse,
        response_model_exclude_unset=True,
        responses=_ACTION_ERRORS,
    )

    async def act(id: str, action: Callable[[Room], Room]) -> dict[str, Any]:
        now = store.clock()  # a player's time ends here, and not when the file is free
        state = await in_thread(lambda: store.change(id, action, now=now).to_json())
        updates.notify(id)
        timekeeper.wake()
        return state

    @routes.post(
        "",
        status_code=201,
        response_model=SeatResponse,
        response_model_exclude_unset=True,
        responses=error_responses(*_BODY_ERRORS, 429, 503) | _CONFLICT,
    )
    async def open_room(body: OpenRoomRequest, request: Request, secret: SeatSecret) -> Any:
        """Open a room for a game and take a seat in it. The same secret opens it only once."""
        client = client_of(request)
        name = clean_name(body.name)
        clock = body.clock
        control = None if clock is None else TimeControl(clock.initial, clock.increment)

        def opened() -> dict[str, Any]:
            game, side = read.unfinished(body.game), Player(body.side)
            return store.open(game, side, secret, client, control=control, name=name).to_json()

        return {"seat": "host", "secret": secret, "state": await in_thread(opened)}

    @routes.get(
        "/{room}",
        response_model=RoomResponse,
        response_model_exclude_unset=True,
        responses=error_responses(404, 503),
    )
    async def look(room: str) -> Any:
        """Return the current state of a room."""
        return await in_thread(lambda: store.find(room).to_json())

    @routes.post(
        "/{room}/seats",
        response_model=SeatResponse,
        response_model_exclude_unset=True,
        responses=error_responses(*_BODY_ERRORS, 404, 503) | _CONFLICT,
    )
    async def take_seat(room: str, body: SeatRequest, secret: SeatSecret) -> Any:
        """Take the free seat. Repeating the request with the same secret returns the same seat."""
        seat: list[Seat | None] = []
        name = clean_name(body.name)

        def sit(before: Room) -> Room:
            after = before.sit(secret, name)
            seat.append(after.seat_of(secret))
            return after

        state = await act(room, sit)
        return {"seat": seat[0], "secret": secret, "state": state}

    @post_action("/{room}/moves")
    async def move(room: str, body: RoomMoveRequest, secret: Secret) -> Any:
        """Make a move. Repeating the request changes nothing."""
        fields = body.model_dump()
        return await act(room, lambda it: it.play(secret, **fields))

    @post_action("/{room}/resignation")
    async def resign(room: str, body: RoundRequest, secret: Secret) -> Any:
        """Resign this round."""
        return await act(room, lambda it: it.resign(secret, round=body.round))

    @post_action("/{room}/rematch")
    async def rematch(room: str, body: RoundRequest, secret: Secret) -> Any:
        """Agree to another round with sides swapped; it begins once both seats agree."""
        return await act(room, lambda it: it.rematch(secret, round=body.round))

    @post_action("/{room}/name")
    async def rename(room: str, body: NameRequest, secret: Secret) -> Any:
        """Change your name, or take it away with an empty one."""
        name = clean_name(body.name)
        return await act(room, lambda it: it.rename(secret, name))

    @post_action("/{room}/greetings", responses=_ACTION_ERRORS | error_responses(429))
    async def greet(room: str, body: GreetingRequest, secret: Secret) -> Any:
        """Say one of a few things to the other player, every five seconds at most."""
        return await act(room, lambda it: it.greet(secret, body.greeting))

    @routes.get(
        "/{room}/events",
        response_class=StreamingResponse,
        responses=error_responses(404, 429, 503) | {200: _EVENTS},
    )
    async def events(
        room: str,
        request: Request,
        last_event_id: Annotated[str, Header(description="the last version seen")] = "",
    ) -> Any:
        """Stream the state of a room: the current one unless it was seen, then every change.

        While a clock runs, the state also comes without a change, to set the clocks that are seen.
        """
        await in_thread(store.find, room)  # an unknown room is an ordinary error response
        seen = int(last_event_id) if re.fullmatch(r"[0-9]{1,18}", last_event_id) else None
        states = updates.listen(room, seen, request.app.state.closing)
        return StreamingResponse(
            _stream(states), media_type="text/event-stream", headers=STREAM_HEADERS
        )

    return routes


async def _stream(states: AsyncIterator[State | None]) -> AsyncIterator[str]:
    """Write states as server-sent events.

    Silence is an event too, not a comment: its absence shows a page that the connection is
    broken, which it could not notice otherwise after a laptop slept.
    """
    yield "retry: 2000\n\n"
    try:
        async for state in states:
            if state is None:
                yield server_sent_event("silence", "null")
            else:
                version, data = state
                yield server_sent_event("room", data, version)
    except ApiError as error:
        yield server_sent_event("error", json.dumps(error.to_json()))
