"""``noughts trace``: the textbook form of an exercise, step by step."""

from __future__ import annotations

import shutil
import textwrap
from string import ascii_letters

import click

from noughts.cli.output import echo_json
from noughts.exercises.tracing import Event, Step, Trace
from noughts.exercises.tracing.scenes import SCENES

__all__ = ["command"]

_COLOURS = {Event.WIN: "green", Event.ACCEPT: "green", Event.REJECT: "red", Event.DRAW: "yellow"}
_NUMBER = 6  # columns for the number of a step
_WIDEST_BOARD = 24  # columns


@click.command("trace", context_settings={"ignore_unknown_options": True})
@click.argument("exercise", type=click.Choice(tuple(SCENES)), metavar="EXERCISE")
@click.argument("texts", nargs=-1, metavar="[INPUT]...")
@click.option(
    "--start", type=click.IntRange(min=0), default=0, help="Begin with this step (default 0)."
)
@click.option(
    "--steps", type=click.IntRange(min=0), help="Stop after this number of steps (default: all)."
)
@click.option(
    "--lines",
    "with_lines",
    is_flag=True,
    help="Show every line that runs (default: what happens on the board).",
)
@click.option("--json", "as_json", is_flag=True, help="Print every step as a JSON object.")
def command(
    exercise: str,
    texts: tuple[str, ...],
    start: int,
    steps: int | None,
    with_lines: bool,
    as_json: bool,
) -> None:
    """Show the textbook form of an exercise step by step.

    EXERCISE is games (every game on a grid, by backtracking), state or valid (the verdict on
    a board), move (wins in constant time on n x n), simulate or ultimate (replay moves).
    Without INPUT an example is shown. A step is computed when it is printed, so a trace of
    a large grid can be left at any time.

    \b
    Examples:
      noughts trace games 2x2x2
      noughts trace state XXX/OOO/...
      noughts trace move 3 0,0,1 1,1,2
      noughts trace simulate 0,0,X 0,0,O --lines
      noughts trace games 4x4x3 --steps 1000 --json
    """
    for text in texts:
        if text[:1] == "-" and text[1:2] in ("-", *ascii_letters):
            raise click.NoSuchOption(text)  # a typing mistake, not a move
    trace = Trace.of_texts(exercise, texts or SCENES[exercise].example)
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    if not as_json:
        title = textwrap.fill(f"{trace.title}: {' '.join(trace.input)}", width)
        click.echo(click.style(title, bold=True))
    last = None
    for step in trace.steps(start):
        if steps is not None and step.number - start >= steps:
            break
        last = step
        if as_json:
            echo_json(step.to_json())
        elif with_lines or step.is_key:
            click.echo(_line(step, width))
    if last and not as_json:
        click.echo(_summary(last))


def _line(step: Step, width: int) -> str:
    """Return a step as a line of a tree, with the board at the right if there is room."""
    lead = f"{step.number:>{_NUMBER},}  {'  ' * (step.depth - 1)}"
    picture = step.picture
    rows = [
        picture.marks[at : at + picture.cols] for at in range(0, len(picture.marks), picture.cols)
    ]
    board = "/".join(rows)
    text = step.text
    room = width - len(lead) - len(text) - 2
    colour = _COLOURS.get(step.event)
    shown = click.style(text, fg=colour, dim=step.event is Event.UNDO, bold=colour is not None)
    if len(board) <= min(room, _WIDEST_BOARD):
        return f"{lead}{shown}{board:>{room + 2}}"
    if room + 2 >= 0:
        return f"{lead}{shown}"
    hang = " " * min(len(lead) + 2, width // 2)
    return textwrap.fill(f"{lead}{text}", width, subsequent_indent=hang, drop_whitespace=True)


def _summary(last: Step) -> str:
    """Return what has happened until the last step, in numbers."""
    counts = last.counts
    games = counts.get(Event.WIN, 0) + counts.get(Event.DRAW, 0)
    parts = [
        (last.number + 1, "step"),
        (counts.get(Event.CALL, 0), "call"),
        (counts.get(Event.PLACE, 0), "mark"),
        (counts.get(Event.UNDO, 0), "undo"),
        (games if counts.get(Event.UNDO) else 0, "game"),
        (counts.get(Event.ACCEPT, 0), "accepted move"),
        (counts.get(Event.REJECT, 0), "rejected move"),
    ]
    return ", ".join(f"{count:,} {name}{'s' * (count != 1)}" for count, name in parts if count)
