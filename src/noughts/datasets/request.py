"""What an export is asked for, validated. The same request gives the same bytes."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from noughts.errors import NotationError, SizeError, brief, whole_number
from noughts.rules.parsing import AnyPosition, start
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.solving.ranking import MAX_CELLS

__all__ = ["ENDINGS", "TURNS", "Format", "Kind", "Request"]

Kind = Literal["states", "actions", "games"]
Format = Literal["parquet", "csv", "jsonl"]

TURNS = (Verdict.X_TURN.value, Verdict.O_TURN.value)
ENDINGS = (Verdict.X_WINS.value, Verdict.O_WINS.value, Verdict.DRAW.value)

MOST_ANALYSED_CELLS = 1024
_MOST_SAMPLED = 100_000_000


@dataclass(frozen=True)
class Request:
    """Which rows to write, and how.

    `kind` is what a row is about: a position, a move in a position, or a game. Of the positions
    (and of the games) only those with one of the `verdicts` are written; none stands for all.
    `up_to_symmetry` writes one of each orbit, its canonical form. `sample` draws that many
    positions or games at random, by the `seed`; `start` and `limit` are a range of the games by
    number. Positions of large games are analysed with up to `nodes` nodes each. `test_share` is
    the share of the canonical forms whose rows go to the test split.

    >>> Request("states", "3x3x3", verdicts=("draw",)).command
    'noughts export states 3x3x3 --format parquet --verdict draw'
    """

    kind: Kind
    game: str
    format: Format = "parquet"
    verdicts: tuple[str, ...] = ()
    up_to_symmetry: bool = False
    sample: int | None = None
    seed: int | None = None
    start: int = 0
    limit: int | None = None
    nodes: int | None = None
    test_share: float = 0.2

    def __post_init__(self) -> None:
        _require_one_of("an export", self.kind, get_args(Kind))
        _require_one_of("a format", self.format, get_args(Format))
        self._set("game", start(self.game).game)
        self._check_verdicts()
        self._check_numbers()
        if self.is_sampled:
            self._check_sample()
        else:
            self._check_listing()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_verdicts(self) -> None:
        if isinstance(self.verdicts, str):
            raise NotationError(f"verdicts are a list of names, not {brief(self.verdicts)}")
        known = {"states": TURNS + ENDINGS, "actions": TURNS, "games": ENDINGS}[self.kind]
        for verdict in self.verdicts:
            _require_one_of(f"a verdict of {self.kind}", verdict, known)
        # In one order, whatever the order they were given in.
        self._set("verdicts", tuple(verdict for verdict in known if verdict in self.verdicts))

    def _check_numbers(self) -> None:
        share = self.test_share
        is_number = isinstance(share, int | float) and not isinstance(share, bool)
        if not is_number or not 0 <= share < 1:
            raise SizeError(f"the test share must be from 0 to less than 1, not {brief(share)}")
        self._set("test_share", float(share))
        if not isinstance(self.up_to_symmetry, bool):
            raise SizeError(f"up_to_symmetry must be a bool, not {brief(self.up_to_symmetry)}")
        self._set("start", whole_number(self.start, "start"))
        if self.limit is not None:
            self._set("limit", whole_number(self.limit, "limit"))
        if self.sample is not None:
            self._set("sample", whole_number(self.sample, "sample", least=1, most=_MOST_SAMPLED))
        if self.seed is not None:
            self._set("seed", whole_number(self.seed, "seed"))
        if self.kind != "games" and (self.start or self.limit is not None):
            raise NotationError("start and limit are for games, which have numbers")
        if self.nodes is not None:
            if self.kind == "games" or self.is_listed:
                raise NotationError(
                    "nodes are for positions that must be searched: samples of boards of more "
                    f"than {MAX_CELLS} cells and of Ultimate"
                )
            self._set("nodes", whole_number(self.nodes, "nodes", least=1))
        elif self.kind != "games" and not self.is_listed:
            self._set("nodes", 10_000)

    def _check_sample(self) -> None:
        if self.seed is None:
            self._set("seed", 0)
        if self.kind == "games" and (self.start or self.limit is not None or self.up_to_symmetry):
            raise NotationError("a sample of games is drawn from all: without range or symmetry")
        position = self.position
        if position.size > MOST_ANALYSED_CELLS:
            raise SizeError(
                f"samples are drawn on boards of up to {MOST_ANALYSED_CELLS:,} cells; "
                f"{self.game} has {brief(position.size)}"
            )

    def _check_listing(self) -> None:
        if self.seed is not None:
            raise NotationError("a seed is for a sample")
        if self.up_to_symmetry and (self.start or self.limit is not None):
            raise NotationError("games up to symmetry have no numbers: without start and limit")

    # -- what follows from it ------------------------------------------------------------

    @property
    def is_sampled(self) -> bool:
        """Whether rows are drawn at random."""
        return self.sample is not None

    @cached_property
    def position(self) -> AnyPosition:
        """The starting position of the game."""
        return start(self.game)

    @property
    def is_listed(self) -> bool:
        """Whether the game is a grid so small that a table has all of its positions."""
        return isinstance(self.position, GridPosition) and self.position.size <= MAX_CELLS

    @property
    def wanted(self) -> tuple[str, ...]:
        """The verdicts to write: those asked for, or all that have rows."""
        everything = {"states": TURNS + ENDINGS, "actions": TURNS, "games": ENDINGS}[self.kind]
        return self.verdicts or everything

    @property
    def command(self) -> str:
        """The command line that gives these rows, without the folder."""
        words = ["noughts", "export", self.kind, self.game, "--format", self.format]
        for verdict in self.verdicts:
            words += ["--verdict", verdict]
        if self.up_to_symmetry:
            words.append("--up-to-symmetry")
        for name in ("sample", "seed", "limit", "nodes"):
            if getattr(self, name) is not None:
                words += [f"--{name}", str(getattr(self, name))]
        if self.start:
            words += ["--start", str(self.start)]
        if self.test_share != Request.test_share:
            words += ["--test-share", repr(self.test_share)]
        return shlex.join(words)

    def to_json(self) -> dict[str, Any]:
        """Return the request as plain data for JSON."""
        return {**asdict(self), "verdicts": list(self.verdicts)}

    @property
    def text(self) -> str:
        """What is exported, in words: ``states of 3x3x3``."""
        return f"{self.kind} of {self.game}"


def _require_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in known:
        raise NotationError(f"{name} is one of {', '.join(known)}, not {brief(value)}")
