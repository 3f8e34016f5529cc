"""Position by position: each position once, with the number of ways to it."""


def countGames(rows, cols, k):
    full = (1 << rows * cols) - 1
    lines = []
    for r in range(rows):
        for c in range(cols):
            for dr, dc in {(0, 1), (1, 0), (1, 1), (1, -1)}:
                cells = [(r + i * dr, c + i * dc) for i in range(k)]
                if all(0 <= a < rows and 0 <= b < cols for a, b in cells):
                    lines.append(sum(1 << a * cols + b for a, b in cells))
    ways = {(0, 0): 1}
    finished = 0
    while ways:
        following = {}
        for (mover, other), count in ways.items():
            for cell in range(rows * cols):
                bit = 1 << cell
                if (mover | other) & bit:
                    continue
                after = mover | bit
                if any(after & line == line for line in lines) or after | other == full:
                    finished += count
                else:
                    key = (other, after)
                    following[key] = following.get(key, 0) + count
        ways = following
    return finished
