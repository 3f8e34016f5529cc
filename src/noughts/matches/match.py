"""A match: games between two players, each opening twice, each game judged and recorded.

The rules decide a game, or a `Forfeit` does: a player that makes an illegal move, is too late or
fails otherwise loses the game, and the record says why. The players are closed in any case.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random

from noughts.errors import (
    Forfeit,
    IllegalMove,
    NotationError,
    SizeError,
    brief,
    require_text,
    whole_number,
)
from noughts.limits import MOST_SEED, Limits, require_limits
from noughts.matches.openings import openings_of
from noughts.matches.player import AnyGame, Fault, MatchPlayer
from noughts.matches.score import Score
from noughts.rules.game import Game
from noughts.rules.parsing import start
from noughts.rules.player import Player, Verdict

__all__ = [
    "MARGIN",
    "GameRecord",
    "Match",
    "different_openings",
    "play_game",
    "play_match",
    "score_of",
]

MARGIN = 0.5
"""Seconds by which a move may be late, for the delay of pipes and of a busy machine."""

_TIMEOUT = 60.0  # seconds for a move where only nodes are limited
_MOST_GAMES = 1_000_000


@dataclass(frozen=True)
class Match:
    """The terms of a match; `a` and `b` name the players.

    The same match with the same seed has the same openings and the same random choices.
    """

    a: str
    b: str
    game: str = "ultimate"
    games: int = 100
    limit: Limits = field(default_factory=lambda: Limits(seconds=0.2))
    openings: str = "random:2"
    seed: int = 1
    margin: float = MARGIN

    def __post_init__(self) -> None:
        whole_number(self.games, "games", least=1, most=_MOST_GAMES)
        for name in ("a", "b"):
            require_text(getattr(self, name), f"player {name}")
        require_limits(self.limit)
        whole_number(self.seed, "seed", most=MOST_SEED)
        margin: object = self.margin
        if not isinstance(margin, int | float) or not 0 <= margin < 3600:
            raise SizeError(f"margin must be seconds from 0 on, not {brief(margin)}")
        self.opening_games(1)  # a wrong game or opening is refused here

    @property
    def numbers(self) -> range:
        """The numbers of its games; A has X in the odd ones."""
        return range(1, self.games + 1)

    def opening_games(self, count: int) -> list[AnyGame]:
        """Return the openings of the first `count` pairs of games."""
        return openings_of(self.openings, start(self.game), count, self.seed)

    def terms(self) -> dict[str, object]:
        """Return what two parts of one match must have in common, as plain data for JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "game": self.game,
            "seconds": self.limit.seconds,
            "nodes": self.limit.nodes,
            "threads": self.limit.threads,
            "openings": self.openings,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class GameRecord:
    """A game of a match: its players, its moves, and how it ended.

    `ending` is how the rules ended it (``line``, ``full``, ``most_boards``) or the `Fault` of the
    loser; then `reason` describes it. The first `opening` moves are the opening.
    """

    number: int
    x: str
    o: str
    a_side: Player
    text: str
    opening: int
    result: Verdict
    ending: str
    reason: str = ""
    seconds: tuple[float, ...] = ()

    @property
    def points(self) -> float:
        """The points of A: 1, 0.5 or 0."""
        if self.result is Verdict.DRAW:
            return 0.5
        return 1.0 if self.result is Verdict.win_of(self.a_side) else 0.0

    @property
    def is_forfeit(self) -> bool:
        """Whether a player lost it by a `Fault` rather than by the rules."""
        return self.ending in {*Fault}

    @property
    def game(self) -> AnyGame:
        """The game itself, to be replayed."""
        return Game.parse(self.text)

    def to_json(self) -> dict[str, object]:
        """Return the record as plain data for JSON."""
        return {
            "number": self.number,
            "x": self.x,
            "o": self.o,
            "a": self.a_side.value,
            "game": self.text,
            "opening": self.opening,
            "result": self.result.value,
            "ending": self.ending,
            "reason": self.reason or None,
            "seconds": [round(each, 3) for each in self.seconds],
        }

    @classmethod
    def from_json(cls, data: object) -> GameRecord:
        """Read what `to_json` wrote; the game must be one, with this result by the rules."""
        try:
            assert isinstance(data, Mapping)
            game = Game.parse(data["game"])
            record = cls(
                number=whole_number(data["number"], "number", least=1),
                x=require_text(data["x"], "x"),
                o=require_text(data["o"], "o"),
                a_side=Player(data["a"]),
                text=game.text,
                opening=whole_number(data["opening"], "opening", most=len(game.moves)),
                result=Verdict(data["result"]),
                ending=require_text(data["ending"], "ending"),
                reason=require_text(data["reason"] or "", "reason"),
                seconds=tuple(_time(each) for each in data["seconds"]),
            )
            record._require_true(game)
        except (AssertionError, KeyError, TypeError, ValueError) as error:
            raise NotationError(f"not a game of a match: {brief(data)} ({error})") from None
        return record

    def _require_true(self, game: AnyGame) -> None:
        """Raise `ValueError` unless the game can have ended like this, with A on this side."""
        if self.a_side is not (Player.X if self.number % 2 else Player.O):
            raise ValueError(f"A does not play {self.a_side} in game {self.number}")
        wins = {Verdict.win_of(player) for player in Player}
        if self.is_forfeit:
            possible = wins
        elif game.outcome is not None and self.ending == game.outcome.termination:
            possible = {game.outcome.verdict}
        else:
            raise ValueError(f"the game does not end by {brief(self.ending)}")
        if self.result not in possible:
            raise ValueError(f"the game does not end as {self.result}")


