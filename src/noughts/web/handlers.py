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
    """Register a handler for each kind of exception."""

    @app.exception_handler(ApiError)
    async def of_api(request: Request, error: ApiError) -> Response:
        return error_response(error)

    @app.exception_handler(NoughtsError)
    async def of_library(request: Request, error: NoughtsError) -> Response:
        return error_response(api_error(error))

    @app.exception_handler(RequestValidationError)
    async def of_validation(request: Request, error: RequestValidationError) -> Response:
        return error_response(_from_validation(error))

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: HTTPException) -> Response:
        return error_response(ApiError(error.status_code, headers=error.headers))


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
