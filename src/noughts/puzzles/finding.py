"""Whether a position is a puzzle: every legal move is solved, and exactly one may be the best.

On grids the solver solves the moves, at Ultimate the endgame search. What either does not prove
within its limits is not a puzzle. This is how the set was made (``scripts/make_puzzles.py``);
to use the set it is not needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from threading import Event
from typing import Any

from noughts import solving
from noughts.errors import MissingExtra
from noughts.limits import Limits
from noughts.players import choose_move
from noughts.puzzles.answers import Answer, write_answers
from noughts.puzzles.puzzle import Kind, Puzzle
from noughts.puzzles.rating import Difficulty
from noughts.rules.game import Game
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import UltimatePosition
from noughts.solving.immediate import completions, forks, sides
from noughts.values import MoveValue, Value

__all__ = ["id_of", "puzzle_at", "values_of"]

_SECONDS = 20.0  # for all moves of a position; what takes longer is not a puzzle
_LEAST_MOVES = 4  # of a position where one move is to be found
_SLOWER_WINS = 2  # at most, beside the quickest win
_MOST_ANSWERS = 160  # of a puzzle, all positions together
_CASUAL_TRIES = 40


def puzzle_at(game: Game[Any]) -> Puzzle | None:
    """Return the puzzle that the position of a game is, or None if it is not one.

    >>> found = puzzle_at(Game.parse("3x3x3 b2 a1 a2"))
    >>> found.title, found.position.move_name(found.solution)
    ('O to move: the only move that stops X', 'c2')
    """
    position = game.position
    moves = values_of(position)
    kind = None if moves is None else _kind(position, moves)
    if moves is None or kind is None:
        return None
    answers = _answers(position, kind is Kind.WIN)
    if answers is None or _count(answers) > _MOST_ANSWERS:
        return None
    return Puzzle(
        id_of(position),
        kind,
        game.text,
        _difficulty(position, kind, answers).rating,
        write_answers(answers, position),
    )


def id_of(position: Position) -> str:
    """Return the id of a position's puzzle, which is that of all its symmetric images."""
    return hashlib.sha256(position.canonical().text.encode()).hexdigest()[:5]


@lru_cache(maxsize=1 << 16)
def values_of(position: Position) -> tuple[MoveValue, ...] | None:
    """Return the proved value of every legal move, best first, or None if one is not proved."""
    limits = Limits(seconds=_SECONDS, threads=1)
    if isinstance(position, GridPosition):
        moves = solving.analyse(position, limits).moves
        return moves if all(each.is_settled for each in moves) else None
    assert isinstance(position, UltimatePosition)
    found = _endgames().analyse(position, _supervisor(limits))
    return None if found is None else found.moves


@lru_cache(maxsize=1)
def _endgames() -> Any:
    try:
        from noughts.engine.ultimate.endgame import EndgameSolver
    except ImportError as error:
        raise MissingExtra("engine", "solving Ultimate needs numba") from error
    return EndgameSolver()


def _supervisor(limits: Limits) -> Any:
    from noughts.engine.supervisor import Supervisor

    return Supervisor(limits, Event())


def _kind(position: Position, moves: tuple[MoveValue, ...]) -> Kind | None:
    """Return what there is to find, if it is only one move and not the plainest one."""
    best, *others = moves
    if len(moves) < _LEAST_MOVES or best.value is Value.LOSS:
        return None
    if best.value is Value.WIN:
        wins = [each for each in others if each.value is Value.WIN]
        is_only = all(each.plies != best.plies for each in wins)
        return Kind.WIN if is_only and best.plies != 1 and len(wins) <= _SLOWER_WINS else None
    if any(each.value is Value.DRAW for each in others):
        return None
    return Kind.BLOCK if _is_threatened(position) else Kind.DRAW


def _is_threatened(position: Position) -> bool:
    """Return whether the other side would complete a line with its next two moves at most."""
    if not isinstance(position, GridPosition):
        return False
    mine, theirs, empty = sides(position)
    grid = position.grid
    if completions(grid, theirs, empty):
        return True
    return not completions(grid, mine, empty) and bool(forks(grid, theirs, empty))


def _answers(position: Position, is_win: bool) -> dict[int, Answer] | None:
    """Return what follows every move; the right ones of a win are followed to its end."""
    moves = values_of(position)
    if moves is None:
        return None
    answers = {}
    for known in moves:
        after = position.play_unchecked(known.move)
        is_right = known.order == moves[0].order
        if after.outcome is not None or (is_right and not is_win):
            answers[known.move] = Answer(known)
            continue
        reply = _best_reply(after, is_win=known.value is Value.WIN)
        if reply is None:
            return None
        following = _answers(after.play_unchecked(reply), is_win) if is_right else {}
        if following is None:
            return None
        answers[known.move] = Answer(known, reply, following)
    return answers


def _best_reply(position: Position, *, is_win: bool) -> int | None:
    """Return a best move; against a win, of equals the one that leaves the fewest ways to go on."""
    replies = values_of(position)
    if replies is None:
        return None
    equals = [each.move for each in replies if each.order == replies[0].order]
    if not is_win or len(equals) == 1:
        return min(equals)

    def ways(reply: int) -> int:
        following = values_of(position.play_unchecked(reply)) or ()
        return sum(each.order == following[0].order for each in following)

    return min(equals, key=lambda reply: (ways(reply), reply))


def _count(answers: Mapping[int, Answer]) -> int:
    return len(answers) + sum(_count(answer.following) for answer in answers.values())


# -- how hard it is ----------------------------------------------------------------------


def _difficulty(position: Position, kind: Kind, answers: Mapping[int, Answer]) -> Difficulty:
    solution = min(answers, key=lambda move: answers[move].known.order)
    lengths = [answer.known.plies or 0 for answer in answers.values()]
    return Difficulty(
        plies=answers[solution].known.plies or 0 if kind is Kind.WIN else max(lengths),
        forced=sum(_forced(position, answers)),
        moves=len(answers),
        missed=_missed(position, solution),
        is_quiet=_is_quiet(position, solution),
    )


def _forced(position: Position, answers: Mapping[int, Answer]) -> Iterator[bool]:
    """Yield of each reply of the line whether all others lose at once."""
    while True:
        move = min(answers, key=lambda move: (answers[move].known.order, move))
        answer = answers[move]
        if answer.reply is None or not answer.following:
            return
        position = position.play_unchecked(move)
        replies = values_of(position) or ()
        yield sum(each.plies != 2 for each in replies) <= 1
        position, answers = position.play_unchecked(answer.reply), answer.following


def _missed(position: Position, solution: int) -> float:
    """Return the share of casual players who play another move."""
    rng = Random(id_of(position))
    found = sum(
        choose_move(position, "casual", rng=rng).move == solution for _ in range(_CASUAL_TRIES)
    )
    return 1 - found / _CASUAL_TRIES


def _is_quiet(position: Position, move: int) -> bool:
    """Return whether a move neither threatens to complete a line nor captures a board."""
    after = position.play_unchecked(move)
    if isinstance(after, UltimatePosition):
        assert isinstance(position, UltimatePosition)
        return after.captured == position.captured
    assert isinstance(after, GridPosition)
    _, theirs, empty = sides(after)
    return not completions(after.grid, theirs, empty)
