"""The documents say what the program does: examples are run, commands are all described."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from noughts.cli.main import COMMANDS, main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def console_examples() -> list[tuple[str, str]]:
    """Return every ``$ noughts ...`` of the README with the output printed below it."""
    examples = []
    for block in re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("noughts "):
                examples.append((command, output))
    return examples


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_readme_commands_print_what_it_shows(
    command: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(shlex.split(command)[1:])
    assert capsys.readouterr().out == output


def test_readme_has_commands_to_check() -> None:
    assert {command.split()[1] for command, _ in console_examples()} == set(COMMANDS)


def test_readme_python_examples() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")))
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
