"""The OpenAPI document: what FastAPI derives from the routes, corrected where it guesses."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

__all__ = ["correct_document", "operation_id"]

_RETRY_AFTER = {
    "Retry-After": {
        "description": "The number of seconds after which to try again.",
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
_GUESSED = ("HTTPValidationError", "ValidationError")  # error shapes that are not used here


def operation_id(route: APIRoute) -> str:
    """Return the name of a method of an address, for generated clients."""
    words = re.findall(r"\w+", route.path.removeprefix("/api"))
    return "_".join([*(route.methods or ()), *words]).lower()


def correct_document(app: FastAPI) -> None:
    """Make the application's document correct and complete."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _correct(make())
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own way to do this


def _describe(operation: dict[str, Any]) -> None:
    """Make the first sentence of a description the summary, which is plain text."""
    first, _, rest = operation.get("description", "").partition(".")
    operation["summary"] = " ".join(first.replace("`", "").split())
    if rest.strip():
        operation["description"] = rest.strip()
    else:
        operation.pop("description", None)


def _correct(document: dict[str, Any]) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            _describe(operation)
            responses = operation["responses"]
            for response in responses.values():
                if _EVENTS in response.get("content", {}):
                    response["content"][_EVENTS] = {"itemSchema": _EVENT}
            for status in ("429", "503"):
                if status in responses:
                    responses[status]["headers"] = _RETRY_AFTER
            # FastAPI adds 422 also where no request can be invalid.
            if any(guess in str(responses.get("422")) for guess in _GUESSED):
                del responses["422"]
            # Where a secret is not needed, it is optional.
            if "security" in operation and "403" not in responses:
                operation["security"].append({})
    for guess in _GUESSED:
        document["components"]["schemas"].pop(guess, None)
