"""Errors as responses: every exception that the application raises gets the one shape."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from noughts.errors import NoughtsError
from noughts.web.errors import ApiError, api_error

__all__ = ["error_response", "handle_errors"]


def error_response(error: ApiError) -> Response:
    """Return an error as a response. It is ASCII, as a message may quote half a surrogate pair."""
    return Response(json.dumps(error.to_json()), error.status, error.headers, "application/json")


def handle_errors(app: FastAPI) -> None:
    """Register the handler of each kind of exception."""

    async def respond(request: Request, error: Exception) -> Response:
        return error_response(_api_error(error))

    for kind in (ApiError, NoughtsError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, respond)


def _api_error(error: Exception) -> ApiError:
    if isinstance(error, NoughtsError):
        return api_error(error)
    if isinstance(error, RequestValidationError):
        return _from_validation(error)
    if isinstance(error, HTTPException):
        return ApiError(error.status_code, headers=error.headers)
    assert isinstance(error, ApiError)
    return error


def _from_validation(error: RequestValidationError) -> ApiError:
    first = error.errors()[0]
    where: Sequence[str | int] = first["loc"]
    if first["type"] == "json_invalid":
        reason = first["ctx"]["error"]
        return ApiError(400, f"the body is not valid JSON: {reason}", offset=int(where[1]))
    if where[0] == "body" and first["type"] != "missing":
        name = _path(where[1:], error.body)
    else:
        name = ".".join(map(str, where[1:]))
    return ApiError(422, f"{name or 'the body'}: {first['msg']}", field=name or None)


def _path(where: Sequence[str | int], body: Any) -> str:
    """Return the path of a field in a body, without the types that pydantic tried for it."""
    parts: list[str] = []
    for part in where:
        if isinstance(part, str) and not (isinstance(body, dict) and part in body):
            break  # the name of a type
        body = body[part]
        parts.append(str(part))
    return ".".join(parts)
