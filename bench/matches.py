"""The official matches: who they are between, how they are run, and the table of their results.

    python bench/matches.py                          what there is, and how far it is
    python bench/matches.py ultimate-openspiel-0.2s --concurrency 2
    python bench/matches.py all --concurrency 2
    python bench/matches.py table                    only write the table anew

A match leaves two files in ``bench/results``: NAME.jsonl with every game, from which an
interrupted match goes on, and NAME.json with its result and the machine it ran on. The table,
``bench/results/README.md``, is made of all NAME.json that are there. Games do not keep the
time of each move, so that the files stay small.

A virtual machine may lose its processors to its neighbours for seconds, and then both players
think less than they should or exceed their time. Games during which more than a small part was
lost are played again, whatever their result, and the table says how many.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import Any

from noughts.limits import Limits
from noughts.matches.match import Match, play_match, score_of
from noughts.matches.match_file import MatchFile
from noughts.matches.registry import player_of
from noughts.matches.workers import play_at_once
from noughts.players import ULTIMATE_LEVELS

HERE = Path(__file__).parent
RESULTS = HERE / "results"
MOST_LOST = 0.05  # of the processors' time during a game that counts


@dataclass(frozen=True)
class Plan:
    """A match, and how many cores one of its games needs."""

    match: Match
    cores: int = 1


def _plan(a: str, b: str, game: str, seconds: float, games: int, cores: int = 1) -> Plan:
    return Plan(Match(a, b, game, games, Limits(seconds=seconds), "random:2"), cores)


PLANS: dict[str, Plan] = {
    "ultimate-openspiel-0.2s": _plan("engine", "openspiel", "ultimate", 0.2, 100),
    "ultimate-openspiel-1s": _plan("engine", "openspiel", "ultimate", 1.0, 100),
    "ultimate-uct-0.2s": _plan("engine", "uct", "ultimate", 0.2, 100),
    **{
        f"ultimate-threads-{seconds}s": _plan(
            "engine:threads=2", "engine", "ultimate", seconds, games, cores=2
        )
        for seconds, games in ((0.2, 300), (0.02, 500))
    },
    **{
        f"level-{higher}-{lower}": _plan(higher, lower, "ultimate", 0.2, 60)
        for lower, higher in pairwise(ULTIMATE_LEVELS)
    },
    **{
        f"{grid}-openspiel-0.2s": _plan("engine", "openspiel", grid, 0.2, 40)
        for grid in ("7x7x4", "10x10x5", "15x15x5")
    },
}
"""Every official match by its name."""


# -- a match -----------------------------------------------------------------------------


def run(name: str, folder: Path, concurrency: int, games: int | None) -> None:
    """Play what is left of a match, and write down its result."""
    plan = PLANS[name]
    match = plan.match if games is None else replace(plan.match, games=games)
    at_once = max(1, min(concurrency, (os.cpu_count() or 1) // plan.cores))
    with MatchFile(str(folder / f"{name}.jsonl"), match) as match_file:
        done = {record.number for record in match_file.records}
        numbers = [number for number in match.numbers if number not in done]
        known = _read(folder / f"{name}.json") if done else {}
        again = known.get("played_again", 0)
        print(f"{name}: {len(numbers)} games to play, {at_once} at once", flush=True)
        if done and _commit() != (before := known.get("commit", "unknown")):
            print(f"  {len(done)} games are by commit {before}; --anew forgets them", flush=True)
        try:
            while numbers:
                disturbed = []
                meter = Meter(at_once)
                played = (
                    play_at_once(match, player_of, numbers, at_once)
                    if at_once > 1
                    else play_match(match, player_of, numbers)
                )
                with closing(played):
                    for record in played:
                        lost = meter.share(sum(record.seconds))
                        if lost > MOST_LOST:
                            disturbed.append(record.number)
                            print(
                                f"  game {record.number} again: {100 * lost:.0f} % lost", flush=True
                            )
                            continue
                        match_file.add(replace(record, seconds=()))
                        score = score_of(match_file.records)
                        print(f"  {score.games} of {match.games}: {score}", flush=True)
                numbers = disturbed
                again += len(disturbed)
        finally:
            if len(match_file.records) > len(done):
                write_result(folder / f"{name}.json", plan.match, match_file, at_once, again)


class Meter:
    """Measures which part of the processors' time a virtual machine lost during a game."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._samples = [(time.monotonic(), _stolen_seconds())]

    def share(self, seconds: float) -> float:
        """Return the part lost in a game that ends now, whose moves took so many seconds.

        It began where another of those that are played at once ended, or before: the time of a
        move that was not made is not among the seconds.
        """
        now, stolen = time.monotonic(), _stolen_seconds()
        latest = min(now - seconds, self._samples[-self._at_once :][0][0])
        begin, stolen_before = max(
            (sample for sample in self._samples if sample[0] <= latest), default=self._samples[0]
        )
        self._samples.append((now, stolen))
        return (stolen - stolen_before) / ((now - begin) * (os.cpu_count() or 1))


