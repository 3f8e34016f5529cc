"""The checker of proofs: it accepts what is true, wherever it comes from."""

from __future__ import annotations

import ast
import inspect
import io
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.errors import NoughtsError, ProofError
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving import proof_format
from noughts.solving import verify as checker
from noughts.solving.verify import Proved, verify
from support import oracle
from support import proof_writer as proofs
from support.proof_checks import LOST, TRAP, lines_of, lost_proof, refused, truth_of
from support.proof_writer import HOLDS, WINS, Prover, proof_file, sides, true_proof

# -- true proofs are accepted ------------------------------------------------------------


def test_a_proof_by_hand() -> None:
    proved = verify([lost_proof()])
    assert proved == Proved(GridPosition.parse(LOST), "loss", 2, 3, 5)
    assert str(proved) == f"X wins from {LOST} within 2 plies, whatever O does"
    assert proved.text == str(proved)


def test_a_draw_by_hand() -> None:
    data = proof_file(
        "4x4x4:..../..../..../....", "draw", {"X": 0, "O": 1}, [["static", []], ["moves", {}]]
    )
    proved = verify([data])
    assert (proved.claim, proved.plies, proved.nodes) == ("draw", None, 2)
    assert str(proved) == "neither side can be made to lose from 4x4x4: a draw with best play"


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize(
    ("grid", "claim", "plies"),
    [
        ("3x3x3", "draw", None),
        ("2x4x3", "draw", None),
        ("1x9x3", "draw", None),
        ("3x4x3", "win", 7),
        ("4x4x3", "win", 5),
        ("2x5x2", "win", 3),
        ("1x1x1", "win", 1),
        ("2x2x5", "draw", None),
    ],
)
def test_proofs_of_whole_games(grid: str, claim: str, plies: int | None, turning: bool) -> None:
    start = GridPosition.start(grid)
    truth = truth_of((start.grid.rows, start.grid.cols, start.grid.k))
    data, value, length = true_proof(start.text, truth, turning=turning)
    assert (value, length) == (claim, plies)
    proved = verify([data])
    assert (proved.position, proved.claim, proved.plies) == (start, claim, plies)
    assert proved.positions_checked > 0
    assert proved.nodes == len(lines_of(data)) - 2
    if not turning:
        assert b"turned" not in data


def canonical_positions(grid: str) -> Iterator[GridPosition]:
    """Yield every position in which the game goes on, one of each orbit of symmetric images."""
    layer = {GridPosition.start(grid)}
    while layer:
        yield from sorted(layer, key=lambda position: (position.x, position.o))
        after = {p.play(move).canonical() for p in layer for move in p.legal_moves}
        layer = {position for position in after if not position.outcome}


@pytest.mark.parametrize("grid", ["3x3x3", "2x4x3", "2x4x2", "3x3x2"])
def test_every_position_has_a_proof_of_its_value_and_of_no_other(grid: str) -> None:
    positions = list(canonical_positions(grid))
    shape = positions[0].grid
    truth = truth_of((shape.rows, shape.cols, shape.k))
    prover = Prover(truth)  # does its best also where there is nothing to prove
    for position in positions:
        data, claim, plies = true_proof(position.text, truth)
        proved = verify([data])
        assert (proved.position, proved.claim, proved.plies) == (position, claim, plies)
        for wrong, aim, players in (
            ("win", WINS, [position.turn]),
            ("loss", WINS, [position.turn.other]),
            ("draw", HOLDS, list(Player)),
        ):
            if wrong != claim:
                tried = {p.value: prover.strategy(aim, *sides(position, p)) for p in players}
                roots, nodes = prover.book.pruned(tried)
                refused(proof_file(position.text, wrong, roots, nodes))
    assert len(positions) > 10


