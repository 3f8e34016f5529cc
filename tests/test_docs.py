"""The documents say what the program does: examples are run, commands are all described."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from noughts.cli.main import COMMANDS, main
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS

ROOT = Path(__file__).resolve().parent.parent
TOUR = ROOT / "docs" / "tour.md"
PAGES = [ROOT / "README.md", TOUR]
"""The pages whose examples are run."""


def console_sessions(*pages: Path) -> list[list[tuple[str, str]]]:
    """Return the console blocks of pages: every ``$ noughts ...`` with the output below it.

    In front of it may stand what it reads: ``$ echo c1 | noughts ...``, or ``printf`` lines.
    """
    sessions = []
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        session = []
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if re.match(r"((echo|printf) .* \| )?noughts ", command):
                session.append((command, output))
        if session:
            sessions.append(session)
    return sessions


@pytest.mark.parametrize("session", console_sessions(*PAGES), ids=lambda session: session[0][0])
def test_commands_print_what_is_shown(
    session: list[tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    for command, output in session:
        words = shlex.split(command)
        begin = words.index("noughts")
        piped = " ".join(words[1 : begin - 1]).replace("\\n", "\n") if begin else ""
        piped += "\n" if words[0] == "echo" else ""
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(piped.encode())))
        main(words[begin + 1 :])
        assert capsys.readouterr().out == output


def test_the_tour_shows_every_command() -> None:
    commands = [command for session in console_sessions(TOUR) for command, _ in session]
    endless = {"serve"}  # which is started in tests of its own
    run = {line.partition("noughts ")[2].split()[0] for line in commands}
    assert run == set(COMMANDS) - endless


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")))
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def resolved(name: str) -> object:
    """Return what a dotted name stands for."""
    module, _, rest = name.partition(".")
    found: object = importlib.import_module(module)
    for part in rest.split("."):
        module = f"{module}.{part}"
        if not hasattr(found, part):
            importlib.import_module(module)
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")))
def test_names_in_documents_exist(page: Path) -> None:
    for name in set(re.findall(r"\bnoughts(?:\.[a-zA-Z_]\w*)+", page.read_text(encoding="utf-8"))):
        resolved(name)


WALKS = [
    ("nine", "check(['check', '4x4x3:XXX./OO.O/O.O./XXX.'])"),
    ("nine", "count_games(4, 4, 3)"),
    ("twelve", "count('6x6x3')"),  # as 6x6x4, in less time
]
"""The number of files in which functions are called, as docs/architecture.md says, by a call."""

TRACER = """
import os, sys, noughts
from noughts import count
from noughts.cli.main import main as check
from noughts.exercises import count_games
root, files = os.path.dirname(noughts.__file__), set()
def note(frame, event, _):
    code = frame.f_code
    file = code.co_filename
    if event == "call" and code.co_flags & 1 and file.startswith(root) and file not in files:
        while frame is not None and frame.f_code.co_name != "<module>":
            frame = frame.f_back
        if frame.f_code.co_filename == "<string>":  # else it is called by an import
            files.add(file)
sys.setprofile(note)
CALL
sys.setprofile(None)
print("", *(os.path.relpath(file, root) for file in files))
"""


@pytest.mark.parametrize(("number", "call"), WALKS)
def test_a_walk_calls_functions_of_the_files_that_are_named(number: str, call: str) -> None:
    program = TRACER.replace("CALL", call)
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    files = shown.stdout.splitlines()[-1].split()
    assert len(files) == {"nine": 9, "twelve": 12}[number]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    subject = "position" if "check" in call else "count"
    section = page.partition(f"## One {subject}, followed through")[2].partition("\n## ")[0]
    assert number in section.lower()
    named = {word.split("/")[-1] for word in re.findall(r"`([\w/]+)`", section)}
    assert {Path(file).stem for file in files} <= named


def test_the_levels_are_described_as_they_are() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    for levels in (ULTIMATE_LEVELS, GRID_LEVELS):
        assert "\n".join(f"| {name} | {level.about} |" for name, level in levels.items()) in page
