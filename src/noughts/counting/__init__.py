"""Every game, listed and counted exactly.

::

    games      how many games, from any position        symmetric  the same up to symmetry
    boards     how many positions and endings           listing    the games themselves, by number
    ---------------------------------------------------------------------------------------------
    problem    what a sweep is asked                    sweeper    how it is answered
    frontier   the sweep in pure Python                 compiled   the sweep for large boards
    walk       every game walked, compiled              layers     every position listed
    ---------------------------------------------------------------------------------------------
    tasks      on all cores or a cluster
    moduli     primes, and the way back                 results    what counting gives
"""

from noughts.counting.boards import count_endings, count_positions
from noughts.counting.games import count_games
from noughts.counting.listing import Games
from noughts.counting.results import EndingCounts, GameCounts, PositionCounts
from noughts.counting.symmetric import count_games_up_to_symmetry
from noughts.counting.tasks import Resources

__all__ = [
    "EndingCounts",
    "GameCounts",
    "Games",
    "PositionCounts",
    "Resources",
    "count_endings",
    "count_games",
    "count_games_up_to_symmetry",
    "count_positions",
]
