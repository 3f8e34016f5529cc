"""``noughts grade``: solutions of the exercises, right or wrong."""

from __future__ import annotations

import shutil

import click

from noughts.cli.output import EXIT_NO, echo_json, is_ascii_output, write_file
from noughts.cli.units import MEMORY, SEED, TIME
from noughts.exercises.grading import DEFAULT_SECONDS, Grade, grade
from noughts.exercises.grading.junit import junit_xml
from noughts.exercises.grading.names import exercise_names
from noughts.storage import require_writable

__all__ = ["command"]


@click.command("grade")
@click.argument("file")
@click.option(
    "-e",
    "--exercise",
    metavar="NAME",
    help=f"The exercise (default: by the function's name): {', '.join(exercise_names())}.",
)
@click.option(
    "--function",
    metavar="NAME",
    help="The function, class or Class.method to grade (default: by the usual names).",
)
@click.option(
    "--seconds",
    type=TIME,
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="S",
    help="Time for one call; all calls together get ten times as much.",
)
@click.option(
    "--memory",
    type=MEMORY,
    default="1GiB",
    show_default=True,
    metavar="M",
    help="Memory that the solution may use.",
)
@click.option(
    "--seed",
    type=SEED,
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of the generated cases.",
)
@click.option(
    "--strict", is_flag=True, help="Slow growth, a stored board and another order are wrong, too."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--junit", metavar="FILE", help="Write the result as JUnit XML, too.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    exercise: str | None,
    function: str | None,
    seconds: float,
    memory: int,
    seed: int,
    strict: bool,
    as_json: bool,
    junit: str | None,
) -> None:
    """Grade a solution of an exercise.

    FILE is Python; '-' is stdin. The function, class or method of `class Solution` is found
    by its usual names: state, valid_tic_tac_toe, simulate, simulate_ultimate, TicTacToe,
    count_games, games, in snake or camel case. Cases come in order of size, and the first that
    fails is shown: what was expected, what came, and which rule it is about.

    The solution runs in a process of its own with limits of time, memory and output. This is
    NOT a sandbox: grade only files that you would run yourself.

    \b
    Examples:
      noughts grade solution.py
      noughts grade solution.py --exercise valid --json
      noughts grade solution.py --strict --junit report.xml

    Exit code: 0 if the solution is right, 1 if it is wrong or did not finish, 2 if it cannot be
    read or found.
    """
    if junit is not None:
        require_writable(junit, name=repr(click.format_filename(junit)))
    result = grade(
        file,
        exercise,
        function=function,
        seconds=seconds,
        memory=memory,
        seed=seed,
        strict=strict,
    )
    if junit is not None:
        write_file(junit, junit_xml(result))
    if as_json:
        echo_json(result.to_json())
    else:
        _report(result)
    ctx.exit(0 if result.right else EXIT_NO)


def _report(result: Grade) -> None:
    colour = {True: "green", False: "red", None: "yellow"}[result.right]
    width = shutil.get_terminal_size((80, 24)).columns
    text = result.text(ascii_only=is_ascii_output(), width=width)
    verdict, _, rest = text.partition(":")
    click.echo(f"{click.style(f'{verdict}:', fg=colour, bold=True)}{rest}")
