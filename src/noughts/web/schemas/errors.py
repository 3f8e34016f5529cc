"""The JSON of errors, and how a route documents the errors that it may answer with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from noughts.web.errors import CODES

__all__ = ["ErrorResponse", "error_responses"]


class ErrorPlace(BaseModel):
    """Where the fault is: a field of the request, and a character of its text."""

    field: str | None = Field(None, examples=["game"])
    offset: int | None = Field(None, examples=[12])


class ErrorDetail(BaseModel):
    """What went wrong."""

    code: str = Field(examples=["notation"])
    message: str = Field(examples=["move 3: b2 (cell 4) is taken by X"])
    place: ErrorPlace


class ErrorResponse(BaseModel):
    """The one shape of all errors."""

    error: ErrorDetail


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return how these statuses are documented, and 500, which every address may answer with."""
    return {
        status: {"model": ErrorResponse, "description": f"{CODES[status][1].capitalize()}."}
        for status in sorted({*statuses, 500})
    }
