"""The games for OpenSpiel; importing this registers ``noughts_mnk`` and ``noughts_ultimate``.

>>> import pyspiel
>>> import noughts.rl.openspiel
>>> pyspiel.load_game("noughts_mnk(rows=4,cols=4,k=3)").num_distinct_actions()
16
>>> pyspiel.load_game("noughts_ultimate(variant=open)").new_initial_state().legal_actions()[-1]
80

An action is the number of a move, one for each cell; OpenSpiel's own ``ultimate_tic_tac_toe`` has
nine actions and chooses a board and a cell one after the other.

OpenSpiel's ``MCTSBot`` in C++ crashes on games that are written in Python, on its own ones, too.
Its bot in Python, ``open_spiel.python.algorithms.mcts``, works.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noughts.errors import MissingExtra

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise MissingExtra("openspiel", "games for OpenSpiel need it") from error

from noughts.rl.episode import episode_of
from noughts.rl.shapes import shape_of
from noughts.rules.grid import Grid
from noughts.rules.parsing import AnyPosition
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition, Variant

__all__ = ["MnkGame", "NoughtsState", "UltimateGame"]

Parameters = Mapping[str, Any]


def _type_of(name: str, title: str, parameters: Parameters) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class NoughtsGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A game that begins with an empty board."""

    def __init__(self, kind: Any, begin: AnyPosition, params: Parameters) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=begin.size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=begin.size,
        )
        super().__init__(kind, info, params)
        self.start = begin

    def new_initial_state(self, state: Any = None) -> NoughtsState:
        """Return the empty board."""
        return NoughtsState(self, self.start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what fills tensors with what a player sees."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.start)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class NoughtsState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A position; player 0 is X, player 1 is O."""

    def __init__(self, game: NoughtsGame, position: AnyPosition) -> None:
        super().__init__(game)
        self.position: AnyPosition = position  # not the game: a copy of that would lose its start

    def current_player(self) -> int:
        """Return the player to move."""
        if self.position.outcome is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return 0 if self.position.turn is Player.X else 1

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_moves

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{'XO'[player]}({self.position.move_name(action)})"

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser, else 0."""
        winner = self.position.outcome.winner if self.position.outcome else None
        lead = 0.0 if winner is None else 1.0 if winner is Player.X else -1.0
        return [lead, -lead]

    def __str__(self) -> str:
        return self.position.text


class Observer:
    """Fills a tensor with the planes of `Batch.observe`, as the player sees them, planes first."""

    def __init__(self, begin: AnyPosition) -> None:
        rows, cols, planes = shape_of(begin)
        self.tensor = np.zeros(rows * cols * planes, np.float32)
        self.dict = {"observation": self.tensor.reshape(planes, rows, cols)}

    def set_from(self, state: NoughtsState, player: int) -> None:
        """Show a state to a player."""
        seen = episode_of(state.position).seen[player]
        self.dict["observation"][:] = np.moveaxis(seen, 2, 0)

    def string_from(self, state: NoughtsState, player: int) -> str:
        """Return the position as text."""
        return state.position.text


# OpenSpiel keeps what is registered until after Python has ended, when a function could no longer
# be released. Classes never are.

_MNK = _type_of("noughts_mnk", "m,n,k-game", {"rows": 3, "cols": 3, "k": 3})
_ULTIMATE = _type_of("noughts_ultimate", "Ultimate tic-tac-toe", {"variant": "standard"})


class MnkGame(NoughtsGame):
    """``noughts_mnk(rows=3,cols=3,k=3)``."""

    def __init__(self, params: Parameters | None = None) -> None:
        sizes = {"rows": 3, "cols": 3, "k": 3, **(params or {})}
        super().__init__(_MNK, GridPosition.start(Grid(**sizes)), params or {})


class UltimateGame(NoughtsGame):
    """``noughts_ultimate(variant=standard)``, or another name that `Variant.parse` reads."""

    def __init__(self, params: Parameters | None = None) -> None:
        variant = Variant.parse((params or {}).get("variant", "standard"))
        super().__init__(_ULTIMATE, UltimatePosition.start(variant), params or {})


pyspiel.register_game(_MNK, MnkGame)
pyspiel.register_game(_ULTIMATE, UltimateGame)
