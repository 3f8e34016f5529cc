"""Lets flags fall when their time has come, whether or not a client is there to ask."""

from __future__ import annotations

import asyncio

from noughts.web.errors import ApiError
from noughts.web.rooms.store import BEAT_SECONDS, Store
from noughts.web.rooms.updates import Updates, in_thread

__all__ = ["Timekeeper"]

IDLE_SECONDS = 5.0  # between two looks while no clock runs: one of another server may


class Timekeeper:
    """Keeps the time of all rooms of a file, as any other server does that shares it."""

    def __init__(self, store: Store, updates: Updates) -> None:
        self._store = store
        self._updates = updates
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look again, as a room has changed."""
        self._woken.set()

    async def run(self) -> None:
        """Keep the time until this is cancelled."""
        while True:
            self._woken.clear()
            pause = IDLE_SECONDS
            try:
                changed, first = await in_thread(self._store.tick)
            except ApiError:  # it is in the log; the next look may succeed
                pause = BEAT_SECONDS
            else:
                for id in changed:
                    self._updates.notify(id)
                if first is not None:
                    pause = min(max(first - self._store.clock(), 0.0), BEAT_SECONDS)
            try:
                async with asyncio.timeout(pause):
                    await self._woken.wait()
            except TimeoutError:
                continue
