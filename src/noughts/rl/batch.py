"""`Batch`: thousands of boards of one game, played side by side."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from secrets import randbits
from typing import Any, SupportsIndex

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.errors import (
    IllegalMove,
    InvalidPosition,
    LimitExceeded,
    NotationError,
    SizeError,
    brief,
    whole_number,
)
from noughts.limits import human_size
from noughts.rl.codes import (
    DRAW,
    INVALID,
    O_TURN,
    O_WINS,
    X_WINS,
    Autoreset,
    Codes,
    Flags,
    Moves,
    Rewards,
)
from noughts.rl.judging import judge_many, marks_of
from noughts.rl.rules import code_of, rules_of
from noughts.rl.shapes import Where, shape_of, start_of
from noughts.rl.threads import in_parts, threads_of
from noughts.rules.board import Board
from noughts.rules.parsing import AnyPosition, position_of
from noughts.rules.position import Position
from noughts.rules.verdict import judge

__all__ = ["Batch", "memory_for", "seed_of"]

LEAST_BOARDS = 4096  # for a thread: fewer would not make up for starting it
_MODES = list(Autoreset)
_PER_BOARD = ("state", "verdicts", "rewards", "terminated", "illegal")
_NOTHING = np.zeros(0, np.uint8)


class Batch:
    """Boards of one game, in arrays; a step plays a move on each of them.

    An action is the number of a move: a cell of a grid, or at Ultimate 9 times the board plus the
    cell. `where` is the position that every board begins with, after a reset, too.

    >>> batch = Batch("3x3x3", 4)
    >>> batch.step([4, 4, 0, 8])
    >>> batch.step([0, 1, 4, 4])
    >>> print(batch[0].text, batch[3].text)
    3x3x3:O../.X./... 3x3x3:.../.O./..X
    >>> batch.legal_mask().sum(axis=1).tolist(), batch.observe().shape
    ([7, 7, 7, 7], (4, 3, 3, 3))

    These arrays are updated in place, so copy what you keep:

    - `verdicts`, int8: what each board is, as its place in ``list(noughts.Verdict)``.
    - `rewards`, float32, a column for X and one for O: what the last step brought, 1, -1 or 0.
    - `terminated`, bool: whether the game is over; with ``autoreset="same_step"`` whether the last
      step ended one.
    - `illegal`, bool: whether the last step's action was illegal. This happens only with
      ``illegal_loses``, which gives the game to the other side and leaves the board as it is.
      Otherwise an illegal action is an error, and no board is changed.

    Finished games have no legal action. A step ignores their action and either leaves them alone
    or begins anew, as `Autoreset` says.
    """

    def __init__(
        self,
        where: Where = "3x3x3",
        count: SupportsIndex = 1,
        *,
        autoreset: Autoreset | str = Autoreset.DISABLED,
        illegal_loses: bool = False,
        threads: int | None = None,
    ) -> None:
        self.start: AnyPosition = start_of(where)
        self.autoreset = Autoreset.named(autoreset)
        self.illegal_loses = bool(illegal_loses)
        self._threads = threads_of(threads)
        self._rules = rules_of(self.start)
        self._begin = self._rules.state_of(self.start)
        self._allocate(whole_number(count, "the number of boards"))
        self.reset()

    def _allocate(self, count: int) -> None:
        width, dtype = self._rules.width, self._rules.dtype
        final = count if self.autoreset is Autoreset.SAME_STEP else 0
        others = 11  # bytes: a verdict, two rewards and two flags
        with memory_for(
            (count + final) * width * dtype.itemsize + count * others, self._what(count)
        ):
            self.state: NDArray[Any] = np.empty((count, width), dtype)
            self._final: NDArray[Any] = np.empty((final, width), dtype)
            self.verdicts: Codes = np.empty(count, np.int8)
            self.rewards: Rewards = np.zeros((count, 2), np.float32)
            self.terminated: Flags = np.zeros(count, np.bool_)
            self.illegal: Flags = np.zeros(count, np.bool_)

    def _what(self, count: int) -> str:
        return f"{count:,} boards of {self.game}"

    @classmethod
    def of(
        cls, positions: Iterable[Where], *, autoreset: Autoreset | str = "disabled", **options: Any
    ) -> Batch:
        """Return a batch of positions of one game; a reset leads to its empty board.

        >>> Batch.of(["XX./OO./...", "X../.../..."]).turns.tolist()
        [0, 1]
        """
        found = [position_of(where) for where in positions]
        if not found:
            raise SizeError("a batch of no positions has no game: use Batch(game, 0)")
        game = found[0].game
        for number, position in enumerate(found):
            if position.game != game:
                raise NotationError(
                    f"a batch has one game: position {number} is of {position.game}, not {game}"
                )
        batch = cls(game, len(found), autoreset=autoreset, **options)
        for i, position in enumerate(found):
            batch.state[i] = batch._rules.state_of(position)
            batch.verdicts[i] = code_of(position)
        batch.terminated[:] = batch.verdicts > O_TURN
        return batch

    @classmethod
    def from_boards(cls, boards: NDArray[np.int8], k: SupportsIndex = 3, **options: Any) -> Batch:
        """Return a batch of the boards of a grid, given as `judge_many` takes them.

        A board that no game reaches is an error.

        >>> Batch.from_boards(np.array([[[1, 0, 0], [0, 2, 0], [0, 0, 0]]], np.int8))[0].text
        '3x3x3:X../.O./...'
        """
        grid, marks = marks_of(boards, k)
        verdicts = judge_many(boards, k)
        wrong = np.flatnonzero(verdicts == INVALID)
        if wrong.size:
            x, o = map(int, marks[wrong[0]])
            reasons = judge(Board(grid, x, o)).reasons
            raise InvalidPosition([f"board {wrong[0]}: {reason}" for reason in reasons])
        batch = cls(grid, len(boards), **options)
        batch.state[:], batch.verdicts[:] = marks, verdicts
        batch.terminated[:] = verdicts > O_TURN
        return batch

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_rules"}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self._rules = rules_of(self.start)

    # -- what a batch is -----------------------------------------------------------------

    @property
    def game(self) -> str:
        """The game's name."""
        return self.start.game

    @property
    def actions(self) -> int:
        """The number of actions, legal or not: one for each cell."""
        return self._rules.actions

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The shape of one observation: rows, columns and planes."""
        return shape_of(self.start)

    @property
    def turns(self) -> NDArray[np.int8]:
        """The side to move on each board, 0 for X and 1 for O; after the end, who would be next."""
        sides = np.empty(len(self), np.int8)
        self._rules.kernels.sides_to_move(*self._rules.head, self._rows, sides)
        return sides

    @property
    def _rows(self) -> NDArray[Any]:
        """The state as kernels take it."""
        return self._rules.rows(self.state)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __repr__(self) -> str:
        over = int(self.terminated.sum())
        return f"<Batch of {len(self):,} boards of {self.game}, {over:,} finished>"

    def __getitem__(self, which: Any) -> Any:
        """Return one board as a position, or several, by a slice or an array, as a new batch."""
        if isinstance(which, SupportsIndex) and not isinstance(which, np.ndarray):
            try:
                return self._rules.position_of(self.state[which])
            except IndexError:
                raise IndexError(f"board {which} of {len(self)}") from None
        return self._with(np.arange(len(self))[which])

    def __setitem__(self, which: Any, boards: Batch) -> None:
        """Put the boards of another batch of the game, and what their last step brought, here."""
        if not isinstance(boards, Batch) or boards.game != self.game:
            raise SizeError(f"boards of {self.game} are needed, not {brief(boards)}")
        for name in _PER_BOARD:
            getattr(self, name)[which] = getattr(boards, name)

    def __iter__(self) -> Iterator[Position]:
        return (self[i] for i in range(len(self)))

    def _with(self, numbers: NDArray[np.int64]) -> Batch:
        batch = object.__new__(type(self))
        batch.__dict__.update(self.__dict__)
        for name in _PER_BOARD:
            setattr(batch, name, getattr(self, name)[numbers])
        if self.autoreset is Autoreset.SAME_STEP:
            batch._final = self._final[numbers]
        return batch

    def copy(self) -> Batch:
        """Return a batch with the same boards that shares nothing with this one."""
        return self._with(np.arange(len(self)))

    # -- play ----------------------------------------------------------------------------

    def reset(self, which: Any = slice(None)) -> None:
        """Begin anew, everywhere or on the boards that an index, a slice or an array selects."""
        self.state[which] = self._begin
        self.verdicts[which] = code_of(self.start)
        self.rewards[which] = 0
        self.terminated[which] = self.illegal[which] = False

    def step(
        self,
        actions: Any,
        *,
        observation: NDArray[Any] | None = None,
        legal_mask: NDArray[Any] | None = None,
    ) -> None:
        """Play an action on each board, in place.

        Arrays given for the observations and the legal masks are filled on the way, which is
        faster than asking for them afterwards.

        >>> batch = Batch("3x3x3", 2)
        >>> mask = np.empty((2, 9), bool)
        >>> batch.step([0, 1], legal_mask=mask)
        >>> mask[1].nonzero()[0].tolist()
        [0, 2, 3, 4, 5, 6, 7, 8]
        >>> batch.step([4, 1])
        Traceback (most recent call last):
        noughts.errors.IllegalMove: board 1: b1 (cell 1) is taken by X
        """
        chosen = self._actions(actions)
        seen = self._room(observation, self.observation_shape, "observation")
        mask = self._room(legal_mask, (self.actions,), "legal_mask")
        if not self.illegal_loses:
            self._require_legal(chosen)
        self._in_parts(
            self._rules.kernels.step,
            *(self._rows, self._begin, self._rules.rows(self._final), self.verdicts),
            *(self.rewards.reshape(-1), self.terminated, self.illegal),
            *(chosen, seen, mask, _MODES.index(self.autoreset)),
        )

    def play(self, actions: Any) -> Batch:
        """Return the boards after an action on each; this batch stays as it is."""
        after = self.copy()
        after.step(actions)
        return after

    def random_actions(self, seed: int | None = None) -> Moves:
        """Return a random legal action for each board, -1 for finished games.

        All legal actions are equally likely. The same seed gives the same actions, whatever the
        number of threads is; so use another seed for each step.
        """
        word = seed_of(seed)
        actions = np.empty(len(self), np.int64)
        self._in_parts(self._rules.kernels.choose_actions, self._rows, self.verdicts, word, actions)
        return actions

    @property
    def final(self) -> Batch:
        """The last positions of the games that ended with the last step, in order.

        With ``autoreset="same_step"`` these boards have begun anew since.

        >>> batch = Batch("3x3x3 a1 a2 b1 b2", 3, autoreset="same_step")
        >>> batch.step([2, 8, 2])
        >>> print(*(position.text for position in batch.final))
        3x3x3:XXX/OO./... 3x3x3:XXX/OO./...
        """
        ended = np.flatnonzero(self.terminated)
        batch = self._with(ended)
        batch.autoreset = Autoreset.DISABLED
        if self.autoreset is Autoreset.SAME_STEP:
            batch.state = self._final[ended]
            of_x = batch.rewards[:, 0].astype(np.int8)
            batch.verdicts = np.array([DRAW, X_WINS, O_WINS], np.int8)[of_x]  # 0, 1 or -1
        return batch

    # -- what learners see ---------------------------------------------------------------

    def observe(
        self,
        out: NDArray[Any] | None = None,
        *,
        side: Any = None,
        legal_mask: NDArray[Any] | None = None,
    ) -> NDArray[np.int8]:
        """Return what the side to move sees on each board, or write it into an array.

        The array has the shape (boards, rows, columns, planes) and holds 0 and 1. The planes of a
        grid are the own marks, those of the other side, and the legal moves. Ultimate has nine
        rows for its boards, with nine cells each; its planes are the own marks, those of the other
        side, the boards that the own side captured, those that the other side captured, and the
        legal moves. With `side`, 0 for X and 1 for O, or one of them per board, it is this side
        that looks. An array `legal_mask` is filled on the way.
        """
        seen = self._new(self.observation_shape, np.int8) if out is None else out
        room = self._room(seen, self.observation_shape, "out")
        mask = self._room(legal_mask, (self.actions,), "legal_mask")
        self._observe(self._sides(side), room, mask)
        return seen

    def legal_mask(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return which actions are legal, (boards, actions), or write it into an array."""
        mask = self._new((self.actions,), np.bool_) if out is None else out
        self._observe(_no_sides, _NOTHING, self._room(mask, (self.actions,), "out"))
        return mask

    def boards(self) -> NDArray[np.int8]:
        """Return the marks, 0 for an empty cell, 1 for X and 2 for O, as `judge_many` takes them.

        >>> Batch("3x3x3 b2 a1", 1).boards().tolist()
        [[[2, 0, 0], [0, 1, 0], [0, 0, 0]]]
        """
        seen = self.observe(side=0)
        marks: NDArray[np.int8] = seen[..., 0] + 2 * seen[..., 1]
        return marks

    def _observe(self, sides: NDArray[np.int8], seen: Any, mask: Any) -> None:
        self._in_parts(self._rules.kernels.observe, self._rows, self.verdicts, sides, seen, mask)

    # -- checks --------------------------------------------------------------------------

    def _in_parts(self, kernel: Any, *arrays: Any) -> list[Any]:
        """Call a kernel for parts of the boards side by side; return what it returns."""
        return in_parts(
            lambda begin, end: kernel(*self._rules.head, *arrays, begin, end),
            *(len(self), self._threads, LEAST_BOARDS),
        )

    def _actions(self, actions: Any) -> Moves:
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu" and chosen.size:
            raise SizeError(f"actions are whole numbers, not {chosen.dtype}")
        if chosen.shape != (len(self),):
            raise SizeError(
                f"a step takes one action for each board, an array of shape ({len(self)},), "
                f"not {chosen.shape}"
            )
        return np.ascontiguousarray(chosen, np.int64)  # what does not fit becomes negative

    def _require_legal(self, actions: Moves) -> None:
        found = self._in_parts(self._rules.kernels.find_illegal, self._rows, self.verdicts, actions)
        board = next((first for first in found if first >= 0), None)
        if board is not None:
            action = int(actions[board])
            try:
                self[board].play(action)
            except IllegalMove as error:
                raise IllegalMove(f"board {board}: {error}") from None
            raise AssertionError(f"board {board}: the rules allow {action}")

    def _room(self, array: Any, shape: tuple[int, ...], name: str) -> NDArray[np.uint8]:
        """Return an array that a caller wants to have filled as bytes, in a row."""
        if array is None:
            return _NOTHING
        wanted = (len(self), *shape)
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iub":
            raise SizeError(f"{name} is an array of int8, uint8 or bool, not {brief(array)}")
        if array.dtype.itemsize != 1:
            raise SizeError(f"{name} is an array of int8, uint8 or bool, not {array.dtype}")
        if array.shape != wanted or not array.flags.c_contiguous or not array.flags.writeable:
            kind = "writeable, contiguous "
            raise SizeError(f"{name} is a {kind}array of shape {wanted}, not {array.shape}")
        return array.reshape(-1).view(np.uint8)

    def _new(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        size = (len(self), *shape)
        with memory_for(math.prod(size), f"an array of shape {size}"):
            return np.empty(size, dtype)

    def _sides(self, side: Any) -> NDArray[np.int8]:
        if side is None:
            return _no_sides
        sides = np.asarray(side)
        wrong = sides.dtype.kind not in "iu" or sides.shape not in ((), (len(self),))
        if wrong or ((sides < 0) | (sides > 1)).any():
            raise SizeError(f"a side is 0 for X or 1 for O, or an array of them, not {brief(side)}")
        return np.ascontiguousarray(np.broadcast_to(sides, len(self)), np.int8)


_no_sides = np.zeros(0, np.int8)


def seed_of(seed: int | None) -> Any:
    """Return a seed as a word of 64 bits; None is a new one each time."""
    if seed is None:
        return np.uint64(randbits(64))
    return np.uint64(whole_number(seed, "a seed", most=(1 << 64) - 1))


@contextmanager
def memory_for(needed: int, what: str) -> Iterator[None]:
    """Allocate something, or raise `LimitExceeded` if it needs more memory than there is.

    Systems may promise memory that they do not have, and end a process that uses it.
    """
    need = f"{what} need {human_size(needed)}"
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on this system
        there = needed
    if needed > there:
        raise LimitExceeded(f"{need}; this machine has {human_size(there)}")
    try:
        yield
    except MemoryError:
        raise LimitExceeded(f"{need}, which cannot be had") from None
