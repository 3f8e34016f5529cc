"""Count the games of 3x3 with every mistake of docs/learn/games.md, for its table.

``python scripts/count_mistakes.py`` writes docs/learn/miscounts.json; it takes about ten seconds,
so the page reads the file.
"""

from __future__ import annotations

import json

from lessons.games import MISCOUNTS, MISTAKES


def miscounts(rows: int, cols: int, k: int) -> dict[str, str]:
    """Return how many games each mistake counts on a grid."""
    return {
        mistake.about: str(mistake.made_in("enumeration", "count_games")(rows, cols, k))
        for mistake in MISTAKES
    }


if __name__ == "__main__":
    MISCOUNTS.write_text(json.dumps({"3x3x3": miscounts(3, 3, 3)}, indent=1) + "\n")
