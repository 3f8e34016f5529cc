"""Wrong solutions: each is a right one with one fault, named for it, and the rule that it breaks.

A fault is a replacement in the source of a right solution. Faults that change results are in
`RESULTS`; they can be called in any process. Those that fight their process are in `PROCESS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SOLUTIONS = Path(__file__).parent / "solutions"


@dataclass(frozen=True)
class Wrong:
    """A right solution, what is replaced in it by what, and the rule that it then breaks."""

    exercise: str
    fault: str
    base: str
    old: str
    new: str
    rule: str

    def __str__(self) -> str:
        return f"{self.exercise}-{self.fault}"

    @property
    def source(self) -> str:
        """The faulty source."""
        right = (SOLUTIONS / f"{self.base}.py").read_text(encoding="utf-8")
        assert right.count(self.old) == 1, f"{self}: {right.count(self.old)} places to replace"
        return right.replace(self.old, self.new)


def _faults(exercise: str, base: str, *rows: tuple[str, str, str, str]) -> list[Wrong]:
    return [Wrong(exercise, fault, base, old, new, rule) for fault, old, new, rule in rows]


RESULTS = [
    *_faults(
        "state",
        "state_lists",
        ("o_may_be_ahead", "x - o not in (0, 1)", "abs(x - o) > 1", "too_many_o"),
        ("x_may_be_two_ahead", "x - o not in (0, 1)", "not 0 <= x - o <= 2", "too_many_x"),
        ("o_may_move_after_x_won", "if x_line and x == o:", "if False:", "moved_after_win"),
        ("x_may_move_after_o_won", "if o_line and x != o:", "if False:", "moved_after_win"),
        ("forgets_a_diagonal", ", (2, 4, 6)]", "]", "line"),
        ("a_wrong_line", "(1, 4, 7)", "(1, 4, 6)", "x_is_ahead"),
        ("draw_one_too_early", "x + o == 9", "x + o >= 8", "equal_marks"),
        ("turns_swapped", '"X_turn" if x == o else "O_turn"', '"X_turn" if x else "O_turn"', "equal_marks"),
        ("winner_swapped", 'return "O_wins"', 'return "X_wins"', "line"),
        ("returns_a_number", 'return "draw"', "return 0", "result type"),
        ("draw_before_wins", "    if x_line:\n", '    if x + o == 9:\n        return "draw"\n    if x_line:\n', "line"),
    ),
    *_faults(
        "state",
        "state_any_size",
        ("lines_need_not_share_a_cell", "not set.intersection(*lines[last])", "False", "no_single_last_move"),
        ("only_one_line_at_a_time", "not set.intersection(*lines[last])", "len(lines[last]) > 1", "line"),
        ("windows_off_by_one", "0 <= b < cols for", "0 <= b < cols - 1 for", "line"),
        ("k_is_always_three", "range(k)", "range(3)", "line"),
    ),
    *_faults(
        "valid",
        "valid_lists",
        ("any_difference_of_one", "if x != o and x != o + 1:", "if abs(x - o) > 1:", "too_many_o"),
        ("no_count", "if x != o and x != o + 1:", "if False:", "too_many_o"),
        ("o_may_move_after_x_won", 'if self.wins(board, "X") and x != o + 1:', "if False:", "both_have_lines"),
        ("x_may_move_after_o_won", 'if self.wins(board, "O") and x != o:', "if False:", "both_have_lines"),
        ("x_wins_with_three_marks_only", 'if self.wins(board, "X") and x != o + 1:', 'if self.wins(board, "X") and (x != o + 1 or x > 3):', "line"),
        ("window_off_by_one", "board[i][2 - i] for i in range(3)", "board[i][2 - i] for i in range(2)", "moved_after_win"),
        ("reads_a_row_as_a_column", "row[i] for row in board", "board[i][j] for j in range(3)", "moved_after_win"),
        ("refuses_a_full_board", "        return True\n\n", "        return x + o < 9\n\n", "line"),
        ("returns_one_for_true", "return True\n", "return 1\n", "result type"),
        ("returns_none_for_false", '        if self.wins(board, "O") and x != o:\n            return False', '        if self.wins(board, "O") and x != o:\n            return', "result type"),
    ),
    *_faults(
        "simulate",
        "simulate_lists",
        ("plays_on_after_the_end", 'winner != "None" or match is None', "match is None", "game over"),
        ("overwrites_cells", 'grid[row][col] != "."', "False", "cell taken"),
        ("forgets_the_other_diagonal", "            or all(grid[i][2 - i] == player for i in range(3))\n", "", "winner"),
        ("diagonal_window_off_by_one", "grid[i][i] == player for i in range(3)", "grid[i][i] == player for i in range(1, 3)", "winner"),
        ("wrong_winner", "winner = player", 'winner = "X"', "winner"),
        ("ignores_what_follows", "FORM.fullmatch(move)", "FORM.match(move)", "player"),
        ("takes_spaces", "FORM.fullmatch(move)", "FORM.fullmatch(move.strip())", "form"),
        ("takes_small_letters", "FORM.fullmatch(move)", "FORM.fullmatch(move.replace('x', 'X'))", "player"),
        ("enforces_turns", 'grid[row][col] != "."', 'grid[row][col] != "." or player == ("X", "O")["".join(bits).count("1") % 2 - 1]', "accepted"),
        ("takes_other_scripts", '([012]),([012])', "([012\u0660]),([012])", "form"),
        ("bits_as_numbers", '"".join(bits), winner', "int('0' + ''.join(bits)), winner", "result type"),
        ("winner_is_none_itself", '["".join(bits), winner]', '["".join(bits), None if winner == "None" else winner]', "result type"),
        ("rows_as_columns", "[\"\".join(row) for row in grid]", "[''.join(row) for row in zip(*grid)]", "board"),
    ),
    *_faults(
        "simulate",
        "simulate_class",
        ("takes_signs_and_zeros", 'if row not in list("012") or col not in list("012") or player not in list("XO"):\n            return False\n', 'try:\n            ok = 0 <= int(row) < 3 and 0 <= int(col) < 3 and player in list("XO")\n        except ValueError:\n            ok = False\n        if not ok:\n            return False\n', "form"),
        ("takes_the_empty_player", 'player not in list("XO")', 'player not in "XO"', "player"),
        ("wins_with_two", "== 3:", ">= 2:", "winner"),
    ),
    *_faults(
        "simulate-ultimate",
        "ultimate_lists",
        ("a_drawn_out_game_goes_on", "        if all(closed(board) for board in boards):\n            over = True\n", "", "next"),
        ("a_full_board_stays_open", "closed(board):\n    return winner_of(board) != \".\" or \".\" not in board", "closed(board):\n    return winner_of(board) != \".\"", "next"),
        ("a_won_board_stays_open", "return winner_of(board) != \".\" or \".\" not in board", "return \".\" not in board", "next"),
        ("plays_in_closed_boards", "                and not closed(boards[big])\n", "", "closed board"),
        ("no_forced_board", "(forced is None or forced == big)", "True", "forced board"),
        ("forced_into_closed_boards", "forced = None if closed(boards[small]) else small", "forced = small", "next"),
        ("forced_by_the_board", "forced = None if closed(boards[small]) else small", "forced = None if closed(boards[big]) else big", "next"),
        ("plays_on_after_the_end", "            not over\n", "            True\n", "game over"),
        ("overwrites_cells", 'and boards[big][small] == "."', "", "cell taken"),
        ("the_winner_is_always_x", "winner = owner\n", 'winner = "X"\n', "winner"),
        ("forgets_a_diagonal", ", (2, 4, 6)]", "]", "next"),
        ("takes_plus_signs", 'part in ("0", "1", "2") for', 'part.lstrip("+") in ("0", "1", "2") for', "form"),
        ("takes_another_first_comma", 'parts = move.split(",")', 'parts = move.replace(";", ",", 1).split(",")', "form"),
        ("next_with_a_space", '{forced // 3},{forced % 3}"', '{forced // 3}, {forced % 3}"', "next"),
        ("star_after_the_end", '        following = "None"', '        following = "*"', "next"),
        ("boards_side_by_side", "boards[r // 3 * 3 + c // 3][r % 3 * 3 + c % 3]", "boards[r][c]", "board"),
    ),
    *_faults(
        "simulate-ultimate",
        "ultimate_objects",
        ("the_ninth_mark_wins_nothing", "if has_line(self.cells, player):", "if has_line(self.cells, player) and '.' in self.cells:", "winner"),
    ),
    *_faults(
        "tic-tac-toe",
        "tic_tac_toe_lists",
        ("forgets_the_diagonal", "        if row == col:\n            self.diagonal[player] += 1\n", "", "diagonal"),
        ("other_diagonal_off_by_one", "self.n - 1", "self.n", "other diagonal"),
        ("players_share_counters", "self.cols = {1: [0] * n, 2: [0] * n}", "self.cols = dict.fromkeys((1, 2), [0] * n)", "no line"),
        ("rows_counted_as_columns", "self.rows[player][row] += 1", "self.rows[player][col] += 1", "row"),
        ("always_player_one", "return player if", "return 1 if", "row"),
        ("returns_true", "return player if self.n in counts else 0", "return self.n in counts", "result type"),
        ("returns_none", "return player if self.n in counts else 0", "return player if self.n in counts else None", "result type"),
        ("wins_with_one_less", "self.n in counts", "max(counts) >= max(1, self.n - 1)", "no line"),
        ("only_three_in_a_row", "self.n in counts", "min(self.n, 3) in counts", "no line"),
        ("state_shared_by_games", "        self.diagonal = {1: 0, 2: 0}\n", "        self.diagonal = TicTacToe.__dict__.get('kept') or {1: 0, 2: 0}\n        TicTacToe.kept = self.diagonal\n", "state between calls"),
        ("enforces_turns", "        self.rows[player][row] += 1\n", "        self.turn = 3 - getattr(self, 'turn', 2)\n        player = self.turn\n        self.rows[player][row] += 1\n", "row"),
    ),
    *_faults(
        "count",
        "count_walk",
        ("plays_on_after_a_win", "if wins(r, c) or depth + 1", "if depth + 1", "games"),
        ("forgets_draws", "if wins(r, c) or depth + 1 == rows * cols:\n                        total += 1\n", "if wins(r, c):\n                        total += 1\n                    elif depth + 1 == rows * cols:\n                        pass\n", "games"),
        ("no_other_diagonal", "((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 0), (1, 1))", "games"),
        ("exactly_k_in_a_row", "run >= k", "run == k", "games"),
        ("one_more_than_k", "run >= k", "run > k", "games"),
        ("looks_one_way_only", "for sign in (1, -1):", "for sign in (1,):", "games"),
        ("x_always_moves", '"XO"[depth % 2]', '"X"', "games"),
        ("never_undoes", '                    board[r][c] = "."\n', "", "games"),
        ("rows_and_columns_swapped", "0 <= a < rows and 0 <= b < cols and", "0 <= a < cols and 0 <= b < rows and", "exception"),
        ("returns_a_float", "return walk(0)", "return float(walk(0))", "result type"),
        ("returns_text", "return walk(0)", "return str(walk(0))", "result type"),
        ("counts_positions_too", "total += walk(depth + 1)", "total += 1 + walk(depth + 1)", "games"),
    ),
    *_faults(
        "count",
        "count_positions",
        ("counts_positions_once", "following.get(key, 0) + count", "1", "games"),
    ),
    *_faults(
        "games",
        "games_generator",
        ("plays_on_after_a_win", "any(after & line == line for line in lines) or len(game)", "len(game)", "game over"),
        ("leaves_out_draws", "if any(after & line == line for line in lines) or len(game) == rows * cols:\n                yield game", "if any(after & line == line for line in lines):\n                yield game\n            elif len(game) == rows * cols:\n                pass", "missing"),
        ("yields_unfinished_games", "            else:\n                yield from walk", "            else:\n                yield game\n                yield from walk", "unfinished"),
        ("every_win_twice", "                yield game\n", "                yield game\n                if len(game) < rows * cols:\n                    yield game\n", "duplicate"),
        ("starts_at_one", "game = (*moves, cell)", "game = (*moves, cell + 1)", "out of bounds"),
        ("leaves_out_the_last_cell", "for cell in range(rows * cols):", "for cell in range(max(1, rows * cols - 1)):", "missing"),
        ("no_columns", "((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 1), (1, -1))", "game over"),
        ("windows_too_long", "for i in range(k)", "for i in range(k + 1)", "game over"),
        ("yields_cells_as_pairs", "                yield game\n", "                yield tuple(divmod(each, cols) for each in game)\n", "result type"),
        ("yields_text", "                yield game\n", "                yield ' '.join(map(str, game))\n", "result type"),
        ("yields_bools", "game = (*moves, cell)", "game = (*moves, cell if cell > 1 else bool(cell))", "result type"),
        ("always_x", "yield from walk(game, other, after)", "yield from walk(game, after, other)", "unfinished"),
    ),
    *_faults(
        "games",
        "games_fixed",
        ("yields_its_own_list", "yield list(game)", "yield game", "duplicate"),
        ("never_takes_back", "                    board[cell] = None\n", "", "missing"),
        ("runs_wrap_around", "inside = 0 <= r < 4 and 0 <= c < 4\n", "inside = 0 <= 4 * r + c < 16\n", "unfinished"),
    ),
]  # fmt: skip

LOOP = "\n    while True:\n        pass\n"

PROCESS = [
    *_faults(
        "state",
        "state_lists",
        ("loops_on_one_board", '        return "draw"\n', "        while True:\n            pass\n", "time"),
        ("raises_on_one_board", 'return "draw"', "return board[9][9]", "exception"),
        ("changes_the_board", "    if x_line:\n", "    board[0] = '...'\n    if x_line:\n", "mutation"),
        ("loops_on_import", "LINES = [", "while True:\n    pass\nLINES = [", "time"),
        ("raises_on_import", "LINES = [", "import no_such_module\nLINES = [", "exception"),
    ),
    *_faults(
        "valid",
        "valid_masks",
        ("exits", "        return not o_won\n", "        import sys\n\n        sys.exit(0)\n", "exit"),
        ("exits_at_once", "        return not o_won\n", "        import os\n\n        os._exit(0)\n", "exit"),
        ("kills_itself", "        return not o_won\n", "        import os\n\n        os.kill(os.getpid(), 9)\n", "signal"),
        ("changes_the_board", "x = o = 0\n", "x = o = 0\n    board.reverse()\n", "mutation"),
    ),
    *_faults(
        "simulate",
        "simulate_masks",
        ("takes_the_moves_away", "    return [bits", "    moves.clear()\n    return [bits", "mutation"),
        ("prints_without_end", "if winner or not bit", "while winner:\n            print('won' * 1000)\n        if winner or not bit", "output"),
        ("fills_memory", "if winner or not bit", "while winner:\n            bits += 'x' * 10**8\n        if winner or not bit", "memory"),
        ("recurses_over_moves", "def simulateMoves(moves):\n", "def simulateMoves(moves):\n    def check(i):\n        return i == len(moves) or check(i + 1)\n\n    check(0)\n", "recursion"),
    ),
    *_faults(
        "simulate-ultimate",
        "ultimate_masks",
        ("raises_on_bad_text", "    if len(move) != 9", "    int(move[0])\n    if len(move) != 9", "exception"),
        ("loops_after_the_end", "        if move is None or winner is not None:\n", "        while winner is not None:\n            pass\n        if move is None:\n", "time"),
        ("catches_everything", "        if move is None or winner is not None:\n", "        while winner is not None:\n            try:\n                raise SystemExit\n            except BaseException:\n                pass\n        if move is None:\n", "time"),
    ),
    *_faults(
        "tic-tac-toe",
        "tic_tac_toe_lists",
        ("raises_on_the_last_row", "self.rows[player][row] += 1", "self.rows[player][row + 1] += 1", "exception"),
        ("reads_input", "        self.n = n\n", "        self.n = int(input('n? '))\n", "exception"),
        ("loops_on_a_win", "        return player if", "        while self.n in counts:\n            pass\n        return player if", "time"),
        ("fills_memory", "        self.n = n\n", "        self.n = n\n        self.board = [0] * 10**11\n", "memory"),
    ),
    *_faults(
        "count",
        "count_walk",
        ("never_ends", "    return walk(0)\n", "    while True:\n        walk(0)\n", "time"),
        ("recurses_without_end", "    return walk(0)\n", "    return count_games(rows, cols, k)\n", "recursion"),
    ),
    *_faults(
        "games",
        "games_generator",
        ("never_stops_yielding", "    return walk((), 0, 0)\n", "    while True:\n        yield from walk((), 0, 0)\n", "duplicate"),
        ("raises_at_the_end", "    return walk((), 0, 0)\n", "    yield from walk((), 0, 0)\n    raise RuntimeError('no more')\n", "exception"),
        ("fills_memory", "    return walk((), 0, 0)\n", "    return [bytes(10**9) for _ in range(99)]\n", "memory"),
    ),
]  # fmt: skip
