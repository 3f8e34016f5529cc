"""What a link to the page shows where it is posted, pictures for it, and boards for other sites."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from noughts import Game, puzzles
from noughts.drawing.png import draw_png
from noughts.web.app import create_app
from noughts.web.middleware import HEADERS
from noughts.web.settings import Settings
from support.http_client import Client, asking, problem

TAG = re.compile(r'<meta (?:property|name)="((?:og|twitter):[^"]+|robots)" content="([^"]*)">')


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking(Settings(board_cells=200)) as client:
        yield client


def tags(response: httpx.Response) -> dict[str, str]:
    return {name: unescape(content) for name, content in TAG.findall(response.text)}


def shared(client: Client, **fields: str) -> dict[str, str]:
    """Return the tags of a link that leads somewhere."""
    response = client.http.get("/", params=fields)
    assert response.status_code == 200
    found = tags(response)
    assert found["twitter:card"] == "summary_large_image"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    picture = client.http.get(found["og:image"])  # an absolute address
    assert picture.status_code == 200
    assert picture.headers["Content-Type"] == "image/png"
    assert client.http.get(found["og:url"]).status_code == 200
    return found


# -- previews --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "title", "about"),
    [
        ("3x3x3", "Tic-tac-toe: X to move", "Play on, or see what every move is worth."),
        (
            "4x5x3 b2",
            "Tic-tac-toe on 4 × 5, three in a row: O to move",
            "After 1 move. Play on, or see what every move is worth.",
        ),
        (
            "3x3x3 a1 a2 b1 b2 c1",
            "Tic-tac-toe: X wins",
            "After 5 moves. See what every move is worth.",
        ),
        (
            "ultimate-open ee ea | aa",
            "Ultimate, won boards stay open: X to move in board a (top left)",
            "After 2 moves. Play on, or see what every move is worth.",
        ),
    ],
)
def test_a_game_is_shown_by_its_link(client: Client, game: str, title: str, about: str) -> None:
    found = shared(client, game=game)
    assert (found["og:title"], found["og:description"]) == (title, about)
    assert "robots" not in found
    record = Game.parse(game)
    diagram = record.position.diagram(last=record.last_move)
    assert client.http.get(found["og:image"]).content == draw_png(diagram)


def test_the_page_itself_has_a_preview(client: Client) -> None:
    assert shared(client)["og:title"].startswith("noughts: ")
    assert shared(client, other="field") == shared(client)


def test_a_puzzle_is_shown_without_its_solution(client: Client) -> None:
    puzzle = puzzles.daily("2026-01-01")
    found = shared(client, puzzle=puzzle.id)
    assert found["og:title"] == f"Puzzle: {puzzle.title}"
    diagram = puzzle.game.position.diagram(last=puzzle.game.last_move)
    assert client.http.get(found["og:image"]).content == draw_png(diagram)


def test_a_room_invites_and_is_for_no_search_engine(client: Client) -> None:
    body = {"game": "ultimate", "side": "O", "clock": {"initial": 90, "increment": 2}}
    room = client.http.post("/api/rooms", json={**body, "name": "Zaphod"}).json()["state"]["room"]
    found = shared(client, room=room)
    assert found["og:title"] == "Play with me: Ultimate tic-tac-toe"
    about = "You are X. 1.5+2 on the clock. Open the link to take your seat."
    assert found["og:description"] == about
    assert found["robots"] == "noindex"
    client.http.post(f"/api/rooms/{room}/seats", json={"name": "Ford"})
    page = client.http.get("/", params={"room": room})
    assert tags(page)["og:title"] == "Two friends play: Ultimate tic-tac-toe"
    assert "Zaphod" not in page.text, "names are for those in the room"


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"game": "3x3x3 b2 b2"}, 422, "b2"),
        ({"game": ""}, 422, ""),
        ({"game": "999x999x5"}, 422, "200 cells"),
        ({"game": "X" * 20_001}, 413, "20,000"),
        ({"room": "nope"}, 404, "no such room"),
        ({"puzzle": "nope"}, 404, "no puzzle"),
        ({"game": "3x3x3", "room": '"><script>'}, 404, "no such room"),
    ],
)
def test_a_link_to_nothing(client: Client, fields: dict[str, str], status: int, said: str) -> None:
    response = client.http.get("/", params=fields)
    assert response.status_code == status
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    found = tags(response)
    assert found["robots"] == "noindex"
    assert said in found["og:description"]
    assert "<script>" not in response.text
    assert 'id="board"' in response.text, "the page is there, and says the same"
    assert client.http.head("/", params=fields).status_code == status


def test_the_address_of_the_server_is_the_one_that_was_asked(client: Client) -> None:
    response = client.http.get("/", headers={"Host": "games.example.org"})
    assert tags(response)["og:url"] == "http://games.example.org/"
    hostile = client.http.get("/?game=3x3x3", headers={"Host": '"><script>alert(1)</script>'})
    assert "<script>alert" not in hostile.text

    async def behind_a_prefix() -> str:
        app = Starlette(routes=[Mount("/games", create_app())])
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="https://test") as http:
            found = tags(await http.get("/games/?game=3x3x3"))
            assert (await http.get(found["og:image"])).status_code == 200
            return found["og:url"]

    assert asyncio.run(behind_a_prefix()) == "https://test/games/?game=3x3x3"


def test_a_page_with_a_preview_is_validated_like_others(client: Client) -> None:
    first = client.http.get("/?game=3x3x3")
    assert first.headers["Cache-Control"] == "no-cache"
    known = {"If-None-Match": first.headers["ETag"]}
    assert client.http.get("/?game=3x3x3", headers=known).status_code == 304
    assert client.http.get("/?game=3x3x3+b2", headers=known).status_code == 200
    bad = client.http.get("/?game=zz")
    again = client.http.get("/?game=zz", headers={"If-None-Match": bad.headers["ETag"]})
    assert again.status_code == 422


# -- pictures ----------------------------------------------------------------------------------


def test_pictures_may_be_shown_and_kept_by_others(client: Client) -> None:
    response = client.http.get("/api/draw.png?game=3x3x3+b2&theme=dark")
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "max-age" in response.headers["Cache-Control"]
    diagram = Game.parse("3x3x3 b2").position.diagram(last=4)
    assert response.content == draw_png(diagram, theme="dark")
    assert client.http.get("/api/draw.png?game=XXX/OOO/...").status_code == 200, "impossible boards"


@pytest.mark.parametrize(
    ("query", "status"),
    [("", 422), ("game=zz", 422), ("game=3x3x3&theme=sepia", 422), ("game=99x99x5", 422)],
)
def test_pictures_of_nothing(client: Client, query: str, status: int) -> None:
    assert problem(client.http.get(f"/api/draw.png?{query}"))[0] == status


# -- boards for other sites --------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    ["game=4x4x3+b2+a1+|+c3", "game=ultimate&theme=dark", "game=XXX/OOO/...", "game=3x3x3+zz", ""],
)
def test_an_embedded_board_needs_nothing_and_may_be_framed(client: Client, query: str) -> None:
    response = client.http.get(f"/embed?{query}")
    assert response.status_code == (422 if query in ("", "game=3x3x3+zz") else 200)
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = dict(
        part.strip().split(" ", 1)
        for part in response.headers["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "*",
    }
    for part in ("<script", " src=", "<link", "url("):
        assert part not in response.text
    assert len(response.content) < 40_000
    assert client.http.head(f"/embed?{query}").status_code == response.status_code


def test_all_else_cannot_be_framed(client: Client) -> None:
    paths = ["/", "/?game=3x3x3", "/docs", "/learn/", "/api/health", "/embedded"]
    paths += ["/api/draw.svg?game=3x3x3", "/api/draw.png?game=3x3x3"]
    for path in paths:
        policy = client.http.get(path).headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, path
    assert "frame-ancestors 'none'" in HEADERS["Content-Security-Policy"]


def test_the_steps_of_an_embedded_board(client: Client) -> None:
    page = client.http.get("/embed", params={"game": "3x3x3 b2 a1 | c3", "theme": "dark"}).text
    steps = {
        name: unescape(link)
        for link, name in re.findall(r'<a href="([^"]+)" aria-label="([^"]+)"', page)
    }
    assert steps.keys() == {"First position", "Back", "Forward", "Last position"}
    games = {name: httpx.URL(link).params["game"] for name, link in steps.items()}
    assert games == {
        "First position": "3x3x3 | b2 a1 c3",
        "Back": "3x3x3 b2 | a1 c3",
        "Forward": "3x3x3 b2 a1 c3",
        "Last position": "3x3x3 b2 a1 c3",
    }
    assert {httpx.URL(link).params["theme"] for link in steps.values()} == {"dark"}
    assert "<nav" not in client.http.get("/embed?game=3x3x3").text


def test_an_embedded_board_points_at_a_fault(client: Client) -> None:
    page = client.http.get("/embed", params={"game": "3x3x3 <b> a1"}).text
    assert "<code>3x3x3 <mark>&lt;</mark>b&gt; a1</code>" in page
    assert "a theme is one of" in client.http.get("/embed?game=3x3x3&theme=sepia").text.lower()
