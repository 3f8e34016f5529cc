"""Objects: a small board knows its cells and whether it is closed."""

from dataclasses import dataclass, field


@dataclass
class Small:
    cells: list[str] = field(default_factory=lambda: ["."] * 9)
    owner: str = ""

    @property
    def is_closed(self):
        return bool(self.owner) or "." not in self.cells

    def mark(self, cell, player):
        self.cells[cell] = player
        if has_line(self.cells, player):
            self.owner = player


def has_line(cells, player):
    rows = [cells[i : i + 3] for i in (0, 3, 6)]
    columns = [cells[i::3] for i in range(3)]
    return [player] * 3 in rows + columns + [cells[::4], cells[2:7:2]]


class Solution:
    def simulateUltimate(self, moves: list[str]) -> list[str]:
        boards = [Small() for _ in range(9)]
        playable, winner, bits = set(range(9)), "None", []
        for move in moves:
            bits.append("0")
            match move.split(","):
                case [*numbers, "X" | "O" as player] if len(numbers) == 4:
                    pass
                case _:
                    continue
            if not set(numbers) <= {"0", "1", "2"}:
                continue
            big, small = (3 * int(numbers[i]) + int(numbers[i + 1]) for i in (0, 2))
            if big not in playable or boards[big].cells[small] != ".":
                continue
            bits[-1] = "1"
            boards[big].mark(small, player)
            if has_line([board.owner for board in boards], player):
                winner, playable = player, set()
                continue
            is_open = {index for index in range(9) if not boards[index].is_closed}
            playable = {small} if small in is_open else is_open
        if not playable:
            following = "None"
        elif len(playable) == 1 and "1" in bits and small_of(moves, bits) in playable:
            cell = playable.pop()
            following = f"{cell // 3},{cell % 3}"
        else:
            following = "*"
        rows = [
            "".join("".join(boards[b + i].cells[r : r + 3]) for i in range(3))
            for b in (0, 3, 6)
            for r in (0, 3, 6)
        ]
        return ["".join(bits), winner, following, *rows]


def small_of(moves, bits):
    last = "".join(bits).rindex("1")
    row, col = moves[last].split(",")[2:4]
    return 3 * int(row) + int(col)
