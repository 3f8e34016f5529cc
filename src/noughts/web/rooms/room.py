"""A room: a game between two people who share a link, as an immutable value.

The *host* opens the room and the *guest* takes the other seat. They play one *round* after the
other and swap sides in between. Everyone with the link can watch; only the secret of a seat
allows to act for it. The room holds a hash of each secret, never the secret itself.

An action says when it applies: this move, after N moves of this round. So a request that is
repeated because its response was lost changes nothing and gets the same response, and one that
comes too late is refused with the current state of the room.

A room is looked at, and acted in, at a time (`Room.at`). A flag that has fallen by then has ended
the round, whether or not that is in the file yet.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import hmac
import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from noughts.rules.chances import can_still_win
from noughts.rules.game import Game
from noughts.rules.player import Player
from noughts.views import view
from noughts.web.errors import ApiError, field
from noughts.web.rooms.clock import Clock, TimeControl

__all__ = ["Conflict", "Greeting", "Person", "Room", "Seat", "id_of", "key_of"]

Seat = Literal["host", "guest"]

Greeting = Literal["Good luck!", "Well played!", "Nice move!", "Thanks!", "One more?"]
"""All that players can say: there is nothing to moderate."""

GREETING_PAUSE = 5.0  # seconds until the same person may greet again
_SAID_SECONDS = 4.0  # for which a greeting is part of the state


def key_of(secret: str) -> bytes:
    """Return the hash of a secret. Secrets are long and random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def id_of(secret: str) -> str:
    """Return the id of the room that a host's secret opens, which is as hard to guess."""
    # Derived from the secret, so that a repeated request finds the room that it opened before.
    data = secret.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(data, digest_size=12, person=b"noughts room").digest()
    return base64.urlsafe_b64encode(digest).decode()


