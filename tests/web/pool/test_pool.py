"""Which request gets a worker, which has to wait, and what happens to workers that misbehave.

A stub takes the place of the real worker here: it does what the request says.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from noughts.web.errors import ApiError
from noughts.web.pool import child
from noughts.web.pool.pool import Pool
from noughts.web.pool.task import Task
from noughts.web.settings import Settings

STUB = """
import json, os, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

say(ready=True)
for line in sys.stdin:
    order = json.loads(line)
    if "stop" in order:
        continue  # too late: that task is over
    task, do = order["task"], order["request"]["do"]
    if do == "die":
        sys.exit(3)
    if do == "babble":
        print("not a word of JSON", flush=True)
    if do == "deaf":
        time.sleep(600)
    if do == "fail":
        say(task=task, error=order["request"]["error"])
    if do == "count":
        for number in range(order["request"]["to"]):
            say(task=task, progress={"number": number})
        say(task=task, result={"pid": os.getpid()})
    if do == "wait":
        say(task=task, progress={"pid": os.getpid()})
        assert json.loads(sys.stdin.readline()) == {"stop": task}
        say(task=task, stopped=True)
    if do == "stray":
        print(json.dumps(order["request"]["say"]), flush=True)
        time.sleep(600)
    if do == "answer":
        say(task=task, result={"pid": os.getpid(), "memory": sys.argv[1]})
"""


@pytest.fixture(autouse=True)
def _stub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "COMMAND", (sys.executable, "-c", STUB))


@asynccontextmanager
async def pool_of(**settings: Any) -> AsyncIterator[Pool]:
    pool = Pool(Settings(**{"workers": 1, "wait_seconds": 10.0, **settings}))
    try:
        yield pool
    finally:
        await pool.close()


async def ask(pool: Pool, do: str, client: str = "me", seconds: float = 60, **more: Any) -> Task:
    return await pool.start("analyse", {"do": do, **more}, client=client, seconds=seconds)


async def result(job: Task) -> Any:
    async for kind, data in job:
        if kind == "result":
            return data
    return None


async def first(job: Task) -> Any:
    """Return the first event of a task."""
    return (await anext(aiter(job)))[1]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await test()

    asyncio.run(main())


# -- questions and answers ---------------------------------------------------------------


def test_a_worker_is_started_once_and_asked_again() -> None:
    async def test() -> None:
        async with pool_of(memory=3 << 30) as pool:
            answers = [await result(await ask(pool, "answer")) for _ in range(3)]
            assert len({answer["pid"] for answer in answers}) == 1
            assert answers[0]["memory"] == str(3 << 30)

    run(test)


def test_workers_that_should_be_ready_start_before_the_first_request() -> None:
    async def test() -> None:
        async with pool_of(workers=2, ready=2) as pool:
            pool.prepare()
            await until(lambda: pool._free.qsize() == 2)
            assert await result(await ask(pool, "answer"))

    run(test)


def test_a_slow_reader_gets_the_latest_progress_and_the_result() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            job = await ask(pool, "count", to=1000)
            await asyncio.sleep(0.5)
            heard = [event async for event in job]
            assert heard[-1][0] == "result"
            assert len(heard) < 1000
            numbers = [data["number"] for kind, data in heard if kind == "progress"]
            assert numbers == sorted(numbers)

    run(test)


def test_the_error_of_a_worker_is_the_error_of_the_task(caplog: pytest.LogCaptureFixture) -> None:
    error = ApiError(422, "it cannot be", code="notation", field="game", offset=3)

    async def test() -> None:
        async with pool_of() as pool:
            with pytest.raises(ApiError) as caught:
                await result(await ask(pool, "fail", error=error.to_fields()))
            assert caught.value.to_fields() == error.to_fields()
            fault = {"status": 500, "message": "the table /some/where is damaged"}
            with pytest.raises(ApiError, match="the server failed") as caught:
                await result(await ask(pool, "fail", error=fault))
            assert (caught.value.status, caught.value.code) == (500, "internal")
            assert await result(await ask(pool, "answer")), "and the worker goes on"

    run(test)
    assert "it cannot be" not in caplog.text
    assert "/some/where" in caplog.text, "only in the log"


# -- stopping ----------------------------------------------------------------------------


def test_a_job_that_is_stopped_frees_its_worker() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            job = await ask(pool, "wait")
            pid = (await first(job))["pid"]
            job.stop()
            with pytest.raises(ApiError, match="was stopped"):
                await result(job)
            assert (await result(await ask(pool, "answer")))["pid"] == pid

    run(test)


def test_a_worker_that_does_not_stop_is_killed_and_replaced() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            pid = (await result(await ask(pool, "answer")))["pid"]
            job = await ask(pool, "deaf")
            job.stop()
            with pytest.raises(ApiError, match="died"):
                await result(job)
            assert not is_running(pid)
            assert (await result(await ask(pool, "answer")))["pid"] != pid

    run(test)


def test_a_job_that_takes_too_long_is_stopped_and_says_so() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            for do in ("wait", "deaf"):
                with pytest.raises(ApiError, match=r"more than 0\.2 seconds") as caught:
                    await result(await ask(pool, do, seconds=0.2))
                assert (caught.value.status, caught.value.code) == (422, "limit")
            assert await result(await ask(pool, "answer"))

    run(test)


def test_stopping_what_is_over_changes_nothing() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            job = await ask(pool, "answer")
            pid = (await result(job))["pid"]
            job.stop()
            assert (await result(await ask(pool, "answer")))["pid"] == pid

    run(test)


@pytest.mark.parametrize("do", ["die", "babble"])
def test_one_that_dies_or_babbles_is_replaced(do: str, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with pool_of() as pool:
            with pytest.raises(ApiError, match="died") as caught:
                await result(await ask(pool, do))
            assert caught.value.status == 500
            assert await result(await ask(pool, "answer"))

    run(test)
    assert "a worker ended" in caplog.text


@pytest.mark.parametrize("say", [{"compiling": True}, {"task": 99, "result": {"pid": 0}}])
def test_what_is_not_about_a_task_is_never_its_answer(
    say: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Else the next task would get the result of this one, and so on."""

    async def test() -> None:
        async with pool_of() as pool:
            pid = (await result(await ask(pool, "answer")))["pid"]
            with pytest.raises(ApiError, match="the worker of this task has died"):
                await result(await ask(pool, "stray", say=say))
            assert (await result(await ask(pool, "answer")))["pid"] not in (0, pid)

    run(test)
    assert "spoke of another task" in caplog.text


