"""What a worker can be asked: everything that thinks or counts, from plain data to plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from noughts.counting.listing import Games, Moves
from noughts.counting.questions import count
from noughts.counting.results import digits
from noughts.counting.tasks import Resources
from noughts.engine.engine import Engine
from noughts.engine.examine import examine
from noughts.engine.levels import choose_move, in_words
from noughts.engine.limit import Limit
from noughts.engine.review import review
from noughts.errors import LimitExceeded
from noughts.rules.game import Game
from noughts.rules.parsing import start
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition
from noughts.solving import minimax, solve
from noughts.solving.limits import Limits
from noughts.views import view

__all__ = ["JOBS", "Desk", "is_light", "warm_up"]

Data = dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """Where a job is done: how much memory there is, and whom to tell how far it is."""

    memory: int
    tell: Callable[[Data], None]

    @property
    def solver(self) -> Limits:
        """What the solver may use."""
        return Limits(memory=self.memory // 4)


def analyse(question: Data, desk: Desk) -> Data:
    """Say what every legal move is worth."""
    position = Game.parse(question["game"]).position
    limit = Limit(question["seconds"], question["nodes"])
    found = examine(position, limit, lambda known: desk.tell(known.to_json()), solver=desk.solver)
    return found.to_json()


def choose(question: Data, desk: Desk) -> Data:
    """Choose a move as a level would, and return it with the view of the game after it."""
    game = Game.parse(question["game"])
    position = game.position
    seed = question["seed"]
    rng = None if seed is None else Random(seed)
    limit = Limit(question["seconds"])
    choice = choose_move(position, question["level"], limit, rng, solver=desk.solver)
    game.play(choice.move)
    return {
        "move": position.move_name(choice.move),
        "game": game.text,
        "text": in_words(choice.known),
        "proved": choice.known is not None and choice.known.value is not None,
        "note": choice.note,
        "view": view(game),
    }


def review_game(question: Data, desk: Desk) -> Data:
    """Say what each move of a game changed."""
    limit = Limit(question["seconds"], question["nodes"])
    found = review(
        Game.parse(question["game"]),
        limit,
        lambda known: desk.tell(known.to_json()),
        solver=desk.solver,
    )
    return found.to_json()


def count_all(question: Data, desk: Desk) -> Data:
    """Count games, positions or endings from a position on."""
    position = _on_grid(question)
    counts = count(
        position,
        question["of"],
        up_to_symmetry=question["up_to_symmetry"],
        resources=Resources(
            memory=desk.memory // 2, threads=1, progress=lambda share: desk.tell({"share": share})
        ),
    )
    asked = {key: question[key] for key in ("of", "up_to_symmetry")}
    return {"grid": str(position.grid), "from": position.text, **asked, **counts.to_json()}


def list_games(question: Data, desk: Desk) -> Data:
    """List games from a number on."""
    games, first = _games(question), int(question["first"])
    walked = games.walk_outcomes(first, first + question["limit"])
    found = [(first + place, *game) for place, game in enumerate(walked)]
    return _listed(question, games, found)


def draw_games(question: Data, desk: Desk) -> Data:
    """Draw games at random, each equally likely."""
    games = _games(question)
    found = []
    for number in games.sample_numbers(question["number"], question["seed"]):
        moves = games[number]
        found.append((number, moves, games.outcome_of(moves)))
    return _listed(question, games, found)


JOBS: Mapping[str, Callable[[Data, Desk], Data]] = {
    "analyse": analyse,
    "move": choose,
    "review": review_game,
    "count": count_all,
    "games": list_games,
    "random": draw_games,
}


def is_light(position: GridPosition | UltimatePosition, question: Data) -> bool:
    """Return whether a question is answered at once, without numpy and compiled code."""
    is_small = isinstance(position, GridPosition) and position.grid.cells <= minimax.MAX_CELLS
    return is_small and question.get("of", "games") == "games"  # others may need numpy


def warm_up() -> None:
    """Load, or on a machine's first run compile, what the clock of a question shall not pay for."""
    engine = Engine()
    engine.load(start("ultimate"))
    engine.load(start("7x7x5"))
    solve(GridPosition.start("4x5x3"), Limits(nodes=1, memory=1 << 20))
    count(GridPosition.start("5x5x3"), "games", resources=Resources(threads=1))


def _on_grid(question: Data) -> GridPosition:
    position = Game.parse(question["game"]).position
    if not isinstance(position, GridPosition):
        raise LimitExceeded(f"nobody has counted the games of {position.game}: only those of grids")
    return position


def _games(question: Data) -> Games:
    return Games(_on_grid(question), outcome=question["outcome"])


def _listed(question: Data, games: Games, found: Iterable[tuple[int, Moves, Verdict]]) -> Data:
    """Return games with their numbers; each goes on from the game that was asked about."""
    listed = []
    for number, moves, outcome in found:
        game = Game.parse(question["game"])
        for move in moves:
            game.play(move)
        names = [games.start.move_name(move) for move in moves]
        listed.append(
            {"number": digits(number), "game": game.text, "moves": names, "outcome": outcome.value}
        )
    return {"from": games.start.text, "total": digits(games.total), "games": listed}
