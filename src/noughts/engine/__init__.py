"""Strong play where a proof would take too long: Ultimate, and large grids.

::

    engine      `Engine`: one door to both searches, with a seed, contempt and cancelling
    supervisor  runs searches in threads, within their limits
    ultimate/   tree search with a network, and exact endgames
    grids/      threat-space search and alpha-beta
"""

from __future__ import annotations

from noughts.engine.engine import CONTEMPT, Engine

__all__ = ["CONTEMPT", "Engine"]
