"""``noughts verify``: proofs of game values, checked without the solver."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from noughts.cli.output import EXIT_NO, EXIT_UNUSABLE, complain, echo_json
from noughts.cli.units import MEMORY, TIME
from noughts.errors import LimitExceeded, NoughtsError, ProofError
from noughts.limits import Limits
from noughts.solving.verify import Proved, verify

__all__ = ["command"]


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--time",
    "seconds",
    type=TIME,
    default="10min",
    show_default=True,
    help="Stop after this time for each file.",
)
@click.option(
    "--memory",
    type=MEMORY,
    default="4GiB",
    show_default=True,
    help="Memory to use at most; a file may have a sixteenth of it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per file.")
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], seconds: float, memory: int, as_json: bool
) -> None:
    """Check proofs of who wins, without the solver.

    A FILE holds a strategy: the winner's, or one for each side if the game is a draw. It is
    checked against every defence of the other side, by a small program that shares nothing
    with the solver; docs/proofs.md says why this is a proof. '-' is stdin.

    \b
    Examples:
      noughts verify 8x8x4.proof
      noughts verify --json *.proof
      noughts verify - < 8x8x4.proof

    Exit code: 0 if all are proved, 1 if a proof does not hold, 2 if a file cannot be read, or
    not be checked within the limits.
    """
    limits = Limits(seconds=seconds, memory=memory)
    code = 0
    for name in files:
        shown = click.format_filename(name)
        result: Proved | ProofError | LimitExceeded
        try:
            result = verify(_content(name), limits)
        except ProofError as error:
            result = error
            code = max(code, EXIT_NO)
        except LimitExceeded as error:
            result = error
            code = EXIT_UNUSABLE
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            complain(NoughtsError(f"cannot read {shown!r}: {reason}"))
            code = EXIT_UNUSABLE
            continue
        if as_json:
            echo_json(_as_json(shown, result))
        else:
            click.echo(f"{'stdin' if name == '-' else shown}: {_in_words(result)}")
    ctx.exit(code)


def _content(name: str) -> Iterator[bytes]:
    """Yield what is in a file, piece by piece: a device has no end."""
    if name != "-":
        with open(name, "rb") as file:
            yield from iter(lambda: file.read(1 << 16), b"")
    elif sys.stdin is not None:
        yield from iter(lambda: sys.stdin.buffer.read(1 << 16), b"")


def _in_words(result: Proved | ProofError | LimitExceeded) -> str:
    if isinstance(result, LimitExceeded):
        return f"{click.style('not checked:', fg='red', bold=True)} {result}"
    if isinstance(result, ProofError):
        return f"{click.style('not proved:', fg='red', bold=True)} {result}"
    size = f"{result.nodes:,} nodes, {result.positions_checked:,} positions"
    return f"{click.style('proved:', fg='green', bold=True)} {result} ({size})"


def _as_json(name: str, result: Proved | ProofError | LimitExceeded) -> dict[str, object]:
    if not isinstance(result, Proved):
        nothing = dict.fromkeys(("claim", "position", "plies", "nodes", "positions"))
        return {"file": name, "proved": False, **nothing, "error": str(result)}
    return {
        "file": name,
        "proved": True,
        "claim": result.claim,
        "position": result.position.text,
        "plies": result.plies,
        "nodes": result.nodes,
        "positions": result.positions_checked,
        "text": result.text,
    }
