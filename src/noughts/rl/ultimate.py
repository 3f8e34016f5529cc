"""The rules of Ultimate and its variants for many boards at once, compiled.

A board is a row of integers, as `noughts.engine.ultimate.board` explains them, and that module
makes the moves. What a side sees are nine boards of nine cells with five planes: its own marks,
the other side's, the boards that it captured, those that the other side captured, and the legal
moves.
"""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import (
    ANY,
    CAPTURED,
    CLOSED,
    DRAWN,
    FORCED,
    LOST,
    SIDE,
    WON,
    State,
    copy,
    empty_cells,
    play,
)
from noughts.engine.ultimate.playout import random_move
from noughts.rl.bits import Bytes, first_word, write_cells
from noughts.rl.codes import (
    DRAW,
    NEXT_STEP,
    O_TURN,
    SAME_STEP,
    X_WINS,
    Codes,
    Flags,
    Moves,
    Rewards,
)
from noughts.rl.shapes import ULTIMATE_PLANES
from noughts.rules.ultimate import FULL

__all__ = ["CELLS"]

CELLS = 81

_ONE, _NINE = np.uint64(1), np.uint64(9)
_ALL = np.uint64(FULL)


@bare_kernel
def _can_play(state: State, action: int) -> bool:
    if action < 0 or action >= CELLS:
        return False
    board = action // 9
    return bool(_legal_cells(state, board) >> action % 9 & 1)


@bare_kernel
def _legal_cells(state: State, board: int) -> int:
    """Return the legal moves in a board of a game that goes on."""
    forced = state[FORCED]
    if (forced != ANY and forced != board) or state[CLOSED] >> board & 1:
        return 0
    return empty_cells(state, board)


@kernel
def find_illegal(states: State, verdicts: Codes, actions: Moves, begin: int, end: int) -> int:
    """Return the first board whose action is illegal, or -1; finished games take any action."""
    for i in range(begin, end):
        if verdicts[i] <= O_TURN and not _can_play(states[i], actions[i]):
            return i
    return -1


@kernel
def step(
    states: State,
    start: State,
    final: State,
    verdicts: Codes,
    rewards: Rewards,
    terminated: Flags,
    illegal: Flags,
    actions: Moves,
    observation: Bytes,
    mask: Bytes,
    autoreset: int,
    begin: int,
    end: int,
) -> None:
    """Play an action on each board, as `grids.step` does."""
    start_side = signed(start[SIDE])
    for number in range(begin, end):
        i = np.uint64(number)
        state = states[i]
        verdict = signed(verdicts[i])
        reward = np.float32(0)  # of X
        is_illegal = False
        is_over = verdict > O_TURN
        if is_over:
            if autoreset == NEXT_STEP:
                is_over = False
                copy(start, state)
                verdict = start_side
        else:
            side = verdict
            verdict = X_WINS + 1 - side
            is_illegal = not _can_play(state, actions[i])
            if not is_illegal:
                result = play(state, actions[i])
                if result == WON:
                    verdict = X_WINS + side
                elif result == DRAWN:
                    verdict = DRAW
                elif result != LOST:
                    verdict = 1 - side
            is_over = verdict > O_TURN
            if is_over:
                if verdict != DRAW:
                    reward = np.float32(1 if verdict == X_WINS else -1)
                if autoreset == SAME_STEP:
                    copy(state, final[i])
                    copy(start, state)
                    verdict = start_side
        verdicts[i] = verdict
        rewards[2 * number], rewards[2 * number + 1] = reward, -reward
        terminated[i] = is_over
        illegal[i] = is_illegal
        _write_planes(state, i, verdict, -1, observation, mask)


@kernel
def observe(
    states: State,
    verdicts: Codes,
    sides: NDArray[np.int8],
    observation: Bytes,
    mask: Bytes,
    begin: int,
    end: int,
) -> None:
    """Write the observations and masks for which there is room, as `grids.observe` does."""
    for number in range(begin, end):
        i = np.uint64(number)
        side = signed(sides[i]) if sides.size > 0 else -1
        _write_planes(states[i], i, signed(verdicts[i]), side, observation, mask)


@bare_kernel
def _write_planes(
    state: State, i: np.uint64, verdict: int, side: int, observation: Bytes, mask: Bytes
) -> None:
    """Write what a side sees, and the legal actions; -1 is the side to move."""
    if side < 0:
        side = signed(state[SIDE])
    x_boards, o_boards = state[CAPTURED], state[CAPTURED + 1]
    own_boards, other_boards = (o_boards, x_boards) if side else (x_boards, o_boards)
    for board in range(9):
        legal = np.uint64(0)
        if verdict <= O_TURN:
            legal = np.uint64(_legal_cells(state, board))
        at = (i * _NINE + np.uint64(board)) * _NINE
        if mask.size > 0:
            write_cells(mask, at, (legal,), _NINE)
        if observation.size > 0:
            planes = (
                np.uint64(state[9 * side + board]),
                np.uint64(state[9 - 9 * side + board]),
                _ALL if own_boards >> board & 1 else np.uint64(0),
                _ALL if other_boards >> board & 1 else np.uint64(0),
                legal,
            )
            write_cells(observation, at * np.uint64(ULTIMATE_PLANES), planes, _NINE)


@kernel
def choose_actions(
    states: State, verdicts: Codes, seed: np.uint64, actions: Moves, begin: int, end: int
) -> None:
    """Choose a random legal action for each board, -1 for finished games."""
    word = np.empty(1, np.uint64)
    for i in range(begin, end):
        actions[i] = -1
        if verdicts[i] <= O_TURN:
            state = states[i]
            word[0] = first_word(seed, i) | _ONE  # it must not be 0
            board, cell = random_move(state, signed(state[CLOSED]), signed(state[FORCED]), word)
            actions[i] = 9 * board + cell


@kernel
def sides_to_move(states: State, sides: NDArray[np.int8]) -> None:
    """Write the side to move on each board; after the end, the one that would be next."""
    for i in range(len(sides)):
        sides[i] = states[i, SIDE]
