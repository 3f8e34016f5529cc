"""``noughts verify``: proofs of game values, checked without the solver."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from noughts.cli.output import EXIT_NO, EXIT_UNUSABLE, complain, echo_json
from noughts.errors import NoughtsError, ProofError
from noughts.solving.verify import Proved, verify

__all__ = ["command"]


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per file.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check proofs of who wins, without the solver.

    A FILE holds a strategy: the winner's, or one for each side if the game is a draw. It is
    checked against every defence of the other side, by a small program that shares nothing
    with the solver; docs/proofs.md says why this is a proof. '-' is stdin.

    \b
    Examples:
      noughts verify 8x8x4.proof
      noughts verify --json *.proof
      noughts verify - < 8x8x4.proof

    Exit code: 0 if all are proved, 1 if a proof does not hold, 2 if a file cannot be read.
    """
    code = 0
    for name in files:
        shown = click.format_filename(name)
        try:
            data = _read(name)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            complain(NoughtsError(f"cannot read {shown!r}: {reason}"))
            code = EXIT_UNUSABLE
            continue
        try:
            result: Proved | ProofError = verify([data])
        except ProofError as error:
            result = error
            code = max(code, EXIT_NO)
        if as_json:
            echo_json(_as_json(shown, result))
        else:
            click.echo(f"{'stdin' if name == '-' else shown}: {_in_words(result)}")
    ctx.exit(code)


def _read(name: str) -> bytes:
    if name != "-":
        return Path(name).read_bytes()
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def _in_words(result: Proved | ProofError) -> str:
    if isinstance(result, ProofError):
        return f"{click.style('not proved:', fg='red', bold=True)} {result}"
    size = f"{result.nodes:,} nodes, {result.positions_checked:,} positions"
    return f"{click.style('proved:', fg='green', bold=True)} {result} ({size})"


def _as_json(name: str, result: Proved | ProofError) -> dict[str, object]:
    if isinstance(result, ProofError):
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
