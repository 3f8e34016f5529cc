"""The clock of a game: time for all moves of a side, and an increment for each of them.

A clock knows no time of its own. Whoever asks says what time it is, on the server's monotonic
clock, which all processes of a machine share. No time runs until both sides have made their first
move, as in chess on the web; then it runs for the side to move. A flag has fallen when the time of
a side has run out, whether or not anything was asked in that moment.

Those who play from afar are not to lose by it. A move says how long the player thought about it,
and only that is taken off, up to `LAG_SECONDS` less than what passed here. So a flag falls that
much later than the time is over: until then a move may be on its way.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from noughts.rules.player import Player

__all__ = ["LAG_SECONDS", "MOST_INCREMENT", "MOST_INITIAL", "Clock", "TimeControl"]

MOST_INITIAL = 3 * 3600  # seconds
MOST_INCREMENT = 180

LAG_SECONDS = 0.5

_FREE_MOVES = 2  # the first of each side


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for all moves of a side, and seconds that each move adds."""

    initial: int
    increment: int = 0

    def __str__(self) -> str:
        """Return minutes and seconds, as players write them: 3+2."""
        return f"{self.initial / 60:g}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of both sides; an action returns the clock after it.

    `x` and `o` are the seconds that were left when the present move began, `moves` how many moves
    were made on this clock, `running` the side whose time runs, and `since` when it began to run.
    `fallen` is the side whose time ran out.
    """

    initial: int
    increment: int
    x: float
    o: float
    moves: int = 0
    running: Player | None = None
    since: float = 0.0
    fallen: Player | None = None

    @classmethod
    def of(cls, control: TimeControl) -> Clock:
        """Return the clock at the beginning of a game."""
        return cls(control.initial, control.increment, control.initial, control.initial)

    @property
    def control(self) -> TimeControl:
        """The time control that this clock began with."""
        return TimeControl(self.initial, self.increment)

    @property
    def falls_at(self) -> float | None:
        """When the flag of the running side falls, if it makes no move."""
        if self.running is None:
            return None
        return self.since + self._kept(self.running) + LAG_SECONDS

    def left(self, side: Player, now: float) -> float:
        """Return the seconds that a side has left, 0 at least."""
        return max(self._kept(side) - self._used(side, now), 0.0)

    def press(self, side: Player, now: float, thought: float | None = None) -> Clock | None:
        """Return the clock after a move of a side, or None if the move came too late."""
        moved = replace(self, moves=self.moves + 1)
        if moved.moves < _FREE_MOVES:
            return moved
        if side is self.running:
            used = self._used(side, now)
            if thought is not None:
                used = min(max(thought, used - LAG_SECONDS), used)
            if used >= self._kept(side):
                return None
            moved = moved._with(side, self._kept(side) - used + self.increment)
        return replace(moved, running=side.other, since=now)

    def stop(self, now: float) -> Clock:
        """Return the clock at the end of the game."""
        if self.running is None:
            return self
        return replace(self._with(self.running, self.left(self.running, now)), running=None)

    def flag(self) -> Clock:
        """Return the clock after the flag of the running side has fallen."""
        assert self.running is not None
        return replace(self._with(self.running, 0.0), running=None, fallen=self.running)

    def resume(self, stopped: float, now: float, extra: float) -> Clock:
        """Return a running clock after a pause, in which time ran for neither side.

        Both sides get some more, as they have to find back to the board.
        """
        assert self.running is not None
        paused = self._with(self.running, self.left(self.running, stopped))
        return replace(paused, x=paused.x + extra, o=paused.o + extra, since=now)

    def to_json(self, now: float) -> dict[str, Any]:
        """Return what is left at a time, as plain data for JSON."""
        return {
            "initial": self.initial,
            "increment": self.increment,
            **{side.value: round(self.left(side, now), 3) for side in Player},
            "running": self.running and self.running.value,
        }

    # -- in the file -----------------------------------------------------------------------

    def to_row(self) -> dict[str, Any]:
        """Return all fields, as plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Clock:
        """Read what `to_row` wrote."""
        sides = {name: row[name] and Player(row[name]) for name in ("running", "fallen")}
        return cls(**{**row, **sides})

    def _used(self, side: Player, now: float) -> float:
        return max(now - self.since, 0.0) if side is self.running else 0.0

    def _kept(self, side: Player) -> float:
        return self.x if side is Player.X else self.o

    def _with(self, side: Player, seconds: float) -> Clock:
        return replace(self, x=seconds) if side is Player.X else replace(self, o=seconds)
