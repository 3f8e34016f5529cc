"""The lessons as pages of the server: all of their text, and only links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import parse_qs, urldefrag, urljoin

import pytest
from lessons import AS_WRITTEN, VALUES
from lessons.games import LEARN
from lessons.rendering import FOLDER, Lesson, pages

from noughts.exercises.tracing import Trace
from support.cases import for_each
from support.http_client import Client, asking

MARKDOWN = {
    name: (LEARN / f"{name}.md").read_text(encoding="utf-8") for name in (*VALUES, *AS_WRITTEN)
}
VOID = {"meta", "link", "img", "br", "hr"}
Element = tuple[str, dict[str, str]]


class Reader(HTMLParser):
    """Reads a page: its elements in order, each with its text; a tag left open is an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._texts: dict[int, str] = {}
        self._open: list[int] = []
        self.feed(html)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for place in self._open:
            self._texts[place] = self._texts.get(place, "") + data

    def texts(self, *tags: str, **attributes: str) -> list[str]:
        """Return the texts of all elements with one of the tags and with these attributes."""
        return [
            self._texts.get(place, "")
            for place, (tag, attrs) in enumerate(self.elements)
            if tag in tags and attributes.items() <= attrs.items()
        ]

    def values(self, attribute: str) -> list[str]:
        """Return an attribute of all elements that have it."""
        return [attrs[attribute] for _, attrs in self.elements if attribute in attrs]


PAGES = {path.name: Reader(html) for path, html in pages(MARKDOWN).items()}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def traces_in(page: Reader) -> list[list[str]]:
    """Return the exercise and the texts of each trace that a page links to."""
    fields = [parse_qs(urldefrag(link).fragment) for link in page.values("href")]
    return [
        [*found["trace"], *found["input"][0].split("\n")]
        for found in fields
        if found.get("panel") == ["learn"]
    ]


def test_every_lesson_has_a_page_and_every_page_a_lesson() -> None:
    lessons = {path.stem for path in LEARN.glob("*.md") if not path.stem.endswith(".in")}
    assert set(MARKDOWN) == lessons
    assert set(PAGES) == {f"{name}.html" for name in lessons}
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


@for_each(("name", "page"), PAGES.items())
def test_a_page_is_what_the_security_headers_allow(name: str, page: Reader) -> None:
    assert page.values("style") == page.texts("style") == []
    assert page.values("src") == ["../js/settings.js", "../logo.svg"]
    assert page.texts("script") == [""]
    assert not any(key.startswith("on") for _, attrs in page.elements for key in attrs)


@for_each(("name", "page"), PAGES.items())
def test_every_link_leads_to_something_the_server_has(
    name: str, page: Reader, client: Client
) -> None:
    for link in [*page.values("href"), *page.values("src")]:
        address, fragment = urldefrag(urljoin(f"/learn/{name}", link))
        assert client.http.get(address).status_code == 200, link
        if address == "/":
            assert not fragment or fragment.startswith("panel=learn&trace="), link
        elif fragment:
            assert fragment in PAGES[address.removeprefix("/learn/")].values("id"), link


@for_each("name", MARKDOWN)
def test_every_trace_that_a_lesson_names_is_linked(name: str) -> None:
    page = PAGES[f"{name}.html"]
    named = re.findall(r"^noughts trace (.+)$", "\n".join(page.texts("pre")), re.MULTILINE)
    linked = [" ".join(trace) for trace in traces_in(page)]
    assert linked == named * (1 + (len(named) == 1))  # a single one is at the top, too
    assert bool(named) == (name not in ("counting", "grading"))
    for exercise, *texts in traces_in(page):
        assert next(Trace.of_texts(exercise, texts).steps()).number == 0
    labels = {f"Watch it run: {command}" for command in named}
    assert set(page.texts("a", **{"class": "button strong"})) - {"Watch it run"} == labels
    assert "make run" not in " ".join(page.texts("p", **{"class": "watch"}))


