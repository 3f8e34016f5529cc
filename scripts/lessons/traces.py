"""Where a trace can be watched: the addresses of the page that belong to ``noughts trace ...``."""

from __future__ import annotations

import re
import shlex
from urllib.parse import quote

__all__ = ["PAGE", "trace_address", "watch"]

PAGE = "http://127.0.0.1:8000/"  # where `make run` serves it


def trace_address(exercise: str, *texts: str) -> str:
    """Return the address of a trace within the page, which follows the page's own."""
    return f"#panel=learn&trace={exercise}&input={quote(chr(10).join(texts), safe='')}"


def watch(source: str) -> dict[str, str]:
    """Return the value ``{watch}`` of a lesson: a link to each trace that it names, if any."""
    links = [
        f"[Watch it run: `{command}`]({PAGE}{trace_address(*shlex.split(command))})"
        for command in re.findall(r"^noughts trace (.+)$", source, flags=re.MULTILINE)
    ]
    return {"watch": "After `make run`, on the page:\n" + ",\n".join(links)} if links else {}
