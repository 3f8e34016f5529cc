"""The application: the page, the questions, and what stands before them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from noughts import __version__
from noughts.web import instant, rooms, thinking
from noughts.web.guard import Bodies, SafeAnswers
from noughts.web.openapi import name_of, put_right
from noughts.web.pages import Pages
from noughts.web.problems import handle_problems
from noughts.web.settings import Settings
from noughts.web.work import Pool

__all__ = ["create_app"]

_ABOUT = """Judge, replay, count, analyse and play the tic-tac-toe family.

A game is text in one line: its start, its moves, and undone moves behind a bar, like
`4x4x3 b2 a1` or `ultimate ee ea | aa`. Counts are decimal strings, as they may pass 2^53.
Every error has the same shape, with a code, a message and the place of the fault.
"""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application of a server with these limits.

    ``app.state.settings`` are the settings, and ``app.state.closing`` is an event that is set
    when the server is about to end, for streams that would go on for ever.
    """
    settings = settings or Settings()
    pool = Pool(settings)
    # What is light has a worker of its own: it need not wait for what thinks, nor for the compiled
    # code, which takes minutes when it is made for the first time.
    errands = Pool(replace(settings, workers=1, ready=min(1, settings.ready)), is_warm=False)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        stops = []
        for each in (errands, pool):
            each.prepare()
            stops.append(asyncio.create_task(each.stop_when(app.state.closing)))
        yield
        for stop, each in zip(stops, (errands, pool), strict=True):
            stop.cancel()
            await each.close()

    app = FastAPI(
        lifespan=lifespan,
        title="noughts",
        version=__version__,
        description=_ABOUT,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=name_of,
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.closing = asyncio.Event()
    handle_problems(app)
    app.include_router(instant.router(settings))
    app.include_router(thinking.router(settings, pool, errands))
    app.include_router(rooms.router(settings))
    app.router.default = Pages()  # whatever is no question is a file of the page
    put_right(app)
    # The last one added stands before all others.
    app.add_middleware(Bodies, settings=settings)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["Retry-After"],
        )
    app.add_middleware(SafeAnswers, settings=settings)
    return app