def _stolen_seconds() -> float:
    """Return how long processors were wanted here and given to others; Linux counts it."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0.0
    return int(stat.read_text().split(maxsplit=9)[8]) / os.sysconf("SC_CLK_TCK")


def write_result(path: Path, match: Match, match_file: MatchFile, at_once: int, again: int) -> None:
    """Write the result of a match, as far as it was played, and where that was."""
    result = {
        **match.terms(),
        **score_of(match_file.records).to_json(),
        "planned": match.games,
        "forfeits": [record.reason for record in match_file.records if record.is_forfeit],
        "at_once": at_once,
        "played_again": again,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": _commit(),
        "machine": machine(),
    }
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def machine() -> dict[str, str]:
    """Describe this machine and what runs on it."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "Python": platform.python_version(),
        "numpy": _version("numpy"),
        "numba": _version("numba"),
        "OpenSpiel": _version("open_spiel"),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else []:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _commit() -> str:
    """Return which version of the code played, as far as git knows."""
    try:
        commit, changes = (
            subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True)
            for words in (
                ("rev-parse", "--short", "HEAD"),
                ("status", "--porcelain", "--", str(HERE.parent / "src")),
            )
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit.stdout.strip() + (" and changes" if changes.stdout.strip() else "")


def _read(path: Path) -> dict[str, Any]:
    """Return a result, if there is one."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


# -- the table ---------------------------------------------------------------------------

INTRODUCTION = """\
# Results of matches

Written by `python bench/matches.py`; every game is in NAME.jsonl, and `noughts show` draws it.
Each opening, two random moves, is played twice with sides swapped. Won, drawn and lost are A's
games; the score is A's, with its 95 % interval (see `noughts.matches.score`). Levels below `full`
do not look at the clock.
"""


def table(folder: Path) -> str:
    """Return the page about all results in a folder."""
    read = {name: _read(folder / f"{name}.json") for name in PLANS}
    results = {name: result for name, result in read.items() if result}
    lines = [
        "| match | A | B | game | s a move | games | won | drawn | lost | score | 95 % | Elo "
        "| at once | date | commit |",
        "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|",
        *(_row(name, result) for name, result in results.items()),
    ]
    parts = [INTRODUCTION, "\n".join(lines) + "\n"]
    if faults := [
        f"- {name}: {reason}" for name, result in results.items() for reason in result["forfeits"]
    ]:
        parts.append("Games lost by forfeit:\n\n" + "\n".join(faults) + "\n")
    if again := [
        f"- {name}: {number}"
        for name, result in results.items()
        if (number := result.get("played_again"))
    ]:
        parts.append(
            f"Games played again, as the machine had lost more than {100 * MOST_LOST:g} % of its"
            " processors' time\nto its neighbours:\n\n" + "\n".join(again) + "\n"
        )
    if results:
        parts.append("\n".join(_machines(results)) + "\n")
    return "\n".join(parts)


def _row(name: str, result: dict[str, Any]) -> str:
    low, high = (f"{100 * each:.1f}" for each in result["score_interval"])
    games = f"{result['games']}"
    if result["games"] < result["planned"]:
        games += f" of {result['planned']}"
    cells = [
        f"[{name}]({name}.jsonl)",
        *(result["a"], result["b"], result["game"], f"{result['seconds']:g}", games),
        *(str(result[key]) for key in ("wins", "draws", "losses")),
        *(f"{100 * result['score']:.1f} %", f"{low} to {high}", _elo(result)),
        *(str(result["at_once"]), result["date"], result["commit"]),
    ]
    return f"| {' | '.join(cells)} |"


def _elo(result: dict[str, Any]) -> str:
    """Return the difference in Elo; that of a clean score is without end."""
    if result["elo"] is None:
        return "+∞" if result["score"] > 0.5 else "-∞"
    return f"{result['elo']:+.0f}"


def _machines(results: dict[str, dict[str, Any]]) -> list[str]:
    """Say where matches were played, a line for each machine."""
    places: dict[str, list[str]] = {}
    for name, result in results.items():
        about = result["machine"]
        where = f"{about['processor']}, {about['cores']} cores, {about['system']}"
        packages = ("Python", "numpy", "numba", "OpenSpiel")
        versions = ", ".join(f"{package} {about[package]}" for package in packages)
        places.setdefault(f"{where}; {versions}", []).append(name)
    if len(places) == 1:
        return [f"Played on: {next(iter(places))}."]
    return ["Played on:", "", *(f"- {where}: {', '.join(who)}" for where, who in places.items())]


def main() -> None:
    """Do what the command line asks for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a match, all, or table")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once, on cores apart")
    parser.add_argument("--games", type=int, help="fewer games than planned, to try it out")
    parser.add_argument("--out", type=Path, default=RESULTS, help="another folder")
    parser.add_argument("--anew", action="store_true", help="forget the games of earlier runs")
    arguments = parser.parse_args()
    names = [*PLANS] if arguments.names == ["all"] else arguments.names
    if unknown := [name for name in names if name not in (*PLANS, "table")]:
        sys.exit(f"no match is called {unknown[0]}; there are {', '.join(PLANS)}")
    if not names:
        for name, plan in PLANS.items():
            path = arguments.out / f"{name}.jsonl"
            done = len(path.read_text().splitlines()) - 1 if path.is_file() else 0
            print(f"{name:<26}{plan.match.a} - {plan.match.b}, {done} of {plan.match.games} games")
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        for name in names:
            if name != "table":
                if arguments.anew:
                    (arguments.out / f"{name}.jsonl").unlink(missing_ok=True)
                run(name, arguments.out, arguments.concurrency, arguments.games)
    finally:
        (arguments.out / "README.md").write_text(table(arguments.out), encoding="utf-8")


if __name__ == "__main__":
    main()
