"""The OpenAPI document is complete, and what it says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts.web.app import create_app
from noughts.web.errors import CODES
from noughts.web.settings import Settings
from support.cli_runner import clean_environment
from support.http_client import Client, asking
from support.http_server import serving

DOCUMENT = create_app(Settings()).openapi()
OPERATIONS = [
    (method, path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]
HTTP_MD = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")

# A text that is no game fits the schema, which knows strings only, and is refused with 422.
CHECKS = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 413, 422]
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking(Settings(ready=1, wait_seconds=60.0)) as client:
        yield client


def name(operation: Any) -> str:
    return operation["operationId"] if isinstance(operation, dict) else str(operation)


def test_the_document_is_served_as_it_is(client: Client) -> None:
    assert client.http.get("/api/openapi.json").json() == DOCUMENT


def test_every_question_is_in_the_documentation() -> None:
    for method, path, _ in OPERATIONS:
        assert f"`{method.upper()} {path}" in HTTP_MD


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=name)
def test_every_answer_is_described(method: str, path: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    answers = operation["responses"]
    assert "500" in answers
    for status, answer in answers.items():
        if status.startswith("2"):
            for media, content in answer["content"].items():
                described = "itemSchema" if media == "text/event-stream" else "schema"
                assert content[described]
            continue
        assert int(status) in CODES
        shape = answer["content"]["application/json"]["schema"]["$ref"]
        assert re.fullmatch(r"#/components/schemas/(Error|Conflict)Response", shape)
        assert ("Retry-After" in answer.get("headers", {})) == (status in ("429", "503"))
    if method == "post":
        assert {"400", "408", "413", "415", "422"} <= answers.keys()


def example(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the body that the document gives as an example."""
    shape = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return {
        name: about["examples"][0] if "examples" in about else about["default"]
        for name, about in shape["properties"].items()
        if {"examples", "default"} & about.keys()
    }


@pytest.mark.parametrize(
    ("path", "operation"),
    [
        (path, operation)
        for method, path, operation in OPERATIONS
        if method == "post" and "{" not in path
    ],
    ids=name,
)
def test_examples_are_good_ones(client: Client, path: str, operation: dict[str, Any]) -> None:
    body = example(operation["requestBody"]["content"]["application/json"]["schema"])
    if path == "/api/replay":
        body["game"] = "3x3x3"
    response = client.http.post(path, json=body)
    assert response.is_success, response.text


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "schemathesis.toml").write_text(CHECKS)
    with serving(Settings(max_seconds=0.2, ready=1, wait_seconds=60.0)) as url:
        # A stream of a room has no end, so it is asked for first, while no room is open.
        for streams in ("include", "exclude"):
            ran = subprocess.run(
                [
                    *(sys.executable, "-m", "schemathesis.cli"),
                    *("--config-file", "schemathesis.toml"),
                    *("run", f"{url}/api/openapi.json", "--checks", "all", "--seed", "1"),
                    *("--max-examples", "4", "--no-shrink", "--request-timeout", "60"),
                    *(f"--{streams}-path-regex", "/events$"),
                ],
                cwd=tmp_path,
                env={**clean_environment(), "PYTHONIOENCODING": "utf-8"},
                capture_output=True,
                encoding="utf-8",
            )
            assert ran.returncode == 0, ran.stdout + ran.stderr
            selected, total = map(int, re.findall(r"Selected: (\d+)/(\d+)", ran.stdout)[0])
            assert total == len(OPERATIONS)
            assert selected == (1 if streams == "include" else total - 1)
