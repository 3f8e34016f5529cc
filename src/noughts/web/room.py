"""A room: a game between two people who have a link, as a value that changes into the next.

Whoever opens the room is its *host*, whoever takes the other seat its *guest*. They play one
*round* after the other and swap sides in between. Everybody with the link may look; only who
knows a seat's secret may act for it. We keep no secret, only its hash.

An action says what it is about: this move, after so many moves of this round. So a repeated
request, because an answer got lost, changes nothing and is answered again; and one that comes
too late is refused with the room as it is now.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from typing import Any, Literal

from noughts.rules.game import Game
from noughts.rules.player import Player
from noughts.views import view
from noughts.web.problems import Problem, field

__all__ = ["Conflict", "Room", "Seat", "key_of"]

Seat = Literal["host", "guest"]


def key_of(secret: str) -> bytes:
    """Return what is kept of a secret. Secrets are long and random, so a plain hash will do."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Conflict(Problem):
    """An action that does not fit the room as it is now, which comes along."""

    def __init__(self, message: str, room: Room) -> None:
        super().__init__(409, message)
        self.room = room

    def to_json(self) -> dict[str, Any]:
        """Return the problem as plain data for JSON, with the room beside it."""
        return {**super().to_json(), "room": self.room.to_json()}


@dataclass(frozen=True, slots=True)
class Room:
    """A room as it is now; actions return the room that comes next, or itself if all is done.

    `version` counts changes. `host_side` is the host's side in this round, `resigned` the side
    that gave up, `agreed` the seat that wants another round.
    """

    id: str
    text: str
    host_side: Player
    host_key: bytes
    guest_key: bytes | None = None
    round: int = 1
    resigned: Player | None = None
    agreed: Seat | None = None
    version: int = 1

    # -- what there is to see --------------------------------------------------------------

    @property
    def game(self) -> Game[Any]:
        """The game of this round so far."""
        return Game.parse(self.text)

    def side_of(self, seat: Seat) -> Player:
        """Return the side of a seat in this round."""
        return self.host_side if seat == "host" else self.host_side.other

    def seat_of(self, secret: str) -> Seat | None:
        """Return whose secret this is, in a time that does not tell how nearly it is one."""
        key = key_of(secret)
        if hmac.compare_digest(key, self.host_key):
            return "host"
        if self.guest_key is not None and hmac.compare_digest(key, self.guest_key):
            return "guest"
        return None

    def to_json(self) -> dict[str, Any]:
        """Return all that anybody may see, as plain data for JSON."""
        game = self.game
        guest: Seat | None = None if self.guest_key is None else "guest"
        seats: dict[Player, Seat | None] = {self.host_side: "host", self.host_side.other: guest}
        return {
            "room": self.id,
            "version": self.version,
            "round": self.round,
            "seats": {player.value: seats[player] for player in Player},
            "view": view(game),
            "result": self._result(game),
            "rematch": self.agreed,
        }

    def _result(self, game: Game[Any]) -> dict[str, Any] | None:
        if self.resigned:
            winner = self.resigned.other
            text = f"{winner} wins, {self.resigned} resigned"
            return {"winner": winner.value, "by": "resignation", "text": text}
        if game.outcome is None:
            return None
        outcome = game.outcome
        name = outcome.winner and outcome.winner.value
        return {"winner": name, "by": outcome.termination.value, "text": str(outcome)}

    # -- what may be done ------------------------------------------------------------------

    def sit(self, secret: str) -> Room:
        """Take the free seat. Whoever has a seat already keeps it."""
        if self.seat_of(secret):
            return self
        if self.guest_key is not None:
            raise Conflict("both seats are taken", self)
        return self._next(guest_key=key_of(secret))

    def play(self, secret: str, move: str, *, round: int, played: int) -> Room:
        """Make a move after `played` moves of a round."""
        side = self.side_of(self._require_seat(secret))
        game = self.game
        done = len(game.moves)
        with field("move"):
            number = game.position.read_move(move)
        mover = game.start.turn if played % 2 == 0 else game.start.turn.other
        made = game.moves[played] if round == self.round and 0 <= played < done else None
        if made == number and mover is side:
            return self
        if (round, played) != (self.round, done):
            raise Conflict(f"this is round {self.round} after {done} moves", self)
        if self._result(game):
            raise Conflict("the game is over", self)
        if mover is not side:
            raise Conflict(f"it is {mover}'s turn", self)
        with field("move"):
            game.play(number)
        return self._next(text=game.text)

    def resign(self, secret: str, *, round: int) -> Room:
        """Give up a round."""
        side = self.side_of(self._require_seat(secret))
        if round == self.round and self.resigned is side:
            return self
        if round != self.round or self._result(self.game):
            raise Conflict("the game is over", self)
        return self._next(resigned=side)

    def rematch(self, secret: str, *, round: int) -> Room:
        """Agree to another round after this one; it begins when both did, with sides swapped."""
        seat = self._require_seat(secret)
        if (round, seat) == (self.round, self.agreed) or round == self.round - 1:
            return self
        game = self.game
        if round != self.round or not self._result(game):
            raise Conflict("the game goes on", self)
        if self.guest_key is None:
            raise Conflict("nobody is there to play with", self)
        if self.agreed is None:
            return self._next(agreed=seat)
        return self._next(
            text=Game(game.start).text,
            host_side=self.host_side.other,
            round=self.round + 1,
            resigned=None,
            agreed=None,
        )

    def _require_seat(self, secret: str) -> Seat:
        seat = self.seat_of(secret)
        if seat is None:
            raise Problem(403, "no seat here has this secret")
        return seat

    def _next(self, **changes: Any) -> Room:
        return replace(self, version=self.version + 1, **changes)