def test_a_pool_that_closes_ends_its_workers_and_their_jobs() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            job = await ask(pool, "wait")
            pid = (await first(job))["pid"]
        assert not is_running(pid)
        with pytest.raises(ApiError):
            await result(job)

    run(test)


def test_the_end_of_the_server_stops_all_jobs() -> None:
    async def test() -> None:
        closing = asyncio.Event()
        async with pool_of() as pool:
            watch = asyncio.create_task(pool.stop_when(closing))
            job = await ask(pool, "wait")
            await first(job)
            closing.set()
            with pytest.raises(ApiError) as caught:
                await result(job)
            assert caught.value.status == 503
            await watch

    run(test)


# -- limits -----------------------------------------------------------------------------


def test_as_many_at_once_as_there_are_workers() -> None:
    async def test() -> None:
        async with pool_of(workers=2) as pool:
            jobs = [await ask(pool, "wait"), await ask(pool, "wait")]
            pids = {(await first(job))["pid"] for job in jobs}
            assert len(pids) == 2
            third = asyncio.create_task(ask(pool, "answer"))
            await asyncio.sleep(0.2)
            assert not third.done(), "it waits"
            jobs[0].stop()
            assert (await result(await third))["pid"] in pids

    run(test)


def test_a_request_that_waits_too_long_is_a_503() -> None:
    async def test() -> None:
        async with pool_of(wait_seconds=0.2) as pool:
            await until_ready(pool)
            job = await ask(pool, "wait")
            with pytest.raises(ApiError) as caught:
                await ask(pool, "answer")
            assert (caught.value.status, caught.value.code) == (503, "busy")
            assert int(caught.value.headers["Retry-After"]) > 0
            job.stop()

    run(test)


