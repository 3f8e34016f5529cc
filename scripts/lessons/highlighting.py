"""Python code as HTML: keywords, defined names and comments, as Python itself finds them."""

from __future__ import annotations

import keyword
import tokenize
from collections.abc import Iterator
from html import escape
from io import StringIO

__all__ = ["highlight"]

PROMPT = ">>> "

# Since Python 3.12 an f-string is many tokens. It is one here, whichever Python runs.
_F_START, _F_END = (getattr(tokenize, f"FSTRING_{end}", None) for end in ("START", "END"))


def highlight(code: str) -> str:
    """Return code as HTML; in a session, only what stands behind a prompt is code."""
    lines = code.splitlines(keepends=True)
    if not any(line.startswith(PROMPT) for line in lines):
        return _highlight(code)
    return "".join(
        _span("prompt", PROMPT) + _highlight(line.removeprefix(PROMPT))
        if line.startswith(PROMPT)
        else escape(line, quote=False)
        for line in lines
    )


def _highlight(code: str) -> str:
    """Return Python code as HTML; what Python cannot read stays plain."""
    starts = [0]  # of each line, where Python's tokenizer sees one
    for line in StringIO(code):
        starts.append(starts[-1] + len(line))
    html, done = "", 0
    try:
        for kind, text, row, col in _tokens(code):
            start = starts[row - 1] + col
            html += escape(code[done:start], quote=False) + _span(kind, text)
            done = start + len(text)
    except (SyntaxError, tokenize.TokenError):
        return escape(code, quote=False)
    return html + escape(code[done:], quote=False)


def _tokens(code: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield what has a colour: kind, text, row (from 1) and column."""
    before, f_strings = "", 0
    for token in tokenize.generate_tokens(StringIO(code).readline):
        f_strings += (token.type == _F_START) - (token.type == _F_END)
        if token.type == tokenize.COMMENT:
            yield "comment", token.string, *token.start
        elif token.type == tokenize.NAME and not f_strings:
            if keyword.iskeyword(token.string):
                yield "keyword", token.string, *token.start
            elif before in ("def", "class"):
                yield "name", token.string, *token.start
        before = token.string


def _span(kind: str, text: str) -> str:
    return f'<span class="{kind}">{escape(text, quote=False)}</span>'
