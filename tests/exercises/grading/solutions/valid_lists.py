"""LeetCode's form, with rows, columns and diagonals as strings."""


class Solution:
    def validTicTacToe(self, board: list[str]) -> bool:
        x = "".join(board).count("X")
        o = "".join(board).count("O")
        if x != o and x != o + 1:
            return False
        if self.wins(board, "X") and x != o + 1:
            return False
        if self.wins(board, "O") and x != o:
            return False
        return True

    def wins(self, board, player):
        lines = list(board)
        lines += ["".join(row[i] for row in board) for i in range(3)]
        lines.append("".join(board[i][i] for i in range(3)))
        lines.append("".join(board[i][2 - i] for i in range(3)))
        return player * 3 in lines