async def until_ready(pool: Pool) -> None:
    """Start a worker, however long that takes."""
    pool._add_child()
    await until(lambda: pool._free.qsize() == 1)


def test_no_more_than_some_may_wait() -> None:
    async def test() -> None:
        async with pool_of(waiting=1, per_client=9) as pool:
            job = await ask(pool, "wait")
            patient = asyncio.create_task(ask(pool, "answer"))
            await asyncio.sleep(0.05)
            with pytest.raises(ApiError) as caught:
                await ask(pool, "answer")
            assert caught.value.status == 503
            job.stop()
            assert await result(await patient)

    run(test)


def test_where_nothing_may_wait_a_free_worker_is_used() -> None:
    async def test() -> None:
        async with pool_of(waiting=0) as pool:
            for _ in range(2):
                job = await ask(pool, "wait")
                with pytest.raises(ApiError) as caught:
                    await ask(pool, "answer")
                assert (caught.value.status, caught.value.code) == (503, "busy")
                job.stop()
                await until(lambda: not pool._clients)

    run(test)


def test_one_client_may_not_take_everything() -> None:
    async def test() -> None:
        async with pool_of(workers=3, per_client=2) as pool:
            jobs = [await ask(pool, "wait"), await ask(pool, "wait")]
            with pytest.raises(ApiError) as caught:
                await ask(pool, "answer")
            assert (caught.value.status, caught.value.code) == (429, "too_many")
            assert int(caught.value.headers["Retry-After"]) > 0
            assert await result(await ask(pool, "answer", client="another"))
            jobs[0].stop()
            await until(lambda: pool._clients["me"] == 1)
            assert await result(await ask(pool, "answer"))
            jobs[1].stop()
            await until(lambda: not pool._clients)

    run(test)


def test_a_worker_that_is_ready_as_the_pool_closes_is_seen_out() -> None:
    async def test() -> None:
        async with pool_of(ready=1) as pool:
            pool.prepare()
            (worker,) = pool._children
            read, closings = worker.read, []

            async def read_while_closing() -> Any:
                message = await read()
                closings.append(asyncio.create_task(pool.close()))
                await asyncio.sleep(0)  # it kills the worker, and waits for it to have started
                return message

            worker.read = read_while_closing  # type: ignore[method-assign]
            await until(lambda: worker.is_ready)
            await closings[0]
            assert worker._process is not None
            assert worker._process.returncode is not None

    run(test)


