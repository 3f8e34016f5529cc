"""What a link to the page shows where it is posted: a title, a sentence, and a picture.

What is behind the # of an address never reaches a server. So the page shares its state behind a ?
instead: `/?game=3x3x3+b2+a1`, `/?room=...`, `/?puzzle=...`. The page that answers is the same, with
tags for those who show previews (Open Graph, and Twitter's), and with the status of an error
if there is nothing to show.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams

from noughts import puzzles
from noughts.errors import NotationError
from noughts.rules.game import Game
from noughts.rules.position import GridPosition, Position
from noughts.web.errors import ApiError
from noughts.web.reading import Reader
from noughts.web.rooms.room import Room
from noughts.web.rooms.store import Store
from noughts.web.rooms.updates import in_thread

__all__ = ["Preview", "Previews", "name_of", "status_of"]

PICTURE_SIZE = (1200, 630)

_NUMBERS = ["no", *["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]]
_VARIANTS = {
    "ultimate": "Ultimate tic-tac-toe",
    "ultimate-open": "Ultimate, won boards stay open",
    "ultimate-most-boards": "Ultimate, most boards wins",
    "ultimate-open-most-boards": "Ultimate, won boards stay open, most boards wins",
}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link shows: texts, the game that is drawn, and the fields of the address."""

    title: str
    about: str
    picture: str
    fields: dict[str, str]
    status: int = 200
    is_private: bool = False  # whether search engines are to pass it by

    def tags(self, base: str) -> str:
        """Return the tags for the head of a page below an address."""
        query = f"?{urlencode(self.fields)}" if self.fields else ""
        width, height = map(str, PICTURE_SIZE)
        properties = {
            "og:type": "website",
            "og:site_name": "noughts",
            "og:title": self.title,
            "og:description": self.about,
            "og:url": f"{base}{query}",
            "og:image": f"{base}api/draw.png?{urlencode({'game': self.picture})}",
            "og:image:type": "image/png",
            "og:image:width": width,
            "og:image:height": height,
            "og:image:alt": self.title,
        }
        names = {"twitter:card": "summary_large_image"}
        if self.is_private or self.status != 200:
            names["robots"] = "noindex"
        lines = [_tag("property", name, content) for name, content in properties.items()]
        lines += [_tag("name", name, content) for name, content in names.items()]
        return "".join(f"    {line}\n" for line in lines)


HOME = Preview(
    "noughts: tic-tac-toe on any board, and Ultimate",
    "Play it, with the exact truth one key away: against the computer, or with a friend.",
    "ultimate ge ef fe ea ab bd de ee ed dd dc ce ei ih he eb ba ae eh ha aa ac cc ch hb bc cb"
    " bi ii ib bf fg gh hh hd di ie ec ca ag gb",
    {},
)


class Previews:
    """Finds out what the links to a server show."""

    def __init__(self, read: Reader, store: Store) -> None:
        self._read = read
        self._store = store

    async def of(self, query: QueryParams) -> Preview:
        """Return the preview for the fields of an address."""
        try:
            if room := query.get("room"):
                return _of_room(await in_thread(self._store.find, room))
            if puzzle := query.get("puzzle"):
                return _of_puzzle(puzzle)
            if (game := query.get("game")) is not None:
                return _of_game(await run_in_threadpool(self._read.game, game))
        except ApiError as error:
            about = f"{error.message[:1].upper()}{error.message[1:]}."
            return Preview("noughts: nothing at this link", about, "3x3x3", {}, error.status)
        return HOME


def _of_game(game: Game[Any]) -> Preview:
    count = len(game.moves)
    played = f"After {count} move{'s' * (count != 1)}. " if count else ""
    offer = "See" if game.outcome else "Play on, or see"
    title = f"{name_of(game.position)}: {status_of(game)}"
    about = f"{played}{offer} what every move is worth."
    return Preview(title, about, game.text, {"game": game.text})


def _of_puzzle(id: str) -> Preview:
    try:
        found = puzzles.puzzle(id)
    except NotationError as error:
        raise ApiError(404, str(error)) from None
    title = f"Puzzle: {found.title}"
    about = f"{name_of(found.game.position)}. It has one solution. Can you find it?"
    return Preview(title, about, found.game.text, {"puzzle": found.id})


def _of_room(room: Room) -> Preview:
    game, name = room.game, name_of(room.game.position)
    clock = "" if room.clock is None else f" {room.clock.control} on the clock."
    if room.guest_key is None:
        title = f"Play with me: {name}"
        about = f"You are {room.host_side.other}.{clock} Open the link to take your seat."
    else:
        title = f"Two friends play: {name}"
        about = f"Open the link to watch.{clock}"
    return Preview(title, about, game.text, {"room": room.id}, is_private=True)


def name_of(position: Position) -> str:
    """Return the game that is played, in words.

    >>> name_of(GridPosition.start("4x4x3"))
    'Tic-tac-toe on 4 × 4, three in a row'
    """
    if not isinstance(position, GridPosition):
        return _VARIANTS[position.game]
    rows, cols, k = position.grid.rows, position.grid.cols, position.grid.k
    if rows == cols == k == 3:
        return "Tic-tac-toe"
    return f"Tic-tac-toe on {rows} × {cols}, {_NUMBERS[k] if k < len(_NUMBERS) else k} in a row"


def status_of(game: Game[Any]) -> str:
    """Return whose turn it is, and where, or how the game ended."""
    caption: str = game.position.diagram().caption
    return caption.removeprefix(f"{game.position.game}, ")


def _tag(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}">'
