"""The numbers of docs/learn/simulate.md and ultimate.md: the shortest lists that show a mistake."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from lessons.source import Mistake
from lessons.writing import number, table
from noughts import Grid, UltimatePosition, exercises
from noughts.counting import count
from noughts.rules.perft import perft

Moves = tuple[str, ...]
Replay = Callable[[Sequence[str]], list[str]]

TAKEN = '    if board[3 * int(row) + int(col)] != ".":'
RANGE = "if row not in DIGITS or col not in DIGITS:"
REJECTED = '        elif not is_legal(board, move):\n            bits.append("0")\n'
WON = 'if winner != "None":\n            bits'

NINE = tuple(f"{place // 3},{place % 3}" for place in range(9))  # cells, or boards
LINES = tuple(frozenset(line) for line in Grid(3, 3, 3).lines)
DRAWN = "XXOOOXXXO"
"""The marks of a full board without a line."""

GOOD = ("0,0,X", "0,1,X", "0,2,X", "0,0,O", "1,1,X", "2,0,X")
BAD = (
    "3,0,X",
    "-1,0,X",
    "00,0,X",
    " 0,0,X",
    "0,0,x",
    "0,0",
    "0,0,X,",
    "a,0,X",
    "\u0660,0,X",
    "\u00b2,0,X",
)

STANDARD_NAMES = ("bits", "winner", "row 0", "row 1", "row 2")
ULTIMATE_NAMES = ("bits", "winner", "next", *(f"row {row}" for row in range(9)))

SIMULATE = (
    Mistake.of("play goes on after a win", WON, "if False:\n            bits"),
    Mistake.of("a mark may be replaced", TAKEN, "    if False:"),
    Mistake.of("the list ends at the first bad move", REJECTED, f"{REJECTED}            break\n"),
    Mistake.of(
        "the turn order is enforced",
        "elif not is_legal(board, move):",
        'elif not is_legal(board, move) or move[-1] != "XO"[(9 - board.count(".")) % 2]:',
    ),
    Mistake.of(
        "`int(row) > 2` is the only test of a number", RANGE, "if int(row) > 2 or int(col) > 2:"
    ),
    Mistake.of(
        "`isdigit` decides what a number is",
        RANGE,
        "if not (row.isdigit() and col.isdigit() and int(row) < 3 and int(col) < 3):",
    ),
    Mistake.of("the number of parts is not checked", "if len(parts) != 3:", "if len(parts) < 3:"),
    Mistake.of(
        "small letters are players, too", "if player not in (", "if player.upper() not in ("
    ),
    Mistake.of("the diagonal to the left is forgotten", "(0, 4, 8), (2, 4, 6),", "(0, 4, 8),"),
)

FORCED = 'forced = cell if owners[cell] == "." else None'
FULL = '    if "." not in board:\n        return "#"\n'
CLOSED = '    if owners[board] != ".":'

NOT_FULL = Mistake.of("a full board is not closed", FULL, "")
NOT_OVER = Mistake.of(
    "a game without an open board is not over",
    'if winner != "None" or "." not in owners:',
    'if winner != "None":',
)
ULTIMATE = (
    Mistake.of("the move's board is forced, not its cell", FORCED, FORCED.replace("cell", "board")),
    Mistake.of("a closed board can be forced", FORCED, "forced = cell"),
    Mistake.of("a closed board can be played in, when the choice is free", CLOSED, "    if False:"),
    NOT_FULL,
    Mistake.of(
        "a rejected move forces a board, too",
        "        elif not is_legal(boards, owners, forced, move):\n",
        "        elif not is_legal(boards, owners, forced, move):\n"
        "            forced = int(move[4]) * 3 + int(move[6]) if len(move) == 9 else forced\n",
    ),
    Mistake.of(
        "small boards are drawn as rows",
        "boards[row // 3 * 3 + col // 3][row % 3 * 3 + col % 3]",
        "boards[row][col]",
    ),
    NOT_OVER,
)


def grown_lists(replay: Replay, alphabet: Sequence[str]) -> Iterator[Moves]:
    """Yield lists of moves in order of length, each of them one longer than a list seen before.

    Of the lists that lead to the same state only the first is continued; those with a rejected
    move on the way count apart, because a mistake may lie in what a rejected move leaves behind.
    """
    seen = set()
    level: list[Moves] = [()]
    while level:
        following = []
        for moves in level:
            for move in alphabet:
                longer = (*moves, move)
                yield longer
                bits, *state = replay(longer)
                key = ("0" in bits, *state)
                if key not in seen:
                    seen.add(key)
                    following.append(longer)
        level = following


def answer_of(replay: Callable[..., Any], moves: Moves) -> list[str] | str:
    """Return the result of a replay, or the name of the exception that it ends in."""
    try:
        result: list[str] = replay(moves)
    except Exception as error:  # which is just what is looked for
        return type(error).__name__
    return result


def shortest_list(
    wrong: Callable[..., Any], right: Replay, lists: Iterable[Moves]
) -> tuple[Moves, list[str], list[str] | str]:
    """Return the first list with a wrong answer, the right answer and the wrong one."""
    for moves in lists:
        expected, answer = right(moves), answer_of(wrong, moves)
        if answer != expected:
            return moves, expected, answer
    raise LookupError("no list has a wrong answer")


def drawn_ultimate() -> Moves:
    """Return the shortest drawn game of Ultimate: three marks close each of the nine boards.

    Every board is given to a player in advance, so that no three in a row belong to one, and a
    move is tried only where the board's marks still fit one line.
    """
    marks: list[frozenset[int]] = [frozenset()] * 9
    moves: list[str] = []

    def go_on(forced: int) -> bool:
        open_boards = [board for board in range(9) if marks[board] not in LINES]
        for board in [forced] if forced in open_boards else open_boards:
            for cell in range(9):
                before, after = marks[board], marks[board] | {cell}
                if before == after or not any(after <= line for line in LINES):
                    continue
                marks[board] = after
                moves.append(ultimate_move(board, cell, DRAWN[board]))
                if go_on(cell):
                    return True
                moves.pop()
                marks[board] = before
        return not open_boards

    assert go_on(0)
    return tuple(moves)


def full_board() -> Moves:
    """Return the shortest list in which a move names a full board.

    A mark on a cell sends the next move to the board of that cell, and only a mark on its first
    cell leads back to the first board. So all marks there need a move back, but for the one on
    the first cell; and the last move back is the one that names the full board.
    """
    moves = []
    for cell in range(9):
        moves.append(ultimate_move(0, cell, DRAWN[cell]))
        if cell:
            moves.append(ultimate_move(cell, 0, "X"))
    return tuple(moves)


def ultimate_move(board: int, cell: int, player: str) -> str:
    """Return a move of Ultimate as text."""
    return f"{board // 3},{board % 3},{cell // 3},{cell % 3},{player}"


def simulate_lists() -> Iterator[Moves]:
    """Yield lists of good and of bad moves on 3x3."""
    return grown_lists(exercises.simulate, [*GOOD, *BAD])


def ultimate_lists(mistake: Mistake) -> Iterator[Moves]:
    """Yield lists of moves of Ultimate that can show the mistake."""
    if mistake is NOT_OVER:
        return iter([drawn_ultimate()])
    if mistake is NOT_FULL:
        return iter([full_board()])
    corner = [ultimate_move(board, cell, "X") for board in range(3) for cell in range(4)]
    return grown_lists(exercises.simulate_ultimate, corner)


def differences(
    expected: list[str], answer: list[str] | str, names: Sequence[str]
) -> tuple[str, str]:
    """Return what is right and what was said, where that differs."""
    if isinstance(answer, str):
        return f"{names[0]} `{expected[0]}`", f"`{answer}`"
    places = [place for place in range(len(names)) if expected[place] != answer[place]]
    right, said = (
        ", ".join(f"{names[place]} `{result[place]}`" for place in places)
        for result in (expected, answer)
    )
    return right, said


def as_code(moves: Moves) -> str:
    """Return a list of moves for a page."""
    return " ".join(f"`{move}`" for move in moves)


def simulate_values() -> dict[str, str]:
    """Return what docs/learn/simulate.md leaves open, by name."""
    rows = []
    for mistake in SIMULATE:
        wrong = mistake.made_in("simulate", "simulate")
        moves, right, said = shortest_list(wrong, exercises.simulate, simulate_lists())
        rows.append([mistake.about, as_code(moves), *differences(right, said, STANDARD_NAMES)])
    games = count("3x3x3")
    return {
        "mistakes": table(["mistake", "shortest list", "right", "said"], rows, right=()),
        "good_moves": as_code(GOOD),
        "bad_moves": as_code(BAD),
        "well_formed": number(len(NINE) * 2),
        "int_digits": number(sys.int_info.default_max_str_digits),
        "games_3x3": number(games.total),
        "x_wins_3x3": number(games.x_wins),
        "o_wins_3x3": number(games.o_wins),
        "draws_3x3": number(games.draws),
    }


def ultimate_values() -> dict[str, str]:
    """Return what docs/learn/ultimate.md leaves open, by name."""
    rows, long_lists = [], {}
    for mistake in ULTIMATE:
        wrong = mistake.made_in("ultimate", "simulate_ultimate")
        lists = ultimate_lists(mistake)
        moves, right, said = shortest_list(wrong, exercises.simulate_ultimate, lists)
        shown = as_code(moves) if len(moves) < 9 else f"{len(moves)} moves, below"
        rows.append([mistake.about, shown, *differences(right, said, ULTIMATE_NAMES)])
        long_lists[mistake.about] = moves
    values = {
        "mistakes": table(["mistake", "shortest list", "right", "said"], rows, right=()),
        "full_board": wrapped(long_lists[NOT_FULL.about]),
        "full_length": str(len(long_lists[NOT_FULL.about])),
        "drawn_game": wrapped(long_lists[NOT_OVER.about]),
        "drawn_length": str(len(long_lists[NOT_OVER.about])),
        "drawn_rows": "\n".join(exercises.simulate_ultimate(long_lists[NOT_OVER.about])[3:]),
        "well_formed": number(len(NINE) ** 2 * 2),
    }
    start = UltimatePosition.start()
    return values | {f"perft_{depth}": number(perft(start, depth)) for depth in range(1, 5)}


def wrapped(moves: Moves) -> str:
    """Return a long list of moves, nine on a line."""
    return "\n".join(" ".join(moves[start : start + 9]) for start in range(0, len(moves), 9))
