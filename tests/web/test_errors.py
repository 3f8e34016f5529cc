"""Every error has one shape, a documented code, and a place where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts import errors
from noughts.errors import NoughtsError
from noughts.web.errors import CODES, ApiError, api_error, code_of, field
from noughts.web.handlers import error_response
from support.http_client import Client, asking, problem

HTTP_MD = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def test_addresses_that_are_not_there(client: Client) -> None:
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
        for path in ("/nothing", "/api/nothing", "/api", "/api/", "/api/verdict/", "/api/games/1"):
            status, error = problem(client.http.request(method, path))
            assert (status, error["code"]) == (404, "not_found")


def test_methods_that_an_address_does_not_take(client: Client) -> None:
    for method, path, allowed in (
        ("GET", "/api/verdict", "POST"),
        ("DELETE", "/api/analyse", "POST"),
        ("POST", "/api/health", "GET"),
        ("PUT", "/", "GET, HEAD"),
    ):
        response = client.http.request(method, path)
        status, error = problem(response)
        assert (status, error["code"]) == (405, "method")
        assert response.headers["Allow"] == allowed


def test_a_field_is_named_also_inside_of_lists(client: Client) -> None:
    _, error = client.refused("replay", game="3x3x3", moves=["0,0,X", {"row": 0}])
    assert error["place"]["field"] == "moves.1"
    _, error = client.refused("replay", game="3x3x3", moves=[["0", 0, "X"], [0, 1.5, "O"]])
    assert error["place"]["field"] == "moves.1"
    _, error = client.refused("replay", game="3x3x3")
    assert error["place"]["field"] == "moves"
    _, error = client.refused("games", game="3x3x3", first="-1")
    assert error["place"]["field"] == "first"


def test_library_errors_are_errors_of_the_request_or_of_the_server() -> None:
    found = {}
    for name in errors.__all__:
        kind = getattr(errors, name)
        if kind is not NoughtsError:
            found[name] = code_of(kind.__new__(kind))
    of_the_server = {name for name, code in found.items() if code is None}
    assert found["NotationError"] == "notation"
    assert found["IllegalMove"] == "illegal_move"
    assert found["InvalidPosition"] == "invalid_position"
    assert found["SizeError"] == "size"
    assert found["LimitExceeded"] == "limit"
    assert of_the_server == {
        *("CheckpointError", "CountMismatch", "DataSetError", "Forfeit", "MissingExtra"),
        "ProofError",
        *("StoreError", "TableError"),
    }


def test_an_error_knows_its_place() -> None:
    with pytest.raises(ApiError) as caught, field("board"):
        raise errors.NotationError("no such mark", "X?", 1)
    assert caught.value.to_json() == {
        "error": {
            "code": "notation",
            "message": "no such mark",
            "place": {"field": "board", "offset": 1},
        }
    }
    assert caught.value.status == 422


def test_errors_of_the_server_are_in_the_log_only(caplog: pytest.LogCaptureFixture) -> None:
    problem = api_error(errors.TableError("/some/where/3x3x3.noughts is damaged"))
    assert problem.status == 500
    assert "where" not in problem.message
    assert "/some/where" in caplog.text


def test_half_a_character_in_a_message_is_escaped() -> None:
    assert bytes(error_response(ApiError(422, "\ud800")).body).decode("ascii")


@pytest.mark.parametrize("status", sorted(CODES))
def test_every_status_is_documented(status: int) -> None:
    code, _ = CODES[status]
    row = re.search(rf"^\| {status} \| (.*?) \|", HTTP_MD, flags=re.MULTILINE)
    assert row, f"docs/http.md lacks {status}"
    assert f"`{code}`" in row.group(1)


def test_every_code_of_a_request_is_documented() -> None:
    row = re.search(r"^\| 422 \| (.*?) \|", HTTP_MD, flags=re.MULTILINE)
    assert row
    codes = set(re.findall(r"`(\w+)`", row.group(1)))
    assert codes == {"notation", "illegal_move", "invalid_position", "size", "limit", "validation"}
