"""The application: routes, middleware and worker pools, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from noughts import __version__
from noughts.web.compression import CompressedResponses
from noughts.web.handlers import handle_errors
from noughts.web.middleware import BodyLimits, SafeResponses, StreamLimits
from noughts.web.openapi import correct_document, operation_id
from noughts.web.pages import Pages
from noughts.web.pool.pool import Pool
from noughts.web.previews import Previews
from noughts.web.reading import Reader
from noughts.web.rooms.store import Store
from noughts.web.routes import positions, puzzles, rooms, sharing, status, tasks, traces
from noughts.web.routes.task_response import Tasks
from noughts.web.settings import Settings

__all__ = ["create_app"]

_ABOUT = """Judge, replay, count, analyse and play the tic-tac-toe family.

A game is text in one line: its start, its moves, and undone moves behind a bar, like
`4x4x3 b2 a1` or `ultimate ee ea | aa`. Counts are decimal strings, as they may exceed 2^53.
Every error has the same shape: a code, a message, and the place of the fault.
"""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application of a server with these limits.

    `app.state.settings` holds the settings. `app.state.closing` is an event that is set when the
    server begins to close, for streams that would never end.
    """
    settings = settings or Settings()
    pool = Pool(settings)
    # Quick tasks have a worker of their own. They wait neither for searches nor for the compiled
    # code, which takes a minute to compile on the first run.
    quick_pool = Pool(replace(settings, workers=1, ready=min(1, settings.ready)), is_warm=False)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        stops = []
        for each in (quick_pool, pool):
            each.prepare()
            stops.append(asyncio.create_task(each.stop_when(app.state.closing)))
        yield
        for stop, each in zip(stops, (quick_pool, pool), strict=True):
            stop.cancel()
            await each.close()

    app = FastAPI(
        lifespan=lifespan,
        title="noughts",
        version=__version__,
        description=_ABOUT,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=operation_id,
        docs_url=None,  # these pages would load scripts from other sites
        redoc_url=None,
        redirect_slashes=False,
    )
    store = Store(settings.database)
    app.state.settings = settings
    app.state.closing = asyncio.Event()
    handle_errors(app)
    app.include_router(status.router(settings, pool))
    app.include_router(positions.router(settings))
    app.include_router(puzzles.router())
    app.include_router(traces.router(settings))
    app.include_router(tasks.router(settings, Tasks(settings, pool, quick_pool)))
    app.include_router(rooms.router(settings, store))
    app.include_router(sharing.router(settings))
    # Every other address is a file of the page.
    app.router.default = Pages(Previews(Reader(settings), store))
    correct_document(app)
    # A request passes the middleware that was added last first.
    app.add_middleware(StreamLimits, settings=settings)
    app.add_middleware(CompressedResponses)
    app.add_middleware(BodyLimits, settings=settings)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["Retry-After"],
        )
    app.add_middleware(SafeResponses, settings=settings)
    return app
