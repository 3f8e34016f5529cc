"""The lessons as pages that ``noughts serve`` has: HTML, made from their Markdown.

The pages need no script but the theme's, and no inline style: the server's security headers refuse
both. A link that leads to nothing that the server has becomes text.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from lessons.highlighting import highlight
from lessons.traces import PAGE

__all__ = ["FOLDER", "Lesson", "pages"]

FOLDER = Path(__file__).resolve().parents[2] / "src" / "noughts" / "web" / "static" / "learn"

NARROW = 36  # characters that a phone shows in a line of code
POINTERS = ("Next: ", "Back to ")  # begin a last paragraph that the page's navigation replaces

TEMPLATE = Template("""\
<!doctype html>
<html lang="en" class="noughts-colours" data-theme="auto">
  <head>
    <meta charset="utf-8">
    <title>$title: noughts</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="../logo.svg" type="image/svg+xml">
    <link rel="stylesheet" href="../css/tokens.css">
    <link rel="stylesheet" href="../css/controls.css">
    <link rel="stylesheet" href="../css/layout.css">
    <link rel="stylesheet" href="../css/lessons.css">
    <script src="../js/settings.js"></script>
  </head>
  <body class="lessons">
    <header class="top">
      <a class="home" href="../"><img src="../logo.svg" alt="" width="28" height="28"> noughts</a>
      <nav aria-label="Site">
        <a href="index.html">Lessons</a>
        <label class="theme"><span class="unseen">Colours</span>
          <select data-setting="theme">
            <option value="auto">Auto</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
      </nav>
    </header>
    <main class="lesson">
$body\
<nav class="onward" aria-label="Previous and next">
$onward
</nav>
    </main>
    <nav class="contents" aria-label="Lessons">
$contents
    </nav>
  </body>