@for_each("name", MARKDOWN)
def test_the_navigation_shows_all_lessons_and_where_one_is(name: str) -> None:
    page, names = PAGES[f"{name}.html"], list(MARKDOWN)
    place = names.index(name)
    titles = [PAGES[f"{other}.html"].texts("h1")[0] for other in names]
    (current,) = page.texts("a", **{"aria-current": "page"})
    assert current == titles[place]
    assert page.texts("title") == [f"{current}: noughts"]
    for rel, other in (("prev", place - 1), ("next", place + 1)):
        links = [attrs["href"] for _, attrs in page.elements if attrs.get("rel") == rel]
        assert links == [f"{names[other]}.html" for _ in [0] if 0 <= other < len(names)]
    assert set(titles) <= set(page.texts("a"))
    assert len(set(page.values("id"))) == len(page.values("id"))


@for_each("name", VALUES)
def test_the_last_line_of_a_lesson_points_where_its_page_does(name: str) -> None:
    """The page leaves it out, so it must not say anything else."""
    if name == "index":
        return
    names = list(VALUES)
    following = dict(zip(names, [*names[1:], "index"], strict=True))[name]
    last = MARKDOWN[name].rstrip().splitlines()[-1]
    assert re.fullmatch(rf"(Next: |Back to )\[.+\]\({following}\.md\)\.", last)
    assert last.partition(":")[0] not in PAGES[f"{name}.html"].texts("p")


@for_each(("name", "markdown"), MARKDOWN.items())
def test_code_is_shown_as_it_is(name: str, markdown: str) -> None:
    fenced = re.findall(r"^```\w*\n(.*?)^```$", markdown, re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^\n {4}(\S.*\n)", markdown, re.MULTILINE)
    shown = PAGES[f"{name}.html"].texts("pre")
    assert [code for code in shown if code not in indented] == fenced
    assert len(shown) == len(fenced) + len(set(shown) & set(indented))


@for_each(("name", "markdown"), MARKDOWN.items())
def test_every_cell_of_a_table_is_there_and_where_it_was(name: str, markdown: str) -> None:
    cells, right = [], 0
    for table in re.findall(r"^\|.*\n\|[-:|]+\|\n(?:\|.*\n)*", markdown, re.MULTILINE):
        head, rule, *rows = [line.strip("|\n").split("|") for line in table.splitlines()]
        cells += [cell.strip() for row in (head, *rows) for cell in row]
        right += sum(column.endswith(":") for column in rule) * (1 + len(rows))
    page = PAGES[f"{name}.html"]
    plain = [re.sub(r"\[(.+)\]\(.+\)", r"\1", cell).replace("`", "") for cell in cells]
    assert page.texts("th", "td") == plain
    assert len(page.texts("th", "td", **{"class": "end"})) == right


def test_markup_in_a_lesson_is_text() -> None:
    body = Lesson.of("x", "# A & <i>B</i>\n\n<b>c</b> `<d>`\n\n```python\nx < '<e>'\n```\n").body
    page = Reader(body)
    assert {tag for tag, _ in page.elements} == {"h1", "p", "code", "pre"}
    assert page.texts("h1", "p", "pre") == ["A & <i>B</i>", "<b>c</b> <d>", "x < '<e>'\n"]


def test_what_the_server_does_not_have_is_no_link() -> None:
    links = "[a](state.md) [b](state.md#mistakes) [c](../page.md) [d](../rules.md) [e](x.json)"
    page = Reader(Lesson.of("x", f"# T\n\n{links} [f](https://example.org/a?b&c) [g](#t)\n").body)
    assert page.texts("p") == ["a b c d e f g"]
    addresses = ["state.html", "state.html#mistakes", "../", "https://example.org/a?b&c", "#t"]
    assert page.values("href") == addresses


def test_what_is_wide_can_be_scrolled_by_keyboard() -> None:
    narrow = "# T\n\n```text\nabc\n```\n\n| a |  |\n|---|---:|\n| 1 | 2 |\n"
    page = Reader(Lesson.of("x", narrow).body)
    assert page.values("tabindex") == []
    assert page.texts("th") == ["a"]  # an empty cell heads nothing
    page = Reader(Lesson.of("x", narrow.replace("abc", "x" * 80).replace("1", "y" * 80)).body)
    assert page.values("aria-label") == ["Code: T", "Table: T"]
    assert page.values("tabindex") == ["0", "0"]


def test_two_headings_with_one_name_are_an_error() -> None:
    with pytest.raises(ValueError, match="the id a-b"):
        Lesson.of("x", "# T\n\n## A b\n\n## a: B\n")
