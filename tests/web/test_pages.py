"""The page's files: as they are, compressed, and kept by browsers as long as they are current."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from noughts.web.app import create_app
from noughts.web.assets import STATIC, Assets, swagger_ui
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
LINK = re.compile(r'\b(?:href|src)="((?:\.\./)*(v-\w+)/([^"]+))"')
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def folder_of(page: str) -> str:
    """Return the folder that a page's files are in."""
    (folder,) = {found[1] for found in LINK.findall(page)}
    return str(folder)


def is_all_but_comments(served: bytes, path: Path) -> bool:
    """Whether a file is served as it is or, of scripts and style sheets, without some comments."""
    if path.suffix not in (".js", ".css"):
        return served == path.read_bytes()
    lines, source = served.decode().split("\n"), path.read_text().split("\n")
    assert len(lines) == len(source)
    blank = [at for at, line in enumerate(lines) if line != source[at]]
    assert blank
    inside = False  # a comment
    for at, text in enumerate(map(str.strip, source)):
        is_comment = inside or text.startswith(("//", "/*"))
        inside = (inside or text.startswith("/*")) and "*/" not in text
        if at in blank:
            assert is_comment, f"{path}:{at + 1}"
            assert lines[at] == ""
            assert text.startswith("//") or "*/" not in text or text.endswith("*/")
            # What looks like a comment would not be one in a text of several lines.
            assert "\n".join(lines[:at]).count("`") % 2 == 0
    return True


def test_every_file_is_served_as_what_it_is(client: Client) -> None:
    folder = folder_of(client.http.get("/").text)
    assert FILES
    for path in FILES:
        name = path.relative_to(STATIC).as_posix()
        response = client.http.get(f"/{name}")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == TYPES[path.suffix]
        assert response.headers["Cache-Control"] == "no-cache"
        versioned = client.http.get(f"/{folder}/{name}")
        if path.suffix in (".html", ".webmanifest") or name == "service-worker.js":
            assert problem(versioned)[0] == 404  # a page is never kept without asking
        else:
            assert response.content == versioned.content
            assert is_all_but_comments(response.content, path)
            assert versioned.headers["Content-Type"] == TYPES[path.suffix]
            assert versioned.headers["Cache-Control"] == FOR_EVER


def test_pages_name_the_folder_of_the_day(client: Client) -> None:
    for path in (path for path in FILES if path.suffix == ".html"):
        name = path.relative_to(STATIC).as_posix()
        text = client.http.get(f"/{name}").text
        links = LINK.findall(text)
        assert len({folder for _, folder, _ in links}) == 1
        for link, _, target in links:
            assert link.count("../") == name.count("/")  # behind any prefix
            assert client.http.get(f"/{folder_of(text)}/{target}").status_code == 200
        # Without the folder and its links it is the file, letter by letter.
        plain = re.sub(r'    <link rel="(modulepreload|stylesheet)" [^>]+>\n', "", text)
        source = re.sub(r'    <link rel="stylesheet" [^>]+>\n', "", path.read_text())
        assert plain.replace(f"{links[0][1]}/", "") == source


def test_style_sheets_become_one_in_their_order(client: Client) -> None:
    text = client.http.get("/").text
    (link,) = re.findall(r'<link rel="stylesheet" href="([^"]+)">', text)
    source = (STATIC / "index.html").read_text()
    parts = re.findall(r'<link rel="stylesheet" href="([^"]+)">', source)
    assert len(parts) > 5
    joined = client.http.get(f"/{link}")
    assert joined.text == "\n".join(client.http.get(f"/{part}").text for part in parts)
    assert joined.headers["Content-Type"] == TYPES[".css"]
    assert joined.headers["Cache-Control"] == FOR_EVER


def test_a_page_names_all_modules_that_its_scripts_import(client: Client) -> None:
    text = client.http.get("/").text
    named = set(re.findall(r'<(?:link rel="modulepreload" href|script src)="([^"]+)"', text))
    folder = folder_of(text)
    for name in sorted(named):
        source = client.http.get(f"/{name}").text
        for link in re.findall(r'^(?:import|\} from)[^"(]*"([^"]+)"', source, re.MULTILINE):
            target = (Path("/") / name).parent / link
            assert str(target.resolve()).removeprefix("/") in named, f"{link} in {name}"
    assert f"{folder}/js/state/session.js" in named
    assert f"{folder}/js/docs.js" not in named


