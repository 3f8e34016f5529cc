"""Everything that goes wrong, in one shape: a code, a message, and the place of the fault.

::

    {"error": {"code": "notation", "message": "...", "place": {"field": "game", "offset": 12}}}
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from noughts.errors import NotationError, NoughtsError
from noughts.web.codes import CODES, code_of

__all__ = ["Problem", "ProblemAnswer", "field", "handle_problems", "problem_of", "responses"]

_log = logging.getLogger("noughts.web")


class Place(BaseModel):
    """Where the fault is: a field of the question, and a character of its text."""

    field: str | None = Field(None, examples=["game"])
    offset: int | None = Field(None, examples=[12])


class ProblemBody(BaseModel):
    """What went wrong."""

    code: str = Field(examples=["notation"])
    message: str = Field(examples=["move 3: b2 (cell 4) is taken by X"])
    place: Place


class ProblemAnswer(BaseModel):
    """The one shape of all errors."""

    error: ProblemBody


class Problem(Exception):
    """An answer that is an error. What is left out is what its status usually means."""

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
        """Return the problem as plain data for JSON."""
        place = {"field": self.field, "offset": self.offset}
        return {"error": {"code": self.code, "message": self.message, "place": place}}

    def response(self) -> Response:
        """Return the problem as an answer; escaped, as a message may quote half a character."""
        body = json.dumps(self.to_json())
        return Response(body, self.status, self.headers, "application/json")


def problem_of(error: NoughtsError, field: str | None = None) -> Problem:
    """Return what an error of the library is to somebody who asked."""
    code = code_of(error)
    if code is None:
        _log.error("%s", error)  # which may name files, and is nobody else's business
        return Problem(500)
    offset = error.offset if isinstance(error, NotationError) else None
    return Problem(422, str(error), code=code, field=field, offset=offset)


@contextmanager
def field(name: str) -> Iterator[None]:
    """Say of errors in this block that this field of the question is at fault."""
    try:
        yield
    except NoughtsError as error:
        raise problem_of(error, name) from None


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return how these statuses are documented, beside those that every address may give."""
    return {
        status: {"model": ProblemAnswer, "description": f"{CODES[status][1].capitalize()}."}
        for status in sorted({*statuses, 500})
    }


def handle_problems(app: FastAPI) -> None:
    """Give everything that the application raises the one shape."""

    @app.exception_handler(Problem)
    async def of_ours(request: Request, error: Problem) -> Response:
        return error.response()

    @app.exception_handler(NoughtsError)
    async def of_library(request: Request, error: NoughtsError) -> Response:
        return problem_of(error).response()

    @app.exception_handler(RequestValidationError)
    async def of_fields(request: Request, error: RequestValidationError) -> Response:
        return _of_validation(error).response()

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: HTTPException) -> Response:
        return Problem(error.status_code, headers=error.headers).response()


def _of_validation(error: RequestValidationError) -> Problem:
    first = error.errors()[0]
    where = first["loc"][1:]  # without "body" or "query"
    if first["type"] == "json_invalid":
        return Problem(400, f"the body is no JSON: {first['ctx']['error']}", offset=where[0])
    name = ".".join(map(str, where)) or None
    return Problem(422, f"{name or 'the body'}: {first['msg']}", field=name)


def _from_http(status: int) -> tuple[str, str]:
    phrase = HTTPStatus(status).phrase
    return phrase.lower().replace(" ", "_"), phrase