class Conflict(ApiError):
    """An action that does not fit the current state of the room, which is part of the response."""

    def __init__(self, message: str, room: Room) -> None:
        super().__init__(409, message)
        self.room = room

    def to_json(self) -> dict[str, Any]:
        """Return the error as plain data for JSON, with the room beside it."""
        return {**super().to_json(), "room": self.room.to_json()}


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits on a seat: the name, and what was said last, and when."""

    name: str = ""
    greeting: Greeting | None = None
    greeted: float | None = None

    def says(self, now: float) -> Greeting | None:
        """Return the greeting that is part of the state at a time."""
        return self.greeting if self._is_within(_SAID_SECONDS, now) else None

    def greet(self, greeting: Greeting, now: float) -> Person:
        """Return the person after a greeting, which has no effect if it is said already."""
        if not self._is_within(GREETING_PAUSE, now):
            return replace(self, greeting=greeting, greeted=now)
        if greeting == self.greeting:
            return self
        assert self.greeted is not None
        wait = {"Retry-After": str(math.ceil(self.greeted + GREETING_PAUSE - now))}
        raise ApiError(429, "wait a moment until the next greeting", headers=wait)

    def _is_within(self, seconds: float, now: float) -> bool:
        # A machine that was started anew counts its time anew.
        return self.greeted is not None and 0 <= now - self.greeted < seconds


@dataclass(frozen=True, slots=True)
class Room:
    """The state of a room; an action returns the next state, or the same if it was done already.

    `version` counts changes. `host_side` is the host's side in this round, `resigned` the side
    that resigned, `agreed` the seat that wants another round. `now` is when the room is looked
    at, by the server's monotonic clock, and not part of the state.
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
    clock: Clock | None = None
    host: Person = Person()
    guest: Person = Person()
    now: float = dataclasses.field(default=0.0, compare=False)

    # -- the state -------------------------------------------------------------------------

    def at(self, now: float) -> Room:
        """Return the room at a time; a flag that has fallen by then has ended the round."""
        seen = replace(self, now=now)
        falls_at = None if self.clock is None else self.clock.falls_at
        if self.clock is None or falls_at is None or now < falls_at:
            return seen
        return seen._next(clock=self.clock.flag())

    def resumed(self, now: float, extra: float) -> Room:
        """Return the room after a pause, in which no time ran; both sides get some more."""
        if self.clock is None or self.clock.running is None:
            return self.at(now)
        return self._next(clock=self.clock.resume(self.now, now, extra)).at(now)

    @property
    def game(self) -> Game[Any]:
        """The game of this round so far."""
        return Game.parse(self.text)

    def side_of(self, seat: Seat) -> Player:
        """Return the side of a seat in this round."""
        return self.host_side if seat == "host" else self.host_side.other

    def was_opened_for(
        self, game: Game[Any], side: Player, control: TimeControl | None = None
    ) -> bool:
        """Return whether the first round began so: this game, the host on this side, this clock."""
        if control != (self.clock and self.clock.control):
            return False
        host_side = self.host_side if self.round % 2 else self.host_side.other
        begun = self.game
        # Moves that were played before the first round are not in the later ones.
        has_moves = self.round > 1 or begun.moves[: len(game.moves)] == game.moves
        return host_side is side and begun.start == game.start and has_moves

    def seat_of(self, secret: str) -> Seat | None:
        """Return the seat of a secret, or None; the time this takes reveals nothing."""
        key = key_of(secret)
        if hmac.compare_digest(key, self.host_key):
            return "host"
        if self.guest_key is not None and hmac.compare_digest(key, self.guest_key):
            return "guest"
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the state without secrets, as plain data for JSON."""
        game = self.game
        guest: Seat | None = None if self.guest_key is None else "guest"
        seats: dict[Player, Seat | None] = {self.host_side: "host", self.host_side.other: guest}
        return {
            "room": self.id,
            "version": self.version,
            "round": self.round,
            "seats": {player.value: seats[player] for player in Player},
            "names": {player.value: self._person(player).name or None for player in Player},
            "view": view(game),
            "result": self._result(game),
            "rematch": self.agreed,
            **self.to_json_at(self.now),
        }

    def to_json_at(self, now: float) -> dict[str, Any]:
        """Return the part of the state that depends on the time, as plain data for JSON."""
        return {
            "clock": self.clock and self.clock.to_json(now),
            "greetings": {player.value: self._person(player).says(now) for player in Player},
        }

    def _person(self, side: Player) -> Person:
        return self._on("host" if side is self.host_side else "guest")

    def _result(self, game: Game[Any]) -> dict[str, Any] | None:
        if self.resigned:
            winner = self.resigned.other
            text = f"{winner} wins, {self.resigned} resigned"
            return {"winner": winner.value, "by": "resignation", "text": text}
        if self.clock and self.clock.fallen:
            late, winner = self.clock.fallen, self.clock.fallen.other
            if can_still_win(game.position, winner):
                return {"winner": winner.value, "by": "time", "text": f"{winner} wins on time"}
            text = f"draw, {late} ran out of time, but {winner} cannot win any more"
            return {"winner": None, "by": "time", "text": text}
        if game.outcome is None:
            return None
        outcome = game.outcome
        name = outcome.winner and outcome.winner.value
        return {"winner": name, "by": outcome.termination.value, "text": str(outcome)}

    # -- actions ---------------------------------------------------------------------------

    def sit(self, secret: str, name: str = "") -> Room:
        """Take the free seat; the secret of a taken seat keeps that seat."""
        if self.seat_of(secret):
            return self
        if self.guest_key is not None:
            raise Conflict("both seats are taken", self)
        return self._next(guest_key=key_of(secret), guest=Person(name))

    def play(
        self, secret: str, move: str, *, round: int, played: int, thought: float | None = None
    ) -> Room:
        """Make a move after `played` moves of a round; `thought` is how long it took the player."""
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
        if result := self._result(game):
            raise Conflict(f"the game is over: {result['text']}", self)
        if mover is not side:
            raise Conflict(f"it is {mover}'s turn", self)
        with field("move"):
            game.play(number)
        clock = self.clock
        if clock is not None:
            clock = clock.press(side, self.now, thought)
            if clock is None:
                raise Conflict("your time is over", self)
            if game.outcome:
                clock = clock.stop(self.now)
        return self._next(text=game.text, clock=clock)

    def resign(self, secret: str, *, round: int) -> Room:
        """Resign a round."""
        side = self.side_of(self._require_seat(secret))
        if round == self.round and self.resigned is side:
            return self
        if round != self.round or self._result(self.game):
            raise Conflict("the game is over", self)
        return self._next(resigned=side, clock=self.clock and self.clock.stop(self.now))

    def rematch(self, secret: str, *, round: int) -> Room:
        """Agree to another round with sides swapped; it begins once both seats agree."""
        seat = self._require_seat(secret)
        if (round, seat) == (self.round, self.agreed) or round == self.round - 1:
            return self
        game = self.game
        if round != self.round or not self._result(game):
            raise Conflict("the game is not over", self)
        if self.guest_key is None:
            raise Conflict("the other seat is free", self)
        if self.agreed is None:
            return self._next(agreed=seat)
        return self._next(
            text=Game(game.start).text,
            host_side=self.host_side.other,
            round=self.round + 1,
            resigned=None,
            agreed=None,
            clock=self.clock and Clock.of(self.clock.control),
        )

    def rename(self, secret: str, name: str) -> Room:
        """Give the person on a seat another name; an empty one takes it away."""
        seat = self._require_seat(secret)
        return self._with_person(seat, replace(self._on(seat), name=name))

    def greet(self, secret: str, greeting: Greeting) -> Room:
        """Say something to the other player."""
        seat = self._require_seat(secret)
        return self._with_person(seat, self._on(seat).greet(greeting, self.now))

    def _on(self, seat: Seat) -> Person:
        return self.host if seat == "host" else self.guest

    def _with_person(self, seat: Seat, person: Person) -> Room:
        return self if person == self._on(seat) else self._next(**{seat: person})

    def _require_seat(self, secret: str) -> Seat:
        seat = self.seat_of(secret)
        if seat is None:
            raise ApiError(403, "this is not the secret of a seat in this room")
        return seat

    def _next(self, **changes: Any) -> Room:
        return replace(self, version=self.version + 1, **changes)
