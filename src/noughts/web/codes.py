"""The names of what goes wrong: by HTTP status, and by the library's errors."""

from __future__ import annotations

from collections.abc import Mapping

from noughts.errors import (
    IllegalMove,
    InvalidPosition,
    LimitExceeded,
    NotationError,
    NoughtsError,
    SizeError,
)

__all__ = ["CODES", "code_of"]

CODES: Mapping[int, tuple[str, str]] = {
    400: ("malformed", "the body is no JSON"),
    401: ("secret", "this needs the secret of a seat, as Authorization: Bearer SECRET"),
    403: ("forbidden", "that is not yours to do"),
    404: ("not_found", "there is nothing at this address"),
    405: ("method", "this address does not take this method"),
    408: ("too_slow", "the body took too long to arrive"),
    409: ("conflict", "the game is further than you think, or it is not your turn"),
    413: ("too_large", "the body, or the text of a game, is longer than allowed"),
    415: ("media_type", "the body must be application/json"),
    422: ("validation", "the question cannot be answered as it is"),
    429: ("too_many", "one client asks for too much at once"),
    500: ("internal", "the server has a fault of its own; nothing was changed"),
    503: ("busy", "all workers are thinking"),
}
"""What a status means where nothing else is said: its code, and a sentence."""

_BY_ERROR: tuple[tuple[type[NoughtsError], str], ...] = (
    (NotationError, "notation"),
    (IllegalMove, "illegal_move"),
    (InvalidPosition, "invalid_position"),
    (SizeError, "size"),
    (LimitExceeded, "limit"),
)


def code_of(error: NoughtsError) -> str | None:
    """Return the code of an error that is the fault of the question, or None for ours."""
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), None)
