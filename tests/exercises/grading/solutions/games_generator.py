"""A generator that recurses, with masks."""


def games(rows=4, cols=4, k=3):
    lines = []
    for r in range(rows):
        for c in range(cols):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + i * dr, c + i * dc) for i in range(k)]
                if all(0 <= a < rows and 0 <= b < cols for a, b in cells):
                    lines.append(sum(1 << a * cols + b for a, b in cells))

    def walk(moves, mover, other):
        for cell in range(rows * cols):
            if (mover | other) >> cell & 1:
                continue
            after = mover | 1 << cell
            game = (*moves, cell)
            if any(after & line == line for line in lines) or len(game) == rows * cols:
                yield game
            else:
                yield from walk(game, other, after)

    return walk((), 0, 0)
