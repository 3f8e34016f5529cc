"""OpenSpiel's Monte Carlo tree search as a player, if pyspiel is installed.

Its settings are those of its authors for solved games: UCT with c = 1, one random playout per
visit, and proofs of wins and losses (`solve`). The tests check that its rules and those of noughts
agree move for move. Two things differ:

- In Ultimate a free move is two actions, a board and a cell. Both are taken from one search, with
  the whole time for it: the best child of the root, and the best child of that.
- ``mnk(m, n, k)`` has m columns and n rows.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from noughts.errors import MissingExtra, NoughtsError
from noughts.limits import Limits
from noughts.matches.player import Answer, AnyGame, AnyPosition
from noughts.rules.parsing import start as start_of
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import Variant

__all__ = ["OpenSpielPlayer", "actions_of", "load"]

_MEMORY_MB = 1000
_MOST_SIMULATIONS = (1 << 31) - 1


class OpenSpielPlayer:
    """OpenSpiel's MCTSBot; a node is one of its simulations."""

    def __init__(self, name: str = "openspiel", c: float = 1.0) -> None:
        self.name = name
        self._c = c
        self._pyspiel = _pyspiel()
        self._rng = Random()

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Load the game; an error if OpenSpiel does not have it."""
        self._game = load(start)
        self._rng = Random(seed)

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        """Return the move that its search prefers."""
        spiel, position = self._pyspiel, game.start
        state = self._game.new_initial_state()
        for move in game.moves:
            for action in actions_of(position, move):
                state.apply_action(action)
            position = position.play_unchecked(move)
        seed = self._rng.getrandbits(31)
        bot = spiel.MCTSBot(
            self._game,
            spiel.RandomRolloutEvaluator(1, seed),
            self._c,
            min(limit.nodes or _MOST_SIMULATIONS, _MOST_SIMULATIONS),
            _MEMORY_MB,
            True,  # solve
            seed,
            False,  # verbose
            spiel.ChildSelectionPolicy.UCT,
            -1.0 if limit.seconds is None else limit.seconds,
        )
        node = bot.mcts_search(state)
        info = f"nodes {node.explore_count}"
        actions: list[int] = []
        mover = state.current_player()
        while state.current_player() == mover:
            # A node with few visits has no children yet; any move is played there.
            best = node.best_child() if node is not None and node.children else None
            actions.append(best.action if best else self._rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
            node = best
        return Answer(_move_of(position, actions), info)

    def close(self) -> None:
        """Do nothing: the search releases its memory by itself."""


def load(start: AnyPosition) -> Any:
    """Return OpenSpiel's game with this start, or raise an error if it has none."""
    if start != start_of(start.game):
        raise NoughtsError("OpenSpiel begins with an empty board; give openings as moves")
    if isinstance(start, GridPosition):
        grid = start.grid
        return _pyspiel().load_game(f"mnk(m={grid.cols},n={grid.rows},k={grid.k})")
    if start.variant is not Variant.STANDARD:
        raise NoughtsError(f"OpenSpiel plays grids and standard Ultimate, not {start.game}")
    return _pyspiel().load_game("ultimate_tic_tac_toe")


def actions_of(position: AnyPosition, move: int) -> list[int]:
    """Return a legal move as OpenSpiel's actions."""
    if isinstance(position, GridPosition):
        return [move]
    board, cell = divmod(move, 9)
    return [cell] if position.forced is not None else [board, cell]


def _move_of(position: AnyPosition, actions: list[int]) -> int:
    """Return the move of OpenSpiel's actions."""
    if isinstance(position, GridPosition):
        return actions[0]
    board = actions[0] if position.forced is None else position.forced
    return board * 9 + actions[-1]


def _pyspiel() -> Any:
    try:
        return import_module("pyspiel")
    except ImportError as error:
        raise MissingExtra("openspiel", "a match against OpenSpiel needs it") from error
