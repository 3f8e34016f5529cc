"""What can go wrong with a request, in one shape: a code, a message, and the place of the fault.

::

    {"error": {"code": "notation", "message": "...", "place": {"field": "game", "offset": 12}}}

Workers raise these errors too, so this module needs the standard library only.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from noughts.errors import (
    IllegalMove,
    InvalidPosition,
    LimitExceeded,
    NotationError,
    NoughtsError,
    OutOfRange,
    SizeError,
)

__all__ = ["CODES", "NEEDS_COMPILED", "ApiError", "api_error", "code_of", "field"]

CODES: Mapping[int, tuple[str, str]] = {
    400: ("malformed", "the body is not valid JSON"),
    401: ("secret", "this needs the secret of a seat, as Authorization: Bearer SECRET"),
    403: ("forbidden", "this secret does not allow that"),
    404: ("not_found", "there is nothing at this address"),
    405: ("method", "this address does not take this method"),
    408: ("too_slow", "the body took too long to arrive"),
    409: ("conflict", "the room has changed since, or it is not your turn"),
    413: ("too_large", "the body, or the text of a game, is longer than allowed"),
    415: ("media_type", "the body must be application/json"),
    422: ("validation", "the request cannot be answered as it is"),
    429: ("too_many", "this client makes too many requests at once"),
    500: ("internal", "the server failed; nothing was changed"),
    503: ("busy", "all workers are busy"),
}
"""What a status means unless an error says otherwise: its code, and a sentence."""

_CODE_BY_ERROR: tuple[tuple[type[NoughtsError], str], ...] = (
    (NotationError, "notation"),
    (IllegalMove, "illegal_move"),
    (InvalidPosition, "invalid_position"),
    (SizeError, "size"),
    (OutOfRange, "size"),
    (LimitExceeded, "limit"),
)

NEEDS_COMPILED = "this needs the compiled code, which is ready in about a minute"
"""What a stand-in says of a task that it cannot do."""

_log = logging.getLogger("noughts.web")


class ApiError(Exception):
    """An error response. Its status gives the code and the message that are left out."""

    def __init__(
        self,
        status: int,
        message: str | None = None,
        *,
        code: str | None = None,
        field: str | None = None,
        offset: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        usual_code, usual_message = CODES.get(status) or _from_http(status)
        super().__init__(message or usual_message)
        self.status = status
        self.message = message or usual_message
        self.code = code or usual_code
        self.field = field
        self.offset = offset
        self.headers = dict(headers or {})

    def to_json(self) -> dict[str, Any]:
        """Return the error as plain data for JSON."""
        place = {"field": self.field, "offset": self.offset}
        return {"error": {"code": self.code, "message": self.message, "place": place}}

    def to_fields(self) -> dict[str, Any]:
        """Return the arguments that make an equal error, for a message between processes."""
        names = ("status", "message", "code", "field", "offset")
        return {name: getattr(self, name) for name in names}


def code_of(error: NoughtsError) -> str | None:
    """Return the code of a library error that a request can cause, or None for other errors."""
    return next((code for kind, code in _CODE_BY_ERROR if isinstance(error, kind)), None)


def api_error(error: NoughtsError, field: str | None = None) -> ApiError:
    """Return the error response for a library error caused by this field of the request."""
    code = code_of(error)
    if code is None:
        _log.error("%s", error)  # only in the log, as it may name files
        return ApiError(500)
    offset = error.offset if isinstance(error, NotationError) else None
    return ApiError(422, str(error), code=code, field=field, offset=offset)


@contextmanager
def field(name: str) -> Iterator[None]:
    """Blame this field of the request for library errors in the block."""
    try:
        yield
    except NoughtsError as error:
        raise api_error(error, name) from None


def _from_http(status: int) -> tuple[str, str]:
    phrase = HTTPStatus(status).phrase
    return phrase.lower().replace(" ", "_"), phrase