def _time(seconds: object) -> float:
    if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:  # type: ignore[operator]
        raise ValueError(f"{brief(seconds)} is not a time")
    return float(seconds)  # type: ignore[arg-type]


def play_match(
    match: Match,
    make_player: Callable[[str], MatchPlayer],
    numbers: Iterable[int] | None = None,
) -> Generator[GameRecord]:
    """Play a match, or only the games with these numbers, and yield them one by one.

    `make_player` turns a name into a player. Close the iterator if you do not exhaust it.
    """
    if not isinstance(match, Match):
        raise SizeError(f"a match is needed, not {brief(match)}")
    openings = match.opening_games((match.games + 1) // 2)
    with ExitStack() as stack:
        players = []
        for name in (match.a, match.b):
            player = make_player(name)
            stack.callback(player.close)
            players.append(player)
        for number in match.numbers if numbers is None else numbers:
            whole_number(number, "the number of a game", least=1, most=match.games)
            yield _play_numbered(match, players[0], players[1], number, openings)


def _play_numbered(
    match: Match, a: MatchPlayer, b: MatchPlayer, number: int, openings: list[AnyGame]
) -> GameRecord:
    """Play one game of a match: A has X in the odd ones."""
    a_side = Player.X if number % 2 else Player.O
    opening = openings[(number - 1) // 2]
    sides = {a_side: a, a_side.other: b}
    ended = play_game(sides, opening, match.limit, match.margin, _seed(match, number))
    return GameRecord(
        number=number,
        x=sides[Player.X].name,
        o=sides[Player.O].name,
        a_side=a_side,
        text=ended.game.text,
        opening=len(opening.moves),
        result=Verdict.DRAW if ended.winner is None else Verdict.win_of(ended.winner),
        ending=ended.ending,
        reason=ended.reason,
        seconds=tuple(ended.seconds),
    )


@dataclass
class _Ended:
    game: AnyGame
    winner: Player | None
    ending: str
    reason: str
    seconds: list[float]


def play_game(
    sides: Mapping[Player, MatchPlayer], opening: AnyGame, limit: Limits, margin: float, seed: int
) -> _Ended:
    """Play a game from an opening to its end, by the rules or by a forfeit."""
    game: AnyGame = Game(opening.start, opening.moves)
    seconds: list[float] = []
    turn = Player.X
    rng = Random(seed)
    try:
        for turn in Player:
            sides[turn].new_game(game.start, rng.getrandbits(32))
        while game.outcome is None:
            turn = game.turn
            seconds.append(_move(sides[turn], game, limit, margin))
    except Forfeit as forfeit:
        reason = f"{turn} ({sides[turn].name}) {forfeit}"
        return _Ended(game, turn.other, forfeit.cause, reason, seconds)
    return _Ended(game, game.outcome.winner, game.outcome.termination, "", seconds)


def _move(player: MatchPlayer, game: AnyGame, limit: Limits, margin: float) -> float:
    """Ask a player for a move and play it; return the seconds it took."""
    timeout = _TIMEOUT if limit.seconds is None else limit.seconds + margin
    begin = time.perf_counter()
    answer = player.choose(game, limit, timeout)
    took = time.perf_counter() - begin
    if limit.seconds is not None and took > timeout:
        raise Forfeit(Fault.TIME, f"took {took:.2f} s for a move, with {limit.seconds:g} s")
    try:
        game.play(answer.move)
    except IllegalMove as error:
        raise Forfeit(Fault.ILLEGAL, f"made an illegal move: {error}") from None
    return took


def score_of(records: Collection[GameRecord]) -> Score:
    """Return the score of A in these games."""
    return Score.of(((record.number - 1) // 2, record.points) for record in records)


def different_openings(records: Iterable[GameRecord]) -> int:
    """Return the number of different openings in these games."""
    return len({tuple(each.text.split()[: 1 + each.opening]) for each in records})


def _seed(match: Match, number: int) -> int:
    """Return the seed of a game; it does not depend on the games before it."""
    return Random(f"game {number} {match.seed}").getrandbits(32)
