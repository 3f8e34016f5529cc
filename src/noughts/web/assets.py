"""The files of the page in memory: compressed once, and addressed by what is in them.

A folder whose name is a hash of all files, like ``v-3f2a91c04b7d/js/app.js``, has every file but
the pages, the manifest and the service worker, for which their own place has a meaning. Modules
and style sheets name each other by relative addresses, which hold there too, so a browser can keep
the whole folder for ever: another file anywhere is another folder. The pages themselves stay where
they are, and name the folder of the day when they are served::

    <script src="js/app.js" type="module">      as it is in the file
    <script src="v-3f2a91c04b7d/js/app.js" ...  as it is served

A page also names the modules that its scripts import, and those that these import, so that a
browser asks for all of them at once instead of one level after the other. Its style sheets become
one, like ``css/tokens+layout.css``, in their order. Comments are for readers of the source:
scripts and style sheets are served without them.
"""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from pathlib import Path

__all__ = ["STATIC", "Asset", "Assets", "swagger_ui"]

STATIC = Path(__file__).parent / "static"

MEDIA_TYPES: Mapping[str, str] = {
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

_COMPRESSED_ALREADY = {".png", ".ico"}
_IN_PLACE = (".html", ".webmanifest", "service-worker.js")  # ends of names
_LINK = re.compile(r'\b(href|src)="([^":#?]+)"')  # to a file of ours: relative, without a query
_STYLES = re.compile(r'(?: *<link rel="stylesheet" href="[^"]+">\n)+')
_MODULE = re.compile(r'<script src="([^"]+)" type="module">')
_COMMENT = re.compile(  # of whole lines
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL
)
_IMPORT = re.compile(r'^(?:import|export)\b[^"\';]*"(\.[^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Asset:
    """A file as it is served."""

    content: bytes
    media_type: str

    @cached_property
    def etag(self) -> str:
        """A hash of the content, without quotation marks."""
        return _hash(self.content)

    @cached_property
    def compressed(self) -> bytes | None:
        """The content compressed, where that makes it smaller."""
        if any(MEDIA_TYPES[suffix] == self.media_type for suffix in _COMPRESSED_ALREADY):
            return None
        packed = gzip.compress(self.content, mtime=0)
        return packed if len(packed) < len(self.content) else None


class Assets:
    """All files below a folder, as they were when this was made; by name, like ``js/app.js``."""

    def __init__(self, folder: Path = STATIC, others: Mapping[str, Path] | None = None) -> None:
        """Read a folder, and `others`: files that are elsewhere, by the name that they get."""
        ours = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
        self._places = {**ours, **(others or {})}
        self._stamp = self._look()
        contents = {name: path.read_bytes() for name, path in self._places.items()}
        for name in ours:
            if name.endswith((".js", ".css")):
                contents[name] = _without_comments(contents[name])
        lines = (f"{name} {_hash(content)}\n" for name, content in sorted(contents.items()))
        self.folder = f"v-{_hash(''.join(lines).encode())}"
        self._contents = dict(contents)  # and joined style sheets
        for name in contents:
            if name.endswith(".html"):
                self._contents[name] = self._page(name)
        self._files = {
            name: Asset(content, MEDIA_TYPES.get(Path(name).suffix, "application/octet-stream"))
            for name, content in self._contents.items()
        }

    def find(self, name: str) -> Asset | None:
        """Return a file by its name."""
        return self._files.get(name)

    def find_versioned(self, path: str) -> Asset | None:
        """Return a file by its address in the folder of the day."""
        folder, _, name = path.partition("/")
        return None if folder != self.folder or name.endswith(_IN_PLACE) else self.find(name)

    @property
    def is_current(self) -> bool:
        """Whether the files are still as they were read, which they are unless someone edits."""
        return self._look() == self._stamp

    def _look(self) -> list[tuple[int, int]]:
        try:
            stats = [path.stat() for path in self._places.values()]
        except OSError:
            return []  # one of them has gone
        return [(stat.st_mtime_ns, stat.st_size) for stat in stats]

    def _page(self, name: str) -> bytes:
        """Return a page whose links to files lead into the folder of the day."""
        text = self._contents[name].decode()
        here = posixpath.dirname(name)
        root = "../" * name.count("/")

        def versioned(link: str) -> str:
            target = posixpath.normpath(posixpath.join(here, link))
            is_file = target in self._contents and not target.endswith(_IN_PLACE)
            return f"{root}{self.folder}/{target}" if is_file else link

        preloads = [
            f'<link rel="modulepreload" href="{root}{self.folder}/{escape(module)}">\n'
            for script in _MODULE.findall(text)
            for module in self._imports(posixpath.normpath(posixpath.join(here, script)))
        ]
        text = _STYLES.sub(lambda found: self._joined(here, found[0]), text)
        text = _LINK.sub(lambda found: f'{found[1]}="{versioned(found[2])}"', text)
        return text.replace(
            "  </head>", "".join(f"    {each}" for each in preloads) + "  </head>", 1
        ).encode()

    def _joined(self, here: str, links: str) -> str:
        """Return one link to what several style sheets of a folder say, one after the other."""
        hrefs = [href for _, href in _LINK.findall(links) if href.endswith(".css")]
        folder = posixpath.dirname(hrefs[0])
        if any(posixpath.dirname(href) != folder for href in hrefs):
            return links  # relative addresses in them would change their meaning
        joined = f"{folder}/{'+'.join(Path(href).stem for href in hrefs)}.css"
        names = [posixpath.normpath(posixpath.join(here, href)) for href in (joined, *hrefs)]
        self._contents[names[0]] = b"\n".join(self._contents[name] for name in names[1:])
        return f'    <link rel="stylesheet" href="{joined}">\n'

    def _imports(self, script: str) -> Iterator[str]:
        """Yield the modules that a script needs, each once, the nearest first."""
        known, queue = {script}, [script]
        for module in queue:
            if module != script:
                yield module
            for link in _IMPORT.findall(self._contents.get(module, b"").decode()):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(module), link))
                if target not in known:
                    known.add(target)
                    queue.append(target)


def swagger_ui() -> dict[str, Path]:
    """Return the files of Swagger UI, which come with the package fastapi-offline, by name."""
    package = find_spec("fastapi_offline")
    if package is None or package.origin is None:
        return {}
    folder = Path(package.origin).parent / "static"
    return {f"swagger/{name}": folder / name for name in ("swagger-ui-bundle.js", "swagger-ui.css")}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _without_comments(content: bytes) -> bytes:
    """Return a script or a style sheet without comments that are lines by themselves.

    The other lines keep their numbers, so that an error is where it says.
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), content.decode()).encode()


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]
