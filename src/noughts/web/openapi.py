"""The OpenAPI document: what FastAPI finds out by itself, put right where it guesses."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

__all__ = ["name_of", "put_right"]

_RETRY_AFTER = {
    "Retry-After": {
        "description": "After how many seconds to come back.",
        "schema": {"type": "integer", "minimum": 0},
    }
}
_EVENTS = "text/event-stream"
_EVENT = {
    "type": "object",
    "description": "A server-sent event; its data is JSON.",
    "required": ["data"],
    "properties": {
        "event": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
        "id": {"type": "string"},
        "retry": {"type": "integer"},
    },
}
_GUESSED = ("HTTPValidationError", "ValidationError")  # the shape of errors that is not ours


def name_of(route: APIRoute) -> str:
    """Return a name for an address and its method, for programs that are made from the document."""
    words = re.findall(r"\w+", route.path.removeprefix("/api"))
    return "_".join([*(route.methods or ()), *words]).lower()


def put_right(app: FastAPI) -> None:
    """Make the application's document say no more and no less than what is so."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _put_right(make())
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own way to do this


def _put_right(document: dict[str, Any]) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            answers = operation["responses"]
            for answer in answers.values():
                if _EVENTS in answer.get("content", {}):
                    answer["content"][_EVENTS] = {"itemSchema": _EVENT}
            for status in ("429", "503"):
                if status in answers:
                    answers[status]["headers"] = _RETRY_AFTER
            # Where nothing can be wrong with a question, FastAPI still assumes so.
            if any(guess in str(answers.get("422")) for guess in _GUESSED):
                del answers["422"]
            # A secret may be brought along also where none is needed.
            if "security" in operation and "403" not in answers:
                operation["security"].append({})
    for guess in _GUESSED:
        document["components"]["schemas"].pop(guess, None)
