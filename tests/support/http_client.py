"""A client of the HTTP API for tests: responses as data, and errors only in their one shape."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from noughts.web.settings import Settings
from support.http_server import serving

__all__ = ["Client", "asking", "events", "problem"]


@contextmanager
def asking(settings: Settings | None = None) -> Iterator[Client]:
    """Serve with these settings, and yield a client."""
    with serving(settings) as url, httpx.Client(base_url=url, timeout=60, trust_env=False) as http:
        yield Client(http)


class Client:
    """A client whose requests must succeed, unless an error is expected."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def ask(self, what: str, **question: Any) -> Any:
        """Return the result of a request."""
        response = self.post(what, **question)
        assert response.status_code == 200, response.text
        assert response.headers["Content-Type"] == "application/json"
        return response.json()

    def post(self, what: str, **question: Any) -> httpx.Response:
        """Return the response to a request, whatever its status."""
        return self.http.post(f"/api/{what}", json=question)

    def refused(self, what: str, **question: Any) -> tuple[int, dict[str, Any]]:
        """Return the status and the error of a request that must fail."""
        return problem(self.post(what, **question))


def problem(response: httpx.Response) -> tuple[int, dict[str, Any]]:
    """Return the status and the error of a response, which must have the one shape."""
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    error: dict[str, Any] = body["error"]
    assert body == {"error": error}
    assert error.keys() == {"code", "message", "place"}
    assert error["place"].keys() == {"field", "offset"}
    assert error["message"]
    assert "Traceback" not in error["message"]
    return response.status_code, error


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Yield the events of a stream."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
        else:
            assert line == ""