def test_a_worker_that_cannot_be_started_is_a_problem_and_not_a_stall(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with pool_of(wait_seconds=0.3) as pool:
            with pytest.raises(ApiError) as caught:
                await ask(pool, "answer")
            assert caught.value.status == 503
            assert not pool._clients

    monkeypatch.setattr(child, "COMMAND", ("/no/such/program",))
    run(test)
    assert caplog.text.count("could not be started") == 1, "and it is not tried again and again"


def test_a_request_before_any_worker_is_ready_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with pool_of(wait_seconds=0.3) as pool:
            with pytest.raises(ApiError, match="is starting") as caught:
                await ask(pool, "answer")
            assert (caught.value.status, caught.value.code) == (503, "busy")
            assert int(caught.value.headers["Retry-After"]) > 0

    compiling = "import sys; sys.stdin.read()"
    monkeypatch.setattr(child, "COMMAND", (sys.executable, "-c", compiling))
    run(test)


def test_a_worker_that_died_while_it_was_free_is_replaced() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            pid = (await result(await ask(pool, "answer")))["pid"]
            os.kill(pid, signal.SIGKILL)
            await until(lambda: not next(iter(pool._children)).is_alive)
            assert (await result(await ask(pool, "answer")))["pid"] != pid

    run(test)


# -- the first run on a machine --------------------------------------------------------------

FIRST_RUN = """
import os, pathlib, sys, time
kept = pathlib.Path(os.environ["KEPT"])
kind = sys.argv[2]
if kind == "warm" and not kept.exists():
    print('{"compiling": true}', flush=True)
    while not kept.exists():
        time.sleep(0.01)
        if (kept.parent / "fault").exists():
            sys.exit(1)
assert (os.environ.get("NUMBA_DISABLE_JIT") == "1") == (kind == "uncompiled")
""" + STUB.replace('"memory": sys.argv[1]', '"kind": sys.argv[2]')


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let workers compile until this file is there."""
    monkeypatch.setattr(child, "COMMAND", (sys.executable, "-c", FIRST_RUN))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("KEPT", str(tmp_path / "kept"))
    return tmp_path / "kept"


def kinds(pool: Pool) -> list[str]:
    return sorted(child.kind for child in pool._children)


def test_stand_ins_take_tasks_until_the_code_is_compiled(kept: Path) -> None:
    async def test() -> None:
        async with pool_of(workers=2, ready=1) as pool:
            pool.prepare()
            assert pool.is_warming
            await until(lambda: pool._free.qsize() == 1)  # one is ready before it is needed
            assert kinds(pool) == ["uncompiled", "warm"]
            asked = [await ask(pool, "wait"), await ask(pool, "wait")]
            pids = [(await first(job))["pid"] for job in asked]
            assert kinds(pool) == ["uncompiled", "uncompiled", "warm"], "and one compiles"
            asked[0].stop()
            answer = await result(await ask(pool, "answer"))
            assert (answer["kind"], answer["pid"]) == ("uncompiled", pids[0])
            assert pool.is_warming
            kept.touch()
            await until(lambda: not pool.is_warming)
            assert (await result(await ask(pool, "answer")))["kind"] == "warm"
            await until(lambda: not is_running(pids[0]))
            assert is_running(pids[1]), "it has a task"
            asked[1].stop()
            await until(lambda: not is_running(pids[1]))
            await until(lambda: set(kinds(pool)) == {"warm"})

    run(test)


def test_requests_that_wait_while_the_compiling_begins_get_stand_ins(kept: Path) -> None:
    async def test() -> None:
        async with pool_of(workers=2) as pool:
            asked = [asyncio.create_task(ask(pool, "wait")) for _ in range(2)]
            pids = {(await first(await job))["pid"] for job in asked}
            assert len(pids) == 2
            assert kinds(pool) == ["uncompiled", "uncompiled", "warm"]
            kept.touch()
            await until(lambda: not pool.is_warming)

    run(test)


def test_what_a_stand_in_cannot_do_in_its_time_may_be_tried_again(kept: Path) -> None:
    async def test() -> None:
        async with pool_of() as pool:
            with pytest.raises(ApiError, match="compiled") as caught:
                await result(await ask(pool, "wait", seconds=0.2))
            assert caught.value.status == 503
            assert int(caught.value.headers["Retry-After"]) > 0

    run(test)


def test_a_worker_that_dies_while_it_compiles_is_replaced(kept: Path) -> None:
    async def test() -> None:
        async with pool_of(ready=1) as pool:
            pool.prepare()
            assert (await result(await ask(pool, "answer")))["kind"] == "uncompiled"
            (kept.parent / "fault").touch()
            await until(lambda: kinds(pool) == [])
            (kept.parent / "fault").unlink()
            assert (await result(await ask(pool, "answer")))["kind"] == "uncompiled"
            assert kinds(pool) == ["uncompiled", "warm"]
            kept.touch()
            await until(lambda: kinds(pool) == ["warm"])

    run(test)


def test_code_that_is_kept_needs_no_stand_ins(kept: Path) -> None:
    async def test() -> None:
        kept.touch()
        async with pool_of(workers=3, ready=2) as pool:
            pool.prepare()
            assert kinds(pool) == ["warm"]
            await until(lambda: pool._free.qsize() == 2)
            assert (await result(await ask(pool, "answer")))["kind"] == "warm"
            assert kinds(pool) == ["warm", "warm"]

    run(test)
