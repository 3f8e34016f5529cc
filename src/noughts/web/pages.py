"""The files of the page, from the package's folder `static`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["STATIC", "Pages"]

STATIC = Path(__file__).parent / "static"

_MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
"""The media types of the page's files; the tables of operating systems differ."""

_FILES = {"docs": "docs.html"}  # short addresses of files


class Pages(StaticFiles):
    """Serves the page; a browser may keep a file, but must check whether it is current."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file; an unknown address is 404 for every method."""
        try:
            found = await super().get_response(_FILES.get(path, path), {**scope, "method": "GET"})
        except (OSError, ValueError):  # a file cannot have such a name
            raise HTTPException(404) from None
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if isinstance(found, RedirectResponse):  # to a folder: relative, as a proxy may be in front
            found.headers["Location"] = f"{Path(path).name}/"
        return found

    def file_response(
        self, full_path: str | os.PathLike[str], *args: Any, **kwargs: Any
    ) -> Response:
        """Return a file with the headers it needs."""
        response = super().file_response(full_path, *args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        if response.status_code != 304:
            media_type = _MEDIA_TYPES.get(Path(full_path).suffix)
            response.headers["Content-Type"] = media_type or "application/octet-stream"
        return response