@pytest.mark.parametrize("n", [5, 6])
def test_pairings(n: int) -> None:
    lines = sorted(map(sorted, oracle.lines(n, n, n)))
    pairs = proofs.pairing(lines)
    start = GridPosition.start(f"{n}x{n}x{n}").text
    proved = verify([proof_file(start, "draw", {"X": 0, "O": 0}, [["static", pairs]])])
    assert (
        str(proved) == f"neither side can be made to lose from {n}x{n}x{n}: a draw with best play"
    )
    # Where pairs lie across the lines they cover none, and their cells count as lost.
    (one, two), (three, four) = pairs[0], pairs[-1]
    crossed = [[one, three], [two, four], *pairs[1:-1]]
    assert not any({one, three} <= set(line) or {two, four} <= set(line) for line in lines)
    refused(proof_file(start, "draw", {"X": 0, "O": 0}, [["static", crossed]]), "weigh", 3)
    overlapping = [*pairs, [one, three]]
    refused(proof_file(start, "draw", {"X": 0, "O": 0}, [["static", overlapping]]), "in common", 3)


@pytest.mark.parametrize(
    ("text", "claim", "said"),
    [
        ("3x3x3:XXX/OO./...", "loss", "the game is over at 3x3x3:XXX/OO./...: X wins"),
        ("3x3x3:OOO/XX./X..", "loss", "the game is over at 3x3x3:OOO/XX./X..: O wins"),
        ("3x3x3:XOX/XOO/OXX", "draw", "the game is over at 3x3x3:XOX/XOO/OXX: draw"),
    ],
)
def test_finished_games_need_no_strategy(text: str, claim: str, said: str) -> None:
    assert str(verify([proof_file(text, claim, {}, [])])) == said
    for other in {"win", "draw", "loss"} - {claim}:
        refused(proof_file(text, other, {}, []), "the game is over", 2)
    refused(proof_file(text, claim, {"X": 0}, [["static", []]]), "neither side, as", 2)
    refused(proof_file(text, claim, {}, [["turned", "IDENTITY", 0]]), "before it", 3)


def test_what_is_said_of_a_win_without_a_number() -> None:
    assert str(verify([lost_proof(plies=None)])) == f"X wins from {LOST}, whatever O does"
    one = proof_file("1x3x2:O.X", "win", {"X": 0}, [["play", 1, None]], 1)
    assert str(verify([one])).endswith("within 1 ply, whatever O does")


# -- where a proof may come from ---------------------------------------------------------


def test_paths_and_lines(tmp_path: Path) -> None:
    data = lost_proof()
    path = tmp_path / "lost.proof"
    path.write_bytes(data)
    proved = verify(path)
    assert verify(str(path)) == proved
    assert verify(data.splitlines(keepends=True)) == proved
    assert verify(data.decode().splitlines(keepends=True)) == proved
    assert verify(io.BytesIO(data)) == proved
    assert verify(io.StringIO(data.decode())) == proved
    with path.open("rb") as stream:
        assert verify(stream) == proved
    with pytest.raises(ProofError, match=r"cannot read the proof .*No such file"):
        verify(tmp_path / "none")
    with pytest.raises(ProofError, match="line 1"):
        verify([])
    with pytest.raises(ProofError, match="line 1: "):
        verify(["\ud800"])


def test_an_error_knows_its_line_and_can_be_pickled() -> None:
    error = refused(lost_proof(plies=1), "claimed within 1 plies, but may take 2", 2)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.line) == (str(error), 2)
    assert isinstance(error, ValueError)
    assert isinstance(error, NoughtsError)


def test_the_checker_imports_nothing_but_the_rules_and_limits() -> None:
    imported = set()
    for module in (checker, proof_format):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Import):
                imported |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                imported.add(node.module or "")
    imported.remove("noughts.solving.proof_format")
    own = {name for name in imported if name.partition(".")[0] == "noughts"}
    own -= {"noughts.errors", "noughts.limits"}
    assert all(name.startswith("noughts.rules.") for name in own)
    others = {name.partition(".")[0] for name in imported} - {"noughts"}
    assert others <= sys.stdlib_module_names


def test_the_proofs_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    blocks = text.split("```proof\n")[1:]
    said = [str(verify([block.partition("```")[0]])) for block in blocks]
    assert said == [
        f"X wins from {LOST} within 2 plies, whatever O does",
        "neither side can be made to lose from 4x4x4: a draw with best play",
    ]
    assert TRAP in text
