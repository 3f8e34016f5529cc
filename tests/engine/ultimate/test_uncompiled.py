"""The same answers without compiling."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from noughts.kernels import COMPILED
from support.cli_runner import clean_environment

SAME = """
from threading import Event

import numpy as np
from noughts import UltimatePosition, Variant
from noughts.limits import Limits
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.perft import perft
from noughts.engine.ultimate.playout import playout
from noughts.engine.ultimate.endgame import Endgame
from noughts.engine.ultimate.transposition import new_table
from noughts.engine.ultimate.network import FEATURES, ENCODED, WIDTH, Weights, network_of
from noughts.engine.ultimate.search import UltimateSearch
from noughts.kernels import wrapping

LATE = [
    "X;.XO.OX.OO;XXOO.OXOX/XXXOOX.XO/.XOXOXOXX/OOXOX..XX/OOOX..OXX/X.OXXO.OX/.XX.XO.O./XOO..OOXO/"
    "OOO.OX...",
]

def answers():
    start = UltimatePosition.start()
    late = [UltimatePosition.parse(text, variant) for text in LATE for variant in LATE_VARIANTS]
    seed = np.array([12345], np.uint64)
    with wrapping():
        playouts = [float(playout(state_of(p), seed)) for p in [start, *late] for _ in range(3)]
    rng = np.random.default_rng(1)
    shapes = [(FEATURES + 1, ENCODED), (9, ENCODED, WIDTH), (9, ENCODED, WIDTH), (2, WIDTH)]
    weights = [rng.normal(0.0, 0.2, s).astype(np.float32) for s in [*shapes, (WIDTH + 1,)]]
    options = {"memory": 1 << 16, "network": network_of(Weights(*weights))}
    found = []
    for plain in (True, False):
        search = UltimateSearch(plain=plain, **options)
        for position in [start, *late]:
            for threads in (1, 2):
                limit = Limits(nodes=12, threads=threads)
                estimate = search.analyse(position, limit, Event())
                found.append([len(estimate.moves), estimate.nodes])
                if threads == 1:
                    moves = sorted(estimate.moves, key=lambda move: move.move)
                    found.append([[m.move, m.visits, round(m.score, 4)] for m in moves])
            search.forget()
    return {
        "perft": [perft(p, 2) for p in [start, *late]],
        "playouts": playouts,
        "endgames": [Endgame(new_table(64)).solve(state_of(p)) for p in late],
        "searches": found,
    }

LATE_VARIANTS = [Variant.STANDARD, Variant.MOST_BOARDS]
"""

UNCOMPILED = f"""{SAME}
import json
from noughts.kernels import COMPILED
assert not COMPILED
print(json.dumps(answers()))
"""


def test_the_same_kernels_give_the_same_answers_uncompiled() -> None:
    assert COMPILED
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean_environment({"NUMBA_DISABLE_JIT": "1"}),
        timeout=120,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    here: dict[str, Any] = {}
    exec(SAME, here)
    assert json.loads(process.stdout) == json.loads(json.dumps(here["answers"]()))
