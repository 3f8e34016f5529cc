"""Show how many even games are drawn, by the lines of boards that both sides may still get.

    python scripts/network/draws.py GAMES.npz ...

The games are those of `selfplay.py`. A position is even if the search's score was between 0.4 and
0.6. Each entry is the share of draws in per cent, then what the search makes of it (`DRAW_RATE` in
`noughts.engine.ultimate.expansion`), by the lines of one side and of the other; entries with fewer
than a hundred positions are left out.
"""

from __future__ import annotations

import argparse

import numpy as np

from noughts.engine.ultimate.board import LINES, reach
from noughts.engine.ultimate.expansion import DRAW_RATE

LEAST = 100


def main() -> None:
    """Do what the command line asks for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+")
    counts, draws = np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64)
    for path in parser.parse_args().games:
        kept = np.load(path)
        is_even = abs(kept["scores"] - 0.5) < 0.1
        for state, result in zip(kept["states"][is_even], kept["results"][is_even], strict=True):
            lines = sorted(int(LINES[reach(state, side)]) for side in (0, 1))
            counts[*lines] += 1
            draws[*lines] += result == 0.5
    print(f"{counts.sum():,} even positions, {draws.sum() / counts.sum():.0%} drawn")
    for fewer in range(9):
        for more in range(fewer, 9):
            if (count := counts[fewer, more]) >= LEAST:
                share, curve = draws[fewer, more] / count, DRAW_RATE[fewer, more]
                print(f"{fewer} and {more}: {share:4.0%}, {curve:4.0%}   ({count:,})")


if __name__ == "__main__":
    main()
