"""``noughts solve``: who wins with best play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.output import EXIT_NO, echo_json, picture_for_terminal, write_file
from noughts.cli.progress import ProgressLine
from noughts.cli.units import MEMORY, TIME, duration
from noughts.errors import NotationError
from noughts.limits import Limits
from noughts.rules.game import Game
from noughts.rules.position import GridPosition
from noughts.solving import Analysis, Solution, analyse, solve
from noughts.storage import require_writable

if TYPE_CHECKING:
    from noughts.solving.solver import SearchProgress

__all__ = ["command"]


@click.command("solve")
@click.argument("game", metavar="GAME", nargs=-1, required=True)
@click.option("--moves", "every_move", is_flag=True, help="Give the value of every legal move.")
@click.option("--time", "seconds", type=TIME, help="Stop after this time, like 60s or 5min.")
@click.option(
    "--memory", type=MEMORY, default="4GiB", show_default=True, help="Memory to use at most."
)
@click.option("--proof", metavar="FILE", help="Write a proof that 'noughts verify' checks.")
@click.option(
    "--checkpoint", metavar="FILE", help="Save what is found to this file, and resume from it."
)
@click.option("--any-length", is_flag=True, help="Prove who wins, but not in how many plies.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    game: tuple[str, ...],
    every_move: bool,
    seconds: float | None,
    memory: int,
    proof: str | None,
    checkpoint: str | None,
    any_length: bool,
    as_json: bool,
) -> None:
    """Prove who wins from a position, in how many plies, and how.

    GAME is a grid or a position, and moves that follow. A ply is a move of one side. Both sides
    play best: the winner as quickly, the loser as slowly as possible. If the value is not
    proved within the limits, the output says so and the exit code is 1.

    \b
    Examples:
      noughts solve 4x4x3
      noughts solve 4x4x3 b2 a1
      noughts solve X../.O./..X --moves
      noughts solve 7x7x5 --time 60s
      noughts solve 8x8x4 --proof 8x8x4.proof
    """
    text = " ".join(game)
    start = Game.parse(text).position
    if not isinstance(start, GridPosition):
        raise NotationError("only grids can be solved, not Ultimate", text, 0)
    if every_move and (proof or checkpoint):
        raise click.UsageError("--moves cannot be combined with --proof or --checkpoint.")
    if proof:  # known before the work
        require_writable(proof, name=repr(click.format_filename(proof)))
    line = ProgressLine()

    def on_progress(done: SearchProgress) -> None:
        line.status(
            f"{done.nodes:,} nodes, {duration(done.seconds)}; no win within {done.not_within} plies"
        )

    limits = Limits(seconds=seconds, memory=memory)
    options: Any = {
        "distance": not any_length,
        "checkpoint": checkpoint,
        "on_progress": on_progress,
        "on_notice": line.notice,
    }
    found: Solution | Analysis
    try:
        if every_move:
            found = analyse(start, limits, on_notice=line.notice)
            solution = found.solution
        elif proof:
            found = solution = _prove(start, limits, proof, options)
        else:
            found = solution = solve(start, limits, **options)
    except KeyboardInterrupt:
        line.clear()
        kept = f"; {checkpoint} has the results so far" if checkpoint else ""
        click.echo(f"Interrupted: nothing is proved yet{kept}.", err=True)
        raise
    finally:
        line.clear()
    if as_json:
        moves = {"moves": found.to_json()["moves"]} if isinstance(found, Analysis) else {}
        echo_json(solution.to_json() | moves)
    else:
        _print(found, solution)
    if not solution.is_proved:
        ctx.exit(EXIT_NO)


def _prove(start: GridPosition, limits: Limits, name: str, options: Any) -> Solution:
    """Solve a position, and write the proof to a file if the value is proved."""
    from noughts.solving.proofs import proof_of
    from noughts.solving.solver import Solver

    solver = Solver(start.grid, limits.memory)
    solution = solver.solve(start, limits, **options)
    if solution.is_proved:
        options["on_notice"]("writing the proof")
        write_file(name, proof_of(solution, solver.searches))
    else:
        click.echo(
            f"The value is not proved: {click.format_filename(name)} was not written.", err=True
        )
    return solution


def _print(found: Solution | Analysis, solution: Solution) -> None:
    """Print the result in words."""
    position = solution.position
    where = str(position.grid) if not position.x else position.text
    mark = "" if solution.is_proved else "not proved: "
    click.echo(f"{where}: {mark}{solution}")
    names = [position.move_name(move) for move in solution.line]
    if len(solution.best) > 1 or (solution.best and not names):
        click.echo(f"  best  {_wrapped([position.move_name(move) for move in solution.best])}")
    if names:
        click.echo(f"  line  {_wrapped(names)}")
    if isinstance(found, Analysis) and found.moves:
        click.echo(picture_for_terminal(position.diagram(values=found.labels)))
        for move in found.moves:
            click.echo(f"  {position.move_name(move.move):<4}{move}")
    if solution.nodes:
        click.echo(f"  {solution.nodes:,} nodes in {solution.seconds:.1f} s", err=True)


def _wrapped(names: list[str]) -> str:
    """Return names in rows that fit a terminal, below each other."""
    rows = [" ".join(names[start : start + 20]) for start in range(0, len(names), 20)]
    return "\n        ".join(rows)