</html>
""")


@dataclass(frozen=True)
class Lesson:
    """A lesson as HTML, and what the navigation says about it."""

    name: str
    title: str
    sections: tuple[tuple[str, str], ...]  # id and text of each heading of the second level
    body: str

    @classmethod
    def of(cls, name: str, markdown: str) -> Lesson:
        """Return a lesson from its Markdown, which begins with its title."""
        parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
        tokens = _without_pointer(parser.parse(markdown))
        headings = _name_headings(tokens)
        _lead_links(tokens)
        traces = _show_traces(tokens)
        body = parser.renderer.render(tokens, parser.options, {})
        if len(traces) == 1:  # then a reader who knows the lesson need not look for it
            title, end, rest = body.partition("</h1>\n")
            body = f"{title}{end}{_button(traces[0])}\n{rest}"
        (title,) = [text for level, _, text in headings if level == "h1"]
        sections = tuple((id_, text) for level, id_, text in headings if level == "h2")
        return cls(name, title, sections, body)

    @property
    def link(self) -> str:
        """The address of the page, as its neighbours know it."""
        return f"{self.name}.html"


def pages(markdown: dict[str, str]) -> dict[Path, str]:
    """Return the page of each lesson, given in the order in which they are read."""
    lessons = [Lesson.of(name, text) for name, text in markdown.items()]
    return {
        FOLDER / lesson.link: TEMPLATE.substitute(
            title=escape(lesson.title),
            body=lesson.body,
            onward=_onward(lessons, place),
            contents=_contents(lessons, lesson),
        )
        for place, lesson in enumerate(lessons)
    }


def _onward(lessons: Sequence[Lesson], place: int) -> str:
    """Return links to the page before and the page behind."""
    neighbours = [("prev", "Previous", place - 1), ("next", "Next", place + 1)]
    return "\n".join(
        f'<a rel="{rel}" href="{lessons[other].link}">'
        f"<span>{word}</span> {escape(lessons[other].title)}</a>"
        for rel, word, other in neighbours
        if 0 <= other < len(lessons)
    )


def _contents(lessons: Sequence[Lesson], current: Lesson) -> str:
    """Return links to all lessons, and to the sections of the current one."""
    index, *others = lessons
    lines = [f"<h2>{_entry(index, current)}</h2>", "<ul>"]
    for lesson in others:
        lines.append(f"<li>{_entry(lesson, current)}")
        if lesson is current:
            links = [
                f'<li><a href="#{id_}">{escape(text)}</a></li>' for id_, text in lesson.sections
            ]
            lines += ["<ul>", *links, "</ul>"]
        lines.append("</li>")
    return "\n".join([*lines, "</ul>"])


def _entry(lesson: Lesson, current: Lesson) -> str:
    mark = ' aria-current="page"' if lesson is current else ""
    return f'<a href="{lesson.link}"{mark}>{escape(lesson.title)}</a>'


# -- the Markdown, before it is rendered -----------------------------------------------------


def _without_pointer(tokens: list[Token]) -> list[Token]:
    """Return a lesson without the last paragraph, if it points to the next lesson."""
    has_pointer = tokens[-1].type == "paragraph_close" and tokens[-2].content.startswith(POINTERS)
    return tokens[:-3] if has_pointer else tokens


def _name_headings(tokens: Sequence[Token]) -> list[tuple[str, str, str]]:
    """Give each heading an id; return their levels, ids and texts."""
    headings: list[tuple[str, str, str]] = []
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open":
            text = "".join(child.content for child in inline.children or [])
            slug = re.sub(r"\W+", "-", text.lower()).strip("-")
            if slug in {id_ for _, id_, _ in headings}:
                raise ValueError(f"two headings have the id {slug}")
            token.attrSet("id", slug)
            headings.append((token.tag, slug, text))
    return headings


def _lead_links(tokens: Sequence[Token]) -> None:
    """Make links lead to what the server has; the others become text."""
    for token in tokens:
        kept: list[Token] = []
        dropped = False
        for child in token.children or []:
            if child.type == "link_open":
                target = _target(str(child.attrs["href"]))
                dropped = target is None
                if target is not None:
                    child.attrSet("href", target)
            if not (dropped and child.type in ("link_open", "link_close")):
                kept.append(child)
        token.children = kept


def _target(link: str) -> str | None:
    """Return where a link of a lesson leads on the server, None for nowhere."""
    path, mark, fragment = link.partition("#")
    if path == PAGE:
        return f"../{mark}{fragment}"
    if "://" in path or not path:
        return link
    if path == "../page.md":
        return "../"
    if path.endswith(".md") and "/" not in path:
        return f"{path.removesuffix('.md')}.html{mark}{fragment}"
    return None


def _show_traces(tokens: Sequence[Token]) -> list[str]:
    """Make buttons of the links to traces, alone in their paragraph; return their addresses."""
    addresses: list[str] = []
    for paragraph, inline in itertools.pairwise(tokens):
        if paragraph.type != "paragraph_open" or "(" + PAGE not in inline.content:
            continue
        paragraph.attrSet("class", "watch")
        buttons: list[Token] = []
        inside = False
        for child in inline.children or []:
            if child.type == "link_open":
                inside = True
                child.attrSet("class", "button strong")
                addresses.append(str(child.attrs["href"]))
            if inside:
                buttons.append(child)
            if child.type == "link_close":
                inside = False
        inline.children = buttons
    return addresses


def _button(address: str) -> str:
    link = f'<a class="button strong" href="{escape(address)}">Watch it run</a>'
    return f'<p class="watch">{link}</p>'


# -- rendering -------------------------------------------------------------------------------


class Renderer(RendererHTML):
    """Renders code and tables so that wide ones scroll by themselves, by keyboard, too."""

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return a block of code."""
        code = tokens[idx].content
        shown = highlight(code) if tokens[idx].info == "python" else escape(code, quote=False)
        is_wide = max(map(len, code.splitlines())) > NARROW
        group = _group("Code", tokens[:idx]) if is_wide else ""
        return f"<pre{group}><code>{shown}</code></pre>\n"

    code_block = fence

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the start of a table, and of the frame in which a wide one scrolls."""
        group = _group("Table", tokens[:idx]) if _width(tokens[idx:]) > NARROW else ""
        return f'<div class="frame"{group}>\n<table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the end of a table and of its frame."""
        return "</table>\n</div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the start of a cell of the head; one without text heads nothing."""
        cell = '<th scope="col"' if tokens[idx + 1].content else "<td"
        return f"{cell}{_alignment(tokens[idx])}>"

    def th_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the end of a cell of the head."""
        return "</th>\n" if tokens[idx - 1].content else "</td>\n"

    def td_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the start of a cell."""
        return f"<td{_alignment(tokens[idx])}>"


def _alignment(cell: Token) -> str:
    """Return the class of a cell aligned to the right, which Markdown gives an inline style."""
    return ' class="end"' if cell.attrs.get("style") == "text-align:right" else ""


def _width(table: Sequence[Token]) -> int:
    """Return how many characters wide a table is at least, at its start in the tokens."""
    widths: Counter[int] = Counter()
    column = 0
    for token in table:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            column = 0
        elif token.type == "inline":
            longest_word = max(map(len, token.content.split()), default=0)
            widths[column] = max(widths[column], longest_word + 2)  # and the space around it
            column += 1
    return widths.total()


def _group(kind: str, before: Sequence[Token]) -> str:
    """Return the attributes of what can be scrolled; it is named after the heading before it."""
    heading = max(place for place, token in enumerate(before) if token.type == "heading_open")
    label = escape(f"{kind}: {before[heading + 1].content}")
    return f' tabindex="0" role="group" aria-label="{label}"'
