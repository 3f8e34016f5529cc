"""The page's files: as they are, with the right type, and asked for again only when changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from noughts.web.pages import STATIC
from support.http_client import Client, asking, problem

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".ico": "image/x-icon",
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def test_every_file_is_served_as_what_it_is(client: Client) -> None:
    assert FILES
    for path in FILES:
        response = client.http.get(f"/{path.relative_to(STATIC).as_posix()}")
        assert response.status_code == 200
        assert response.content == path.read_bytes()
        assert response.headers["Content-Type"] == TYPES[path.suffix]


def test_the_page_is_at_the_root(client: Client) -> None:
    response = client.http.get("/")
    assert response.content == (STATIC / "index.html").read_bytes()
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_the_lessons_are_in_a_folder(client: Client) -> None:
    lessons = client.http.get("/learn/")
    assert lessons.content == (STATIC / "learn" / "index.html").read_bytes()
    assert lessons.headers["Cache-Control"] == "no-cache"
    without_slash = client.http.get("/learn", follow_redirects=False)
    assert without_slash.headers["Location"] == "learn/"  # as any proxy in front has it
    assert client.http.get("/learn", follow_redirects=True).content == lessons.content
    assert problem(client.http.post("/learn"))[0] == 405
    assert problem(client.http.get("/learn/none.html"))[0] == 404
    assert problem(client.http.get("/css"))[0] == 404  # a folder without a page


def test_a_file_that_did_not_change_is_not_sent_again(client: Client) -> None:
    first = client.http.get("/index.html")
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.http.get("/index.html", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["Cache-Control"] == "no-cache"
    other = client.http.get("/index.html", headers={"If-None-Match": '"other"'})
    assert other.content == first.content


def test_the_head_of_a_file(client: Client) -> None:
    response = client.http.head("/")
    assert response.status_code == 200
    assert response.content == b""
    assert int(response.headers["Content-Length"]) == len(client.http.get("/").content)


@pytest.mark.parametrize(
    "path",
    ["/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "//app.py", "/static/", "/.", "/\\..\\app.py"],
)
def test_nothing_else_is_served(client: Client, path: str) -> None:
    response = client.http.get(path)
    assert b"create_app" not in response.content
    if response.status_code != 200:  # clients may take "/." for "/"
        assert problem(response)[0] == 404
