"""noughts: the tic-tac-toe family.

Any ``rows x cols`` board with ``k`` in a row, and Ultimate tic-tac-toe.

>>> from noughts import Board, judge
>>> judge(Board.parse("XXX/OO./...")).verdict.value
'X_wins'
"""

from noughts.errors import IllegalMove, InvalidPosition, NotationError, NoughtsError, SizeError
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import parse_position, start
from noughts.rules.perft import perft, perft_split
from noughts.rules.player import Outcome, Player, Termination, Verdict
from noughts.rules.position import GridPosition, Position
from noughts.rules.symmetry import Symmetry
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.rules.verdict import Cause, Judgement, Reason, is_reachable, judge

__version__ = "0.1.0"

__all__ = [
    "Board",
    "Cause",
    "Game",
    "Grid",
    "GridPosition",
    "IllegalMove",
    "InvalidPosition",
    "Judgement",
    "NotationError",
    "NoughtsError",
    "Outcome",
    "Player",
    "Position",
    "Reason",
    "SizeError",
    "Symmetry",
    "Termination",
    "UltimatePosition",
    "Variant",
    "Verdict",
    "is_reachable",
    "judge",
    "parse_position",
    "perft",
    "perft_split",
    "start",
]