def test_another_file_is_another_folder(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "index.html").write_text(
        '<head>\n    <script src="js/a.js" type="module"></script>\n  </head>'
    )
    (tmp_path / "js" / "a.js").write_text('import { b } from "./b.js";\n')
    (tmp_path / "js" / "b.js").write_text("export const b = 1;\n")
    assets = Assets(tmp_path)
    assert assets.is_current
    page = assets.find("index.html")
    assert page
    assert f'"modulepreload" href="{assets.folder}/js/b.js"' in page.content.decode()
    (tmp_path / "js" / "b.js").write_text("export const b = 23;\n")
    assert not assets.is_current
    assert Assets(tmp_path).folder != assets.folder
    assert Assets(tmp_path).find_versioned(f"{assets.folder}/js/b.js") is None
    (tmp_path / "js" / "b.js").unlink()
    assert not assets.is_current


def test_a_folder_of_another_day_is_nowhere(client: Client) -> None:
    for path in (
        "v-0123456789abcdef/js/app.js",
        "v-/js/app.js",
        folder_of(client.http.get("/").text),
    ):
        assert problem(client.http.get(f"/{path}"))[0] == 404


@pytest.mark.parametrize("name", ["", "learn/", "js/state/session.js", "css/board.css", "logo.svg"])
def test_files_are_compressed_for_those_who_can_read_that(client: Client, name: str) -> None:
    plain = client.http.get(f"/{name}", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    with client.http.stream("GET", f"/{name}") as packed:
        assert packed.headers["Content-Encoding"] == "gzip"
        raw = b"".join(packed.iter_raw())
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content)
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["ETag"] != plain.headers["ETag"]
    refused = client.http.get(f"/{name}", headers={"Accept-Encoding": "br, gzip;q=0"})
    assert "Content-Encoding" not in refused.headers


def test_the_page_is_at_the_root(client: Client) -> None:
    response = client.http.get("/")
    page = re.sub(r'    <meta (property|name="twitter:)[^>]+>\n', "", response.text)
    assert page == client.http.get("/index.html").text
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_the_lessons_are_in_a_folder(client: Client) -> None:
    lessons = client.http.get("/learn/")
    assert lessons.content == client.http.get("/learn/index.html").content
    assert lessons.headers["Cache-Control"] == "no-cache"
    without_slash = client.http.get("/learn", follow_redirects=False)
    assert without_slash.headers["Location"] == "learn/"  # as any proxy in front has it
    assert client.http.get("/learn", follow_redirects=True).content == lessons.content
    assert problem(client.http.post("/learn"))[0] == 405
    assert problem(client.http.get("/learn/none.html"))[0] == 404
    assert problem(client.http.get("/css"))[0] == 404  # a folder without a page


def test_the_page_works_behind_a_prefix() -> None:
    async def addresses() -> list[int]:
        app = Starlette(routes=[Mount("/games", create_app())])
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            page = await http.get("/games/")
            (link,) = re.findall(r'<script src="([^"]+)" type="module">', page.text)
            paths = [link, "api/health", "learn/", "service-worker.js", "none.js"]
            return [(await http.get(f"/games/{path}")).status_code for path in paths]

    assert asyncio.run(addresses()) == [200, 200, 200, 200, 404]


def test_a_file_that_did_not_change_is_not_sent_again(client: Client) -> None:
    for encoding in ("gzip", "identity"):
        accept = {"Accept-Encoding": encoding}
        first = client.http.get("/index.html", headers=accept)
        assert first.headers["Cache-Control"] == "no-cache"
        tag = first.headers["ETag"]
        for known in (tag, f"W/{tag}", f'"other", {tag}'):
            again = client.http.get("/index.html", headers={**accept, "If-None-Match": known})
            assert again.status_code == 304
            assert again.content == b""
            assert again.headers["Cache-Control"] == "no-cache"
            assert again.headers["ETag"] == tag
        other = client.http.get("/index.html", headers={**accept, "If-None-Match": '"other"'})
        assert other.content == first.content


def test_the_head_of_a_file(client: Client) -> None:
    plain = {"Accept-Encoding": "identity"}
    response = client.http.head("/", headers=plain)
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


def test_swagger_ui_comes_from_its_package(client: Client) -> None:
    """Nothing of it is in the repository, and nothing comes from another site."""
    page = client.http.get("/docs").text
    assert not re.search(r'(?:href|src)="(?:https?:)?//', page)
    for name, path in swagger_ui().items():
        assert not path.is_relative_to(STATIC)
        served = client.http.get(f"/{folder_of(page)}/{name}")
        assert served.content == path.read_bytes()
        assert served.headers["Cache-Control"] == FOR_EVER
    assert len(swagger_ui()) == 2
