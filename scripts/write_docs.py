"""Write the generated files: the command line, the numbers, the lessons, the pictures, the colours.

With ``--check`` nothing is written; the exit code says whether all of it is current.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
import count_numbers
import data_sets
import lessons
import solve_values

from noughts import Game
from noughts.cli.main import commands
from noughts.drawing import COLOURS, draw_svg

ROOT = Path(__file__).resolve().parent.parent
TOKENS = ROOT / "src" / "noughts" / "web" / "static" / "css" / "tokens.css"

PICTURES = {
    "grid": "4x4x3 b2 a1 c3 d4 b3 b4 b1",
    "ultimate": "ultimate ih he ef fi ia ah hd da ac cb bf fh hi ic ch hg gb bd db bh hb be ee eb "
    "bg gd di ib bb bi ii ig gc cc ca ai id dd de ec ce eg gf fb ba ab bc",
}


def reference() -> str:
    """Return docs/cli.md: the help of every command."""
    parts = [
        "# The command line",
        "Written by `make docs` from the commands' own help.",
        "Exit codes: 0 fine, 1 the answer is no (an invalid board), 2 wrong usage or input "
        "that cannot be read, 130 interrupted.",
        "Output is coloured on a terminal unless `NO_COLOR` is set.",
    ]
    top = click.Context(commands, info_name="noughts", terminal_width=80)
    return "\n\n".join([*parts, *_sections(commands, top)]) + "\n"


def _sections(command: click.Command, context: click.Context) -> list[str]:
    """Return the help of a command and of all commands below it."""
    sections = [f"## {context.command_path}", _block(command.get_help(context))]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            sections += _sections(below, click.Context(below, context, name, terminal_width=80))
    return sections


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def tokens() -> str:
    """Return the style sheet of the page's colours: as it is, with the colours written anew."""
    lines = [f"--{name}: light-dark({light}, {dark});" for name, (light, dark) in COLOURS.items()]
    before, begin, rest = TOKENS.read_text(encoding="utf-8").partition("/* written: colours */\n")
    _, end, after = rest.partition("  /* end */")
    return "".join([before, begin, *(f"  {line}\n" for line in lines), end, after])


def generated() -> dict[Path, str]:
    """Return every generated file with its content."""
    files = {
        ROOT / "docs" / "cli.md": reference(),
        TOKENS: tokens(),
        count_numbers.PAGE: count_numbers.page(),
        data_sets.PAGE: data_sets.page(),
        solve_values.PAGE: solve_values.page(),
        **lessons.pages(),
    }
    for name, text in PICTURES.items():
        game = Game.parse(text)
        picture = draw_svg(game.position.diagram(last=game.last_move))
        files[ROOT / "docs" / "pictures" / f"{name}.svg"] = picture
    return files


def main() -> int:
    """Write the files, or check them."""
    check = "--check" in sys.argv[1:]
    stale = []
    for path, content in generated().items():
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    for path in stale:
        sys.stderr.write(f"{path} {'is stale: run make docs' if check else 'written'}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
