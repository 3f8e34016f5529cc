"""The tasks of a worker: everything that searches or counts, from plain data to plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from noughts import analysis
from noughts.counting.dispatch import count, grid_position_of
from noughts.counting.listing import Games, Moves
from noughts.counting.results import digits
from noughts.engine.engine import Engine
from noughts.errors import OutOfRange
from noughts.limits import Limits
from noughts.players import choose_move
from noughts.rules.game import Game
from noughts.rules.parsing import start
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition
from noughts.solving import minimax, solve
from noughts.views import view
from noughts.web.errors import api_error

__all__ = ["TASKS", "Context", "is_quick", "load_engine", "warm_up"]

Data = dict[str, Any]


@dataclass(frozen=True)
class Context:
    """The memory that a task may use, and where it reports its progress."""

    memory: int
    on_progress: Callable[[Data], None]

    def limits(self, request: Data) -> Limits:
        """Return the limits of a request."""
        return Limits(request["seconds"], request.get("nodes"), self.memory // 4)

    @property
    def counting_limits(self) -> Limits:
        """What a count may use."""
        return Limits(memory=self.memory // 2, threads=1)

    def report(self, known: analysis.Analysis | analysis.Review) -> None:
        """Report what is known so far."""
        self.on_progress(known.to_json())


def analyse(request: Data, context: Context) -> Data:
    """Return the value of every legal move."""
    position = Game.parse(request["game"]).position
    return analysis.analyse(position, context.limits(request), context.report).to_json()


def explore(request: Data, context: Context) -> Data:
    """Return what is proved of every legal move, and how many games go on from it."""
    game = Game.parse(request["game"])
    limits = replace(context.limits(request), memory=context.memory * 3 // 4, threads=2)
    found = analysis.explore(game, limits, lambda known: context.on_progress(known.to_json()))
    return {**found.to_json(), "view": view(game)}


def choose(request: Data, context: Context) -> Data:
    """Choose the move of a level, and return it with the view of the game after it."""
    game = Game.parse(request["game"])
    position = game.position
    seed = request["seed"]
    rng = None if seed is None else Random(seed)
    choice = choose_move(position, request["level"], context.limits(request), rng)
    game.play(choice.move)
    return {
        "move": position.move_name(choice.move),
        "game": game.text,
        "text": choice.phrase,
        "proved": choice.known is not None and choice.known.value is not None,
        "note": choice.note,
        "view": view(game),
    }


def review_game(request: Data, context: Context) -> Data:
    """Return what each move of a game changed."""
    game = Game.parse(request["game"])
    return analysis.review(game, context.limits(request), context.report).to_json()


def count_all(request: Data, context: Context) -> Data:
    """Count games, positions or endings from a position on."""
    position = grid_position_of(request["game"])
    counts = count(
        position,
        request["of"],
        up_to_symmetry=request["up_to_symmetry"],
        limits=context.counting_limits,
        on_progress=lambda share: context.on_progress({"share": share}),
    )
    asked = {key: request[key] for key in ("of", "up_to_symmetry")}
    return {"grid": str(position.grid), "from": position.text, **asked, **counts.to_json()}


def list_games(request: Data, context: Context) -> Data:
    """List games from a number on."""
    games, first = _games(request, context), int(request["first"])
    try:
        walked = games.walk_outcomes(first, first + request["limit"])
        found = [(first + place, *game) for place, game in enumerate(walked)]
    except OutOfRange as error:
        raise api_error(error, "first") from None
    return _listed(request, games, found)


def draw_games(request: Data, context: Context) -> Data:
    """Draw games at random, each equally likely."""
    games = _games(request, context)
    found = []
    for number in games.sample_numbers(request["number"], request["seed"]):
        moves = games[number]
        found.append((number, moves, games.outcome_of(moves)))
    return _listed(request, games, found)


TASKS: Mapping[str, Callable[[Data, Context], Data]] = {
    "analyse": analyse,
    "explore": explore,
    "move": choose,
    "review": review_game,
    "count": count_all,
    "games": list_games,
    "random": draw_games,
}


def is_quick(position: GridPosition | UltimatePosition, request: Data) -> bool:
    """Return whether a task takes a moment only, without numpy and compiled code."""
    is_small = isinstance(position, GridPosition) and position.grid.cells <= minimax.MAX_CELLS
    return is_small and request.get("of", "games") == "games"  # the others may need numpy


def load_engine() -> None:
    """Load the engine, compiled or not, so that no task spends its time on that."""
    engine = Engine()
    engine.load(start("ultimate"))
    engine.load(start("7x7x5"))


def warm_up(on_compiling: Callable[[], object]) -> None:
    """Load the compiled code, or compile it, so that no task spends its time on that.

    `on_compiling` is called once if something has to be compiled.
    """
    # They need numpy, which quick tasks do without.
    from noughts import kernels
    from noughts.counting import compiled_sweep

    is_told = False

    def notice() -> None:
        nonlocal is_told
        if not is_told:
            is_told = True
            on_compiling()

    with kernels.on_compiling(notice):
        load_engine()
        solve(GridPosition.start("4x5x3"), Limits(nodes=1, memory=1 << 20))
        compiled_sweep.load()


def _games(request: Data, context: Context) -> Games:
    return Games(request["game"], outcome=request["outcome"], limits=context.counting_limits)


def _listed(request: Data, games: Games, found: Iterable[tuple[int, Moves, Verdict]]) -> Data:
    """Return games with their numbers; each continues the game of the request."""
    listed = []
    for number, moves, outcome in found:
        game = Game.parse(request["game"])
        for move in moves:
            game.play(move)
        names = [games.start.move_name(move) for move in moves]
        listed.append(
            {"number": digits(number), "game": game.text, "moves": names, "outcome": outcome.value}
        )
    return {"from": games.start.text, "total": digits(games.total), "games": listed}
