"""Every game, counted and listed exactly.

::

    dispatch            count(): validates what is asked, picks the method
    listing             Games: every game by its number, listed by backtracking
    results             what a count returns, and how long numbers are written
    -------------------------------------------------------------------------------------
    games               games, from line-free boards            breadth_first   all positions
    boards              positions and endings, likewise         backtracking    all games
    burnside            games up to symmetry, likewise
    -------------------------------------------------------------------------------------
    problem             what a sweep is given: variables, and lines not to complete
    line_free           how many markings complete no line: picks the sweep, splits it into tasks
    sweep               the transfer-matrix sweep in pure Python
    compiled_sweep      the same compiled, modulo primes
    chinese_remainder   the primes, and from residues to the number
    runner              runs tasks in threads or on a cluster, with a checkpoint
"""

from noughts.counting.dispatch import count
from noughts.counting.listing import Games
from noughts.counting.results import EndingCounts, GameCounts, PositionCounts
from noughts.counting.runner import Runner

__all__ = ["EndingCounts", "GameCounts", "Games", "PositionCounts", "Runner", "count"]
