"""A board for the pages of other sites: to look at and to step through, in one small page.

It needs no script and no other file, so that its policy can forbid all of them. The steps are
links to itself, with the undone moves behind a bar as in every text of a game.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import urlencode

from noughts.drawing import COLOURS, Diagram, Theme, draw_svg
from noughts.rules.game import Game
from noughts.web.errors import ApiError
from noughts.web.previews import name_of, status_of

__all__ = ["EMBED_HEADERS", "embedded_game", "embedded_problem"]

EMBED_HEADERS = {
    # The one page that other sites may put into a frame: nothing in it does anything.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors *",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "public, max-age=3600",
}
"""The headers of an embedded board."""

_SCHEMES = {Theme.LIGHT: "light", Theme.DARK: "dark", Theme.AUTO: "light dark"}
_USED = ("paper", "card", "ink", "muted", "edge", "bad")
_STYLE = """
:root { color-scheme: %(scheme)s; %(colours)s }
* { box-sizing: border-box }
body { display: grid; grid-template-rows: minmax(0, 1fr) auto; height: 100vh; margin: 0;
  font: 15px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
svg { display: block; width: 100%%; height: 100%%; padding: 4px }
footer { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center;
  justify-content: space-between; padding: 4px 10px 8px }
nav { display: flex; gap: 4px; align-items: center }
nav > * { display: grid; place-items: center; min-width: 32px; min-height: 32px }
a { color: inherit }
nav a, nav span { text-decoration: none; border: 1px solid var(--edge); border-radius: 8px }
nav span { color: var(--muted); border-color: transparent }
p { margin: 0; font-variant-numeric: tabular-nums }
main { display: grid; grid-template-rows: auto minmax(0, 1fr); min-height: 0 }
h1 { margin: 6px 10px 0; font-size: 15px; line-height: 1.3; text-align: center }
h1 small { display: block; font-size: 13px; font-weight: 400; color: var(--muted) }
.problem { display: block; place-self: center; max-width: 30rem; padding: 16px;
  overflow-wrap: anywhere }
.problem h1 { margin: 0 0 8px; font-size: 18px; text-align: left }
code { display: block; margin: 8px 0; white-space: pre-wrap }
mark { padding: 1px 3px; color: var(--paper); background: var(--bad); border-radius: 3px }
"""


def embedded_game(game: Game[Any], theme: Theme) -> str:
    """Return the page of a game, which one can step through."""
    done, count = len(game.moves), len(game.moves) + len(game.undone)
    steps = (
        ("First position", "«", 0, done > 0),
        ("Back", "‹", done - 1, done > 0),
        ("Forward", "›", done + 1, done < count),
        ("Last position", "»", count, done < count),
    )
    links = [
        f'<a href="?{_query(game, to, theme)}" aria-label="{name}" title="{name}">{sign}</a>'
        if is_there
        else f'<span aria-hidden="true">{sign}</span>'
        for name, sign, to, is_there in steps
    ]
    links.insert(2, f'<p role="status" aria-label="Moves">{done} / {count}</p>')
    nav = f'<nav aria-label="Step through the moves">{"".join(links)}</nav>' if count else ""
    diagram = game.position.diagram(last=game.last_move)
    return _page(name_of(game.position), status_of(game), diagram, nav, game.text, theme)


def embedded_board(diagram: Diagram, text: str, theme: Theme) -> str:
    """Return the page of a board that no game reaches."""
    name, _, status = diagram.caption.partition(", ")
    return _page(name, status, diagram, "", text, theme)


def embedded_problem(error: ApiError, text: str) -> str:
    """Return the page for a text that cannot be shown, which points at the fault."""
    said = f"{error.message[:1].upper()}{error.message[1:]}."
    shown = ""
    if text and len(text) <= 500:
        at = error.offset
        shown = escape(text)
        if at is not None:
            bad = text[at : at + 1].strip() or "␣"
            shown = f"{escape(text[:at])}<mark>{escape(bad)}</mark>{escape(text[at + 1 :])}"
        shown = f"<code>{shown}</code>"
    main = (
        f"<main class=problem><h1>There is no board to show</h1><p>{escape(said)}</p>{shown}</main>"
    )
    return _document("noughts: no board", main, Theme.AUTO)


def _query(game: Game[Any], count: int, theme: Theme) -> str:
    """Return the fields of the address after a number of the moves."""
    other = Game(game.start, (*game.moves, *game.undone))
    for _ in range(len(other.moves) - count):
        other.undo()
    fields = {"game": other.text} | ({} if theme is Theme.AUTO else {"theme": theme.value})
    return escape(urlencode(fields))


def _page(name: str, status: str, diagram: Diagram, nav: str, text: str, theme: Theme) -> str:
    address = escape(f"./?{urlencode({'game': text})}")
    link = f'<a href="{address}" target="_blank" rel="noopener">Play on noughts</a>'
    # The caption is text of the page, as in the picture of a large board it would be tiny.
    picture = draw_svg(replace(diagram, caption=""), theme=theme)
    picture = picture.replace("<title></title>", f"<title>{escape(diagram.caption)}</title>", 1)
    status = f"{status[:1].upper()}{status[1:]}"
    heading = f"<h1>{escape(status)} <small>{escape(name)}</small></h1>"
    body = f"<main>{heading}{picture}</main><footer>{nav}{link}</footer>"
    return _document(f"{name}: {status}", body, theme)


def _document(title: str, body: str, theme: Theme) -> str:
    colours = "; ".join(
        f"--{name}: light-dark({COLOURS[name].light}, {COLOURS[name].dark})" for name in _USED
    )
    style = _STYLE % {"scheme": _SCHEMES[theme], "colours": colours}
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="robots" content="noindex">\n'
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
