"""What the rules answer over HTTP is what the library says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Board, Game, __version__, judge, start
from noughts.drawing import draw_svg
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS
from noughts.rules.symmetry import Symmetry
from noughts.rules.ultimate import Variant
from noughts.views import view
from noughts.web.settings import Settings
from support.http_client import Client, asking, problem
from support.oracle import simulate, simulate_ultimate
from support.strategies import Drawn, board_of, drawn_boards, mangled, records, vectors

LIMITS = (
    *("max_seconds", "max_nodes", "workers", "per_client"),
    *("body_bytes", "text_length", "board_cells", "page_size"),
)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def test_the_server_is_there(client: Client) -> None:
    assert client.http.get("/api/health").json() == {"status": "ok"}


def test_the_version_comes_with_the_limits_and_the_levels(client: Client) -> None:
    found = client.http.get("/api/version").json()
    assert found["version"] == __version__
    assert found["limits"] == {name: getattr(Settings(), name) for name in LIMITS}
    for kind, levels in (("grid", GRID_LEVELS), ("ultimate", ULTIMATE_LEVELS)):
        about = {name: level.about for name, level in levels.items()}
        assert {level["name"]: level["about"] for level in found["levels"][kind]} == about
        assert [level["name"] for level in found["levels"][kind]] == list(levels)
    assert [Variant.parse(name) for name in found["variants"]] == [Variant(n) for n in range(4)]


# -- verdicts ----------------------------------------------------------------------------


@given(drawn_boards())
@settings(max_examples=60, deadline=None)
def test_verdicts_are_those_of_the_library(client: Client, drawn: Drawn) -> None:
    board = board_of(*drawn)
    expected = {"grid": str(board.grid), **judge(board).to_json()}
    assert client.ask("verdict", board=board.text) == expected


@pytest.mark.parametrize("case", vectors("state.json"), ids=str)
def test_known_verdicts(client: Client, case: dict[str, Any]) -> None:
    assert client.ask("verdict", board="/".join(case["board"]))["verdict"] == case["state"]


@pytest.mark.parametrize(
    ("board", "code", "offset"),
    [
        ("XX?/OO./...", "notation", 2),
        ("3x3x3:XX?/OO./...", "notation", 8),
        ("XX/OO./...", "notation", 3),
        ("", "notation", None),
        ("4x4x3:XX./OO./...", "notation", 6),
        ("ultimate", "notation", 0),
        ("0x3x3:", "notation", 0),
    ],
)
def test_boards_that_cannot_be_read(
    client: Client, board: str, code: str, offset: int | None
) -> None:
    status, error = client.refused("verdict", board=board)
    assert (status, error["code"]) == (422, code)
    assert error["place"] == {"field": "board", "offset": offset}


# -- positions ---------------------------------------------------------------------------


@given(records())
@settings(max_examples=40, deadline=None)
def test_positions_are_views(client: Client, game: Game[Any]) -> None:
    assert client.ask("position", game=game.text) == view(game)


@given(records())
@settings(max_examples=40, deadline=None)
def test_symmetric_images_are_the_position_under_every_symmetry(
    client: Client, game: Game[Any]
) -> None:
    position = game.position
    found = client.ask("twins", game=game.text)
    assert found["position"] == position.text
    assert found["canonical"] == position.canonical().text
    texts = [twin["position"] for twin in found["twins"]]
    assert found["distinct"] == len(set(texts))
    assert position.text in texts
    for twin in found["twins"]:
        assert twin["position"] == position.transformed(Symmetry[twin["symmetry"].upper()]).text
        assert twin["is_same"] == (twin["position"] == position.text)


def test_an_oblong_has_four_images_and_ultimate_eight(client: Client) -> None:
    assert len(client.ask("twins", game="3x4x3 a1")["twins"]) == 4
    assert client.ask("twins", game="ultimate ab")["distinct"] == 8


@given(mangled(records().map(lambda game: game.text)))
@settings(max_examples=100, deadline=None)
def test_damaged_games_are_read_or_the_damage_is_shown(client: Client, text: str) -> None:
    for what in ("position", "twins"):
        response = client.post(what, game=text)
        if response.status_code == 200:
            assert response.json()["position"] == Game.parse(text).position.text
            continue
        status, error = problem(response)
        assert status == 422
        assert error["place"]["field"] == "game"
        assert 0 <= (error["place"]["offset"] or 0) <= len(text)


# -- replays -----------------------------------------------------------------------------

texts = st.lists(
    st.sampled_from(["0,0,X", "0,1,O", "1,1,X", "0,2,O", "2,2,X", "0,0,0,0,X", "0,0,1,1,O", "?"])
    | st.text(max_size=8),
    max_size=20,
)


@given(texts)
@settings(max_examples=40, deadline=None)
def test_replays_are_those_of_the_oracle(client: Client, moves: list[str]) -> None:
    for game, oracle in (("3x3x3", simulate), ("ultimate", simulate_ultimate)):
        found = client.ask("replay", game=game, moves=moves)
        assert found["result"] == oracle(moves)
        assert "".join("01"[accepted] for accepted in found["accepted"]) == found["result"][0]
        assert str(found["winner"]) == found["result"][1]
        assert found["rows"] == found["result"][-len(found["rows"]) :]


def test_moves_may_be_lists(client: Client) -> None:
    found = client.ask("replay", game="3x3x3", moves=[[0, 0, "X"], [1, 1, "O"], [0, 0, "O"], [9]])
    assert found["accepted"] == [True, True, False, False]
    found = client.ask("replay", game="ultimate", moves=[[0, 0, 1, 2, "X"], [1, 2, 0, 0, "O"]])
    assert found["accepted"] == [True, True]
    assert found["next"] == "0,0"


# -- pictures ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3x3x3 b2 a1", "ultimate ee ea", "4x4x3", "XXX/OO./..."])
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_a_picture_is_that_of_the_library(client: Client, text: str, theme: str) -> None:
    response = client.http.get("/api/draw.svg", params={"game": text, "theme": theme})
    game = Game.parse(text)
    assert response.text == draw_svg(game.position.diagram(last=game.last_move), theme=theme)
    assert response.headers["Content-Type"].startswith("image/svg+xml")


def test_an_impossible_board_can_be_drawn(client: Client) -> None:
    response = client.http.get("/api/draw.svg", params={"game": "XXX/OOO/..."})
    assert response.status_code == 200
    title = ElementTree.fromstring(response.text).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == "3x3x3, invalid"
    assert Board.parse("XXX/OOO/...").text


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({}, "game"),
        ({"game": "3x3x3 b2 b2"}, "game"),
        ({"game": "ultimate:X;XXX......;" + "/".join(["........."] * 9)}, "game"),
        ({"game": "3x3x3", "theme": "pink"}, "theme"),
    ],
)
def test_pictures_that_cannot_be_drawn(
    client: Client, question: dict[str, str], field: str
) -> None:
    status, error = problem(client.http.get("/api/draw.svg", params=question))
    assert status == 422
    assert error["place"]["field"] == field


def test_a_picture_may_bring_its_style_and_nothing_else(client: Client) -> None:
    policy = client.http.get("/api/draw.svg?game=3x3x3").headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


# -- limits ------------------------------------------------------------------------------

MOST = Settings().board_cells


def test_a_list_of_moves_is_not_a_large_board(client: Client) -> None:
    status, error = problem(client.post("position", game="ultimate" + " ee" * 3000))
    assert (status, error["code"]) == (422, "notation")
    assert error["place"] == {"field": "game", "offset": len("ultimate ee ")}


@pytest.mark.parametrize("what", ["position", "twins", "analyse", "count", "games", "review"])
@pytest.mark.parametrize(
    "text",
    [
        "1000000000x1000000000x5",
        f"1x{MOST + 1}x3 a1",
        f"\t{MOST + 1}x1x1,a1",
        f"{10**99}x{10**99}x3",
        "/".join(["X" * 100] * (MOST // 100 + 1)),
    ],
    ids=lambda text: text[:20],
)
def test_boards_that_are_too_large(client: Client, what: str, text: str) -> None:
    status, error = client.refused(what, game=text)
    assert status == 422
    assert error["code"] == "size"
    assert error["place"]["field"] == "game"
    assert len(error["message"]) < 500


def test_the_largest_board_is_fine(client: Client) -> None:
    seen = client.ask("position", game=f"50x{MOST // 50}x5 a1 b2")
    assert len(seen["cells"]) == MOST
    assert client.ask("verdict", board="/".join(["." * 50] * (MOST // 50)))["verdict"] == "X_turn"


def test_texts_that_are_too_long(client: Client) -> None:
    for what, name in (("position", "game"), ("verdict", "board"), ("analyse", "game")):
        status, error = client.refused(what, **{name: "3x3x3 " * 5000})
        assert (status, error["code"]) == (413, "too_large")
        assert error["place"]["field"] == name
    status, error = problem(client.http.get("/api/draw.svg", params={"game": "3" * 20_001}))
    assert (status, error["code"]) == (413, "too_large")


def test_a_game_to_start_with_is_in_every_answer(client: Client) -> None:
    assert client.ask("position", game="ultimate-open")["start"] == start("ultimate-open").game
