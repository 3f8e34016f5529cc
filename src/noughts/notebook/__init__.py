"""An interactive board for notebooks: ``board("4x4x3", o="casual")``.

Boards, positions and games draw themselves in a notebook without this package. The board that
`board` returns can be clicked; it needs ``pip install 'noughts[notebook]'``.

::

    widget   `BoardWidget`: the game in Python, drawn by the browser
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts.errors import MissingExtra
from noughts.rules.game import Game
from noughts.rules.position import Position

if TYPE_CHECKING:
    from noughts.notebook.widget import BoardWidget

__all__ = ["board"]


def board(
    game: str | Game[Any] | Position = "3x3x3",
    *,
    x: str | None = None,
    o: str | None = None,
    values: bool = False,
    seconds: float = 1.0,
) -> BoardWidget:
    """Return a board that can be played on, by mouse, touch and keyboard.

    The game is a text like ``4x4x3 b2 a1`` or ``ultimate``, a `Game` or a position. A side is
    played by people unless a level is named for it, like ``perfect`` (`noughts.players`).
    With `values` every legal move shows what it is worth. The computer takes at most `seconds`
    for a move.

    >>> played = board("3x3x3 b2 a1", o="perfect")
    >>> played.play("c3")
    >>> print(played.game)
        a   b   c
    1   O │   │(O)
       ───┼───┼───
    2     │ X │
       ───┼───┼───
    3     │   │ X
    3x3x3, X to move
    """
    try:
        from noughts.notebook.widget import BoardWidget
    except ModuleNotFoundError as error:
        raise MissingExtra("notebook", "an interactive board needs anywidget") from error
    return BoardWidget(game, x=x, o=o, values=values, seconds=seconds)
