"""The addresses of the page's files (`noughts.web.assets`), and what browsers may keep of them.

The page itself gets tags for previews of links, which depend on what is behind the ? of its
address.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from noughts.web.assets import Asset, Assets, swagger_ui
from noughts.web.compression import takes_gzip
from noughts.web.previews import Previews

__all__ = ["Pages"]

_SHORT: Mapping[str, str] = {"": "index.html", "docs": "docs.html"}
"""Addresses of files that differ from their names."""

_REVALIDATE = "no-cache"
_FOR_EVER = "public, max-age=31536000, immutable"


class Pages:
    """Serves the page: files by their hash for ever, all else only while it is current."""

    def __init__(self, previews: Previews) -> None:
        self._previews = previews
        self._assets = Assets(others=swagger_ui())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for an address that no route has."""
        if scope["type"] != "http":
            raise HTTPException(404)
        response = await self._respond(scope)
        await response(scope, receive, send)

    async def _respond(self, scope: Scope) -> Response:
        """Return a file; an unknown address is 404 for every method."""
        path: str = scope["path"].removeprefix(scope.get("root_path", ""))
        path = path.removeprefix("/")
        kept = _FOR_EVER
        asset = self._assets.find_versioned(path)
        if asset is None:
            if not self._assets.is_current:  # somebody works on the page
                self._assets = Assets(others=swagger_ui())
            kept = _REVALIDATE
            asset = self._find(path)
        is_folder = asset is None and self._find(f"{path}/") is not None
        if asset is None and not is_folder:
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if asset is None:  # relative, as a proxy may be in front
            return RedirectResponse(f"{quote(PurePosixPath(path).name)}/")
        status = 200
        if path == "":
            asset, status = await self._with_preview(asset, Request(scope))
        return _response(asset, Headers(scope=scope), kept, status)

    async def _with_preview(self, page: Asset, request: Request) -> tuple[Asset, int]:
        """Return the page with the tags of its preview, and its status."""
        preview = await self._previews.of(request.query_params)
        head, end, body = page.content.partition(b"  </head>")
        tags = preview.tags(str(request.url.replace(query=""))).encode()
        return Asset(head + tags + end + body, page.media_type), preview.status

    def _find(self, path: str) -> Asset | None:
        name = f"{path}index.html" if path.endswith("/") else _SHORT.get(path, path)
        return self._assets.find(name)


def _response(asset: Asset, asked: Headers, kept: str, status: int) -> Response:
    """Return a file, compressed if the client can read that, or that it has it already."""
    packed = asset.compressed if takes_gzip(asked) else None
    etag = f'"{asset.etag}"' if packed is None else f'"{asset.etag}-gzip"'
    headers = {"Cache-Control": kept, "ETag": etag, "Vary": "Accept-Encoding"}
    if (
        status == 200
        and etag in asked.get("If-None-Match", "").replace("W/", "").replace(",", " ").split()
    ):
        return Response(status_code=304, headers=headers)
    headers["Content-Type"] = asset.media_type
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(asset.content if packed is None else packed, status, headers)
