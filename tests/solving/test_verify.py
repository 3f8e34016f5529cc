"""The checker of proofs: it accepts what is true, and whatever it accepts is true."""

from __future__ import annotations

import ast
import inspect
import io
import json
import pickle
import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import oracle
import proofs
from noughts.errors import NoughtsError, ProofError
from noughts.rules.player import Player
from noughts.rules.position import Position
from noughts.rules.symmetry import Symmetry
from noughts.solving import verify as checker
from noughts.solving.verify import Proved, verify
from proofs import (
    HOLDS,
    WINS,
    Guesser,
    Prover,
    Shape,
    Truth,
    WinGuesser,
    proof_file,
    random_sides,
    sides,
    signed,
    true_proof,
)

# X threatens b1 (cell 1) and c2 (cell 5); O can block one.
LOST = "3x3x3:X.X/.O./O.X"
LOST_NODES = [["play", 5, None], ["play", 1, None], ["answer", {"1": 0}, 1]]


@cache
def truth_of(shape: Shape) -> Truth:
    return Truth(*shape)


def refused(data: bytes, match: str | None = None, line: int | None = None) -> ProofError:
    """Return the refusal of a proof, which says what is wrong and in which line."""
    with pytest.raises(ProofError, match=match) as caught:
        verify([data])
    assert caught.value.line is not None
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    if line is not None:
        assert caught.value.line == line, caught.value
    return caught.value


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file above its digest, to be changed and signed again."""
    return data.decode().split("\n")[:-2]


def lost_proof(**header: Any) -> bytes:
    """Return a correct proof of a lost position, with something in the header replaced."""
    fields = {"position": LOST, "claim": "loss", "plies": 2, "roots": {"X": 2}, **header}
    return signed(["noughts proof 1", json.dumps(fields), *map(json.dumps, LOST_NODES)])


def draw_proof(text: str, ours: Player, root: int, nodes: list[Any]) -> bytes:
    """Return a proof of a draw with this strategy of one side, and a true one of the other."""
    position = Position.parse(text)
    prover = Prover(truth_of((position.grid.rows, position.grid.cols, position.grid.k)))
    theirs = ours.other
    other_root = prover.strategy(HOLDS, *sides(position, theirs))
    shift = {number: number + len(nodes) for number in range(len(prover.book.nodes))}
    more = [proofs.renumbered(node, shift) for node in prover.book.nodes]
    return proof_file(text, "draw", {ours: root, theirs: shift[other_root]}, [*nodes, *more])


# -- true proofs are accepted ------------------------------------------------------------


def test_a_proof_by_hand() -> None:
    proved = verify([lost_proof()])
    assert proved == Proved(Position.parse(LOST), "loss", 2, 3, 5)
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
    start = Position.start(grid)
    truth = truth_of((start.grid.rows, start.grid.cols, start.grid.k))
    data, value, length = true_proof(start.text, truth, turning=turning)
    assert (value, length) == (claim, plies)
    proved = verify([data])
    assert (proved.position, proved.claim, proved.plies) == (start, claim, plies)
    assert proved.positions_checked > 0
    assert proved.nodes == len(lines_of(data)) - 2
    if not turning:
        assert b"turned" not in data


def canonical_positions(grid: str) -> Iterator[Position]:
    """Yield every position in which the game goes on, one of each set of twins."""
    layer = {Position.start(grid)}
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
    start = Position.start(f"{n}x{n}x{n}").text
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
    refused(proof_file(text, claim, {"X": 0}, [["static", []]]), "nobody", 2)
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
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "none")
    with pytest.raises(ProofError, match="line 1"):
        verify([])
    with pytest.raises(ProofError, match="line 1: "):
        verify(["\ud800"])


def test_an_error_knows_its_line_and_can_be_pickled() -> None:
    error = refused(lost_proof(plies=1), "claimed within 1 plies, but may take 2", 2)
    twin = pickle.loads(pickle.dumps(error))
    assert (str(twin), twin.line) == (str(error), 2)
    assert isinstance(error, ValueError)
    assert isinstance(error, NoughtsError)


def test_the_checker_imports_nothing_but_the_rules() -> None:
    tree = ast.parse(inspect.getsource(checker))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module or "")
    own = {name for name in imported if name.partition(".")[0] == "noughts"}
    assert all(name == "noughts.errors" or name.startswith("noughts.rules.") for name in own)
    assert {name.partition(".")[0] for name in imported - own} <= sys.stdlib_module_names


def test_the_proofs_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    blocks = text.split("```proof\n")[1:]
    said = [str(verify([block.partition("```")[0]])) for block in blocks]
    assert said == [
        f"X wins from {LOST} within 2 plies, whatever O does",
        "neither side can be made to lose from 4x4x4: a draw with best play",
    ]
    assert TRAP in text


# -- damaged files -----------------------------------------------------------------------


def test_every_changed_byte_is_noticed() -> None:
    data = lost_proof()
    for place in range(len(data)):
        for change in (1, 2, 32, 128):
            damaged = bytearray(data)
            damaged[place] ^= change
            refused(bytes(damaged))
        refused(data[:place])
        refused(data[:place] + data[place + 1 :])
        refused(data[:place] + b" " + data[place:])
    for more in (b" ", b"\n", b"\r\n", b"x", b"[]\n", data):
        refused(data + more)


def test_changed_bytes_of_a_longer_proof() -> None:
    data, _, _ = true_proof("3x3x3:.../.../...", truth_of((3, 3, 3)))
    rng = random.Random(1)
    for place in rng.sample(range(len(data)), 150):
        damaged = bytearray(data)
        damaged[place] = rng.choice([byte for byte in range(256) if byte != data[place]])
        refused(bytes(damaged))


def test_a_digest_in_other_words_is_none() -> None:
    body, _, digest = lost_proof()[:-1].rpartition(b" ")
    refused(body + b" " + digest.upper() + b"\n", "digest")
    refused(body + b"  " + digest + b"\n", "digest")
    refused(body + b" " + digest + b"\r\n", "digest")
    refused(body + b"\n", "'sha256' and the digest", 6)


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("noughts proof 2", 1),
        ("noughts proof 1 ", 1),
        ("noughts proof 1\r", 1),
        ("\ufeffnoughts proof 1", 1),
        ("", 1),
    ],
)
def test_other_versions(first: str, line: int) -> None:
    refused(signed([first, *lines_of(lost_proof())[1:]]), "begins with 'noughts proof 1'", line)


def test_a_file_without_a_header() -> None:
    refused(signed(["noughts proof 1"]), "header is missing", 2)


# -- headers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"position": 3}, "must be text"),
        ({"position": "X.X/.O./O.X"}, "must be written"),
        ({"position": "3x3x3:X X/.O./O.X"}, "must be written"),
        ({"position": "3x3x3:X.X/.0./0.X"}, "must be written"),
        ({"position": "03x3x3:X.X/.O./O.X"}, "must be written"),
        ({"position": "3x3x3:X.X/.O./O.?"}, "not a mark"),
        ({"position": "3x3x3:X.X/.../..X"}, "no game leads there"),
        ({"position": "3x3x3"}, "not a mark"),
        ({"position": "ultimate"}, "not a mark"),
        ({"position": "21x20x3:" + "/".join(["." * 20] * 21), "claim": "win"}, "400 cells"),
        ({"claim": "wins"}, "win, draw or loss"),
        ({"claim": None}, "win, draw or loss"),
        ({"claim": ["win"]}, "win, draw or loss"),
        ({"claim": "win"}, "root for O"),
        ({"claim": "draw", "plies": None}, "root for O and X"),
        ({"claim": "draw", "roots": {"X": 2, "O": 2}}, "plies"),
        ({"plies": True}, "plies"),
        ({"plies": 2.0}, "plies"),
        ({"plies": "2"}, "plies"),
        ({"plies": -1}, "plies"),
        ({"plies": 1}, "claimed within 1 plies"),
        ({"plies": 0}, "claimed within 0 plies"),
        ({"roots": {}}, "root for X"),
        ({"roots": {"O": 2}}, "root for X"),
        ({"roots": {"X": 2, "O": 2}}, "root for X"),
        ({"roots": {"x": 2}}, "root for X"),
        ({"roots": [2]}, "root for X"),
        ({"roots": None}, "root for X"),
        ({"roots": {"X": None}}, "number of a node"),
        ({"roots": {"X": "2"}}, "number of a node"),
        ({"roots": {"X": True}}, "number of a node"),
        ({"roots": {"X": 2.0}}, "number of a node"),
        ({"roots": {"X": -1}}, "number of a node"),
        ({"roots": {"X": 3}}, "there are 3 nodes"),
        ({"roots": {"X": 10**30}}, "there are 3 nodes"),
        ({"comment": "fine"}, "exactly position, claim, plies, roots"),
    ],
    ids=str,
)
def test_wrong_headers(change: dict[str, Any], match: str) -> None:
    refused(lost_proof(**change), match, 2)


@pytest.mark.parametrize(
    ("header", "match"),
    [
        ("", "not JSON"),
        ("[]", "must be an object"),
        ("null", "must be an object"),
        ("{}", "must be an object"),
        (f'{{"position":"{LOST}","claim":"loss","roots":{{"X":2}}}}', "exactly"),
        (f'{{"position":"{LOST}","claim":"loss","plies":2,"plies":2,"roots":{{"X":2}}}}', "twice"),
        (f'{{"position":"{LOST}","claim":"loss","plies":2,"roots":{{"X":2,"X":2}}}}', "twice"),
        (f'{{"position":"{LOST}","claim":"loss","plies":NaN,"roots":{{"X":2}}}}', "plies"),
        (f'{{"position":"{LOST}","claim":"loss","plies":2e0,"roots":{{"X":2}}}}', "plies"),
        (f'{{"position":"{LOST}","claim":"loss","plies":2,"roots":{{"X":2}}}} {{}}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5000, "not JSON"),
    ],
    ids=lambda value: str(value)[:80],
)
def test_headers_that_are_none(header: str, match: str) -> None:
    first, _, *nodes = lines_of(lost_proof())
    refused(signed([first, header, *nodes]), match, 2)


def test_other_spacing_and_escapes_are_fine() -> None:
    first, _, *nodes = lines_of(lost_proof())
    header = f'\t{{ "roots" : {{"\\u0058":2}}, "plies":2 ,"claim":"loss","position":"{LOST}" }} \r'
    spaced = [node.replace(",", " ,\t") for node in nodes]
    assert verify([signed([first, header, *spaced])]).plies == 2


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-32-be", "latin-1"])
def test_only_utf_8_is_read(encoding: str) -> None:
    first, header, *nodes = lines_of(
        lost_proof(comment="é") if encoding == "latin-1" else lost_proof()
    )
    header = header.replace("\\u00e9", "é")
    lines = [first.encode(), header.encode(encoding), *map(str.encode, nodes)]
    data = b"".join(line + b"\n" for line in lines)
    refused(data + f"sha256 {sha256(data).hexdigest()}\n".encode(), "not JSON", 2)


# -- nodes that are malformed ------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "match"),
    [
        ("", "not JSON"),
        ("null", "array that begins with its kind"),
        ("{}", "array that begins with its kind"),
        ("[]", "array that begins with its kind"),
        ("[1,2]", "array that begins with its kind"),
        ('[["play"],1,0]', "array that begins with its kind"),
        ('["pass"]', "not a kind"),
        ('["Play",1,0]', "not a kind"),
        ('["reply",1,0]', "not a kind"),
        ('["static",[]]', "not a kind"),
        ('["moves",{}]', "not a kind"),
        ('["play",1]', "followed by 2 values"),
        ('["play",1,0,0]', "followed by 2 values"),
        ('["play",9,0]', "a cell must be 0 to 8"),
        ('["play",-1,0]', "a cell must be"),
        ('["play",true,0]', "a cell must be"),
        ('["play",1.0,0]', "a cell must be"),
        ('["play","1",0]', "a cell must be"),
        ('["play",null,0]', "a cell must be"),
        ('["play",1,2]', "nodes before it"),
        ('["play",1,3]', "nodes before it"),
        ('["play",1,-1]', "nodes before it"),
        ('["play",1,false]', "nodes before it"),
        ('["play",1,0.0]', "nodes before it"),
        ('["answer",{"1":2},1]', "nodes before it"),
        ('["answer",{"1":0},2]', "nodes before it"),
        ('["answer",{"1":null},1]', "nodes before it"),
        ('["answer",[0],1]', "must be an object"),
        ('["answer",{"9":0},1]', "a move must be"),
        ('["answer",{"01":0},1]', "a move must be"),
        ('["answer",{"1 ":0},1]', "a move must be"),
        ('["answer",{"b1":0},1]', "a move must be"),
        ('["answer",{"-1":0},1]', "a move must be"),
        ('["answer",{"１":0},1]', "a move must be"),
        ('["answer",{"1":0,"1":0},1]', "twice"),
        ('["turned","ROTATE_45",1]', "no symmetry"),
        ('["turned","rotate_90",1]', "no symmetry"),
        ('["turned",90,1]', "no symmetry"),
        ('["turned",["ROTATE_90"],1]', "no symmetry"),
        ('["turned","ROTATE_90",null]', "nodes before it"),
        ('["turned","ROTATE_90",2]', "nodes before it"),
    ],
)
def test_malformed_nodes_of_winning_strategies(node: str, match: str) -> None:
    refused(signed([*lines_of(lost_proof())[:4], node]), match, 5)


@pytest.mark.parametrize(
    ("node", "match"),
    [
        ('["play",1,0]', "not a kind"),
        ('["answer",{},0]', "not a kind"),
        ('["static"]', "followed by 1 values"),
        ('["static",{}]', "must be an array"),
        ('["static",[1,2]]', "two cells"),
        ('["static",[[1]]]', "two cells"),
        ('["static",[[1,2,3]]]', "two cells"),
        ('["static",[[1,1]]]', "with itself"),
        ('["static",[[1,9]]]', "a cell must be"),
        ('["static",[[1,true]]]', "a cell must be"),
        ('["static",[[0,1],[1,2]]]', "in common"),
        ('["static",[[0,1],[1,0]]]', "in common"),
        ('["reply",1]', "followed by 2 values"),
        ('["reply",1,1]', "nodes before it"),
        ('["moves",{"1":1}]', "nodes before it"),
        ('["moves",{"1":null}]', "nodes before it"),
        ('["moves",[]]', "must be an object"),
        ('["moves",{},0]', "followed by 1 values"),
        ('["forced",1,null]', "nodes before it"),
        ('["forced",1,1]', "nodes before it"),
        ('["double",1,1]', "with itself"),
        ('["double",1,null]', "a cell must be"),
        ('["double",1]', "followed by 2 values"),
    ],
)
def test_malformed_nodes_of_holding_strategies(node: str, match: str) -> None:
    header = {
        "position": "3x3x3:.../.../...", "claim": "draw", "plies": None, "roots": {"X": 0, "O": 1}
    }  # fmt: skip
    refused(signed(["noughts proof 1", json.dumps(header), '["static",[]]', node]), match, 4)


def test_strategies_that_go_very_deep() -> None:
    # A game of 64 moves is followed to its end.
    nodes: list[Any] = [["play", 63, None]]
    for cell in range(62, 0, -2):
        nodes += [["answer", {str(cell): len(nodes) - 1}, None], ["play", cell - 1, len(nodes)]]
    start = Position.start("1x64x33").text
    refused(proof_file(start, "win", {"X": len(nodes) - 1}, nodes), "no line at bl1", 3)
    # Where Python gives up, so do we. X holds here by pairs, O would have to go through it all.
    nodes = [["static", [[cell, cell + 1] for cell in range(1, 399, 2)]]]
    for cell in range(398, 0, -2):
        nodes += [["reply", cell + 1, len(nodes) - 1], ["moves", {str(cell): len(nodes)}]]
    start = Position.start("1x400x5").text
    roots = {"X": 0, "O": len(nodes) - 1}
    refused(proof_file(start, "draw", roots, nodes), "deeper than Python can follow", 2)
    roots["O"] = 120  # sixty moves of each side are fine, but the pairs are taken then
    refused(proof_file(start, "draw", roots, nodes[:121]), "of a pair is not empty", 3)


def test_a_long_chain_of_turns() -> None:
    turns = [["turned", "ROTATE_90", number + 2] for number in range(20_000)]
    assert verify([proof_file(LOST, "loss", {"X": 20_002}, [*LOST_NODES, *turns], 2)]).plies == 2


def test_unused_nodes() -> None:
    first, header, *nodes = lines_of(lost_proof())
    refused(signed([first, header, *nodes, '["play",1,null]']), "node 3: nothing refers", 6)
    refused(lost_proof(roots={"X": 1}), "node 2: nothing refers", 5)


def test_symmetries_that_do_not_fit_the_board() -> None:
    for symmetry in Symmetry:
        # O.X, and mirrored where the symmetry does so
        nodes = [["play", 1, None], ["turned", symmetry.name, 0]]
        data = proof_file("1x3x2:O.X", "win", {"X": 1}, nodes)
        if symmetry.value[0]:
            refused(data, "no symmetry of a 1x3x2 board", 4)
        else:
            assert verify([data]).nodes == 2


# -- winning strategies that do not win --------------------------------------------------


@pytest.mark.parametrize(
    ("block", "others", "answer", "match", "line"),
    [
        (
            ["play", 5, None],
            ["play", 1, None],
            ["answer", {"1": 0, "5": 1, "7": 1}, None],
            "no answer to O at a2",
            5,
        ),
        (["play", 3, None], ["play", 1, None], ["answer", {"1": 0}, 1], "completes no line", 3),
        (["play", 0, None], ["play", 1, None], ["answer", {"1": 0}, 1], "is not empty", 3),
        (["play", 5, None], ["play", 5, None], ["answer", {"1": 0}, 1], "is not empty", 4),
        (["play", 5, None], ["turned", "TRANSPOSE", 0], ["answer", {"1": 0}, 1], "no line", 3),
        (["answer", {}, None], ["play", 1, None], ["answer", {"1": 0}, 1], "must be a play", 3),
    ],
)
def test_wrong_answers(block: Any, others: Any, answer: Any, match: str, line: int) -> None:
    refused(proof_file(LOST, "loss", {"X": 2}, [block, others, answer], 2), match, line)


def test_the_kind_must_fit_the_side_to_move() -> None:
    chain = [["play", 5, None], ["play", 1, 0], ["play", 3, 1]]
    refused(proof_file(LOST, "loss", {"X": 2}, chain), "O is to move: it must be an answer", 5)
    answers = [["answer", {}, None], ["answer", {}, 0]]
    refused(proof_file(LOST, "loss", {"X": 1}, answers), "X is to move, so it must be a play", 3)


def test_an_answer_to_everything_must_not_be_taken() -> None:
    nodes = [["play", 1, None], ["answer", {}, 0]]
    error = refused(proof_file(LOST, "loss", {"X": 1}, nodes, 2), "is not empty", 3)
    assert str(error) == "line 3: node 0 at 3x3x3:XOX/.O./O.X: b1 (cell 1) is not empty"


def test_turned_strategies() -> None:
    position = Position.parse(LOST)
    for symmetry in Symmetry:
        turned = position.transformed(symmetry)
        nodes = [*LOST_NODES, ["turned", symmetry.inverse.name, 2]]
        assert verify([proof_file(turned.text, "loss", {"X": 3}, nodes, 2)]).plies == 2
        if turned != position:
            refused(proof_file(turned.text, "loss", {"X": 2}, LOST_NODES, 2), "line")


def test_listed_moves_that_are_not_there_do_not_matter() -> None:
    nodes = [*LOST_NODES[:2], ["answer", {"0": 1, "1": 0, "4": 0}, 1]]
    assert verify([proof_file(LOST, "loss", {"X": 2}, nodes, 2)]).plies == 2


def test_a_default_that_is_not_needed_does_not_matter() -> None:
    nodes = [*LOST_NODES[:2], ["answer", {"1": 0, "3": 1, "5": 1, "7": 1}, 0]]
    assert verify([proof_file(LOST, "loss", {"X": 2}, nodes, 2)]).plies == 2
    nodes[2][2] = None
    assert verify([proof_file(LOST, "loss", {"X": 2}, nodes, 2)]).plies == 2


def test_a_move_that_completes_a_line_ends_the_game_whatever_follows() -> None:
    nodes = [["play", 2, None], ["answer", {}, 0], ["play", 1, 1]]
    assert verify([proof_file("1x3x2:O.X", "win", {"X": 2}, nodes, 1)]).plies == 1


def test_the_other_side_may_be_quicker() -> None:
    # X makes a double threat in the corner, but O completes the middle row.
    nodes = [["play", 1, None], ["play", 3, None], ["answer", {"1": 1}, 0], ["play", 6, 2]]
    error = refused(proof_file("3x3x3:X.X/OO./...", "win", {"X": 3}, nodes), line=5)
    where = "line 5: node 2 at 3x3x3:X.X/OO./X.."
    assert str(error) == f"{where}: O completes a line at c2 (cell 5)"


def test_a_full_board_is_no_win() -> None:
    nodes = [["answer", {}, None], ["play", 8, 0]]
    refused(proof_file("3x3x3:XOX/XOO/OX.", "win", {"X": 1}, nodes), "the board is full", 3)


def test_claims_of_fewer_plies() -> None:
    data, _, plies = true_proof("4x4x3:..../..../..../....", truth_of((4, 4, 3)))
    assert plies == 5
    first, header, *nodes = lines_of(data)
    for claimed in range(8):
        changed = header.replace('"plies": 5', f'"plies": {claimed}')
        signed_again = signed([first, changed, *nodes])
        if claimed < plies:
            refused(signed_again, f"claimed within {claimed} plies, but may take 5", 2)
        else:
            assert verify([signed_again]).plies == claimed


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("grid", ["4x4x3", "3x4x3", "2x5x2"])
def test_winning_proofs_with_something_left_out_or_wrong(grid: str, turning: bool) -> None:
    start = Position.start(grid)
    truth = truth_of((start.grid.rows, start.grid.cols, start.grid.k))
    data, _, _ = true_proof(start.text, truth, turning=turning)
    assert_spoiled_proofs_fail(data, start.grid.cells, random.Random(grid))


def assert_spoiled_proofs_fail(data: bytes, cells: int, rng: random.Random) -> None:
    """Change one thing in a node, sign the file again, and see that many are refused.

    Not all: a change may by chance leave another proof of the same.
    """
    first, header, *nodes = lines_of(data)
    refusals = tries = 0
    for index in rng.sample(range(len(nodes)), min(100, len(nodes))):
        for spoiled in spoiled_nodes(json.loads(nodes[index]), rng, cells):
            changed = [*nodes[:index], json.dumps(spoiled), *nodes[index + 1 :]]
            tries += 1
            try:
                verify([signed([first, header, *changed])])
            except ProofError as error:
                refusals += 1
                assert error.line
    assert refusals > tries * 0.4


def spoiled_nodes(node: Any, rng: random.Random, cells: int) -> Iterator[Any]:
    """Yield a node with one thing left out or changed."""
    kind = node[0]
    if kind in ("answer", "moves"):
        for cell in node[1]:
            yield [kind, {c: n for c, n in node[1].items() if c != cell}, *node[2:]]
            yield [kind, {**node[1], cell: max(0, node[1][cell] - 1)}, *node[2:]]
    if kind == "answer":
        yield [kind, node[1], None]
    if kind in ("play", "reply", "forced"):
        yield [kind, rng.choice([c for c in range(cells) if c != node[1]]), node[2]]
        if node[2]:
            yield [kind, node[1], node[2] - 1]
            yield [kind, node[1], None]
    if kind == "double":
        yield [kind, node[1], rng.choice([c for c in range(cells) if c not in node[1:]])]
    if kind == "turned":
        others = [symmetry.name for symmetry in Symmetry if symmetry.name != node[1]]
        yield [kind, rng.choice(others), node[2]]


# -- holding strategies that do not hold -------------------------------------------------


def zone_of(text: str, player: Player, *nodes: Any) -> int:
    """Return the zone that the last of these nodes has in a position."""
    position = Position.parse(text)
    reader = checker._NodeReader(position.grid, holding=True)
    used = bytearray(len(nodes))
    read = [reader.read(node, number, used) for number, node in enumerate(nodes)]
    proof = checker.Proof(position, "draw", None, {}, read)
    us, them, ours = sides(position, player)
    return checker.Holding(proof, player).zone(len(nodes) - 1, us, them, our_turn=ours)


def cells(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def test_the_weight_must_be_below_the_bound() -> None:
    # Two lines of two cells weigh 1/2: too much if they are to move, and indeed they win.
    with pytest.raises(ProofError, match="weigh 2/4, not below 1/2"):
        zone_of("1x3x2:...", Player.O, ["static", []])
    assert not truth_of((1, 3, 2)).holds(0, 0, False)
    # Four of them weigh 1: too much even if we are to move; three do not.
    with pytest.raises(ProofError, match="weigh 4/4, not below 1"):
        zone_of("1x5x2:.....", Player.X, ["static", []])
    assert zone_of("1x4x2:....", Player.X, ["static", []]) == cells(0, 1, 2, 3)
    # One line of two cells weighs 1/4.
    assert zone_of("1x2x2:..", Player.O, ["static", []]) == cells(0, 1)
    # Their mark in a line makes it heavier, ours takes it away.
    with pytest.raises(ProofError, match="weigh 3/4, not below 1/2"):
        zone_of("1x4x2:X..O", Player.O, ["static", []])
    assert zone_of("1x4x2:X.OX", Player.O, ["static", []]) == cells(1)


def test_a_pair_covers_a_line() -> None:
    assert zone_of("1x3x3:...", Player.O, ["static", [[0, 2]]]) == cells(0, 2)
    assert zone_of("2x3x3:.../...", Player.O, ["static", [[3, 5], [1, 0]]]) == cells(0, 1, 3, 5)
    # The other line is not covered and needs all its cells.
    assert zone_of("2x3x3:.../...", Player.O, ["static", [[0, 1]]]) == cells(0, 1, 3, 4, 5)
    # A pair covers every line that contains both its cells: here 012 and 123.
    assert zone_of("1x4x3:....", Player.O, ["static", [[1, 2]]]) == cells(1, 2)
    # For the other lines its cells count as theirs: 123 has only cell 2 left here.
    pairs = [[0, 1], [3, 4]]
    with pytest.raises(ProofError, match="weigh 4/8, not below 1/2"):
        zone_of("1x5x3:.....", Player.O, ["static", pairs])
    assert zone_of("1x5x3:.....", Player.X, ["static", pairs]) == cells(0, 1, 2, 3, 4)


def test_pairs_must_be_empty() -> None:
    for pairs in ([[4, 5]], [[0, 1], [2, 4]]):
        with pytest.raises(ProofError, match=r"b2 \(cell 4\) of a pair is not empty"):
            zone_of("3x3x3:.../.X./...", Player.O, ["static", pairs])


def test_replies() -> None:
    static = ["static", []]
    # We complete the top row: nothing else matters.
    assert zone_of("3x3x3:XX./OO./...", Player.X, ["reply", 2, None]) == cells(2)
    assert zone_of("3x3x3:XX./OO./...", Player.X, static, ["reply", 2, 0]) == cells(2)
    with pytest.raises(ProofError, match=r"X completes no line at c3 \(cell 8\)"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["reply", 8, None])
    with pytest.raises(ProofError, match=r"a1 \(cell 0\) is not empty"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["reply", 0, None])
    with pytest.raises(
        ProofError, match=r"node 0 at 3x3x3:XX\./OO\./\.\.X: the lines without a pair"
    ):
        zone_of("3x3x3:XX./OO./...", Player.X, static, ["reply", 8, 0])
    with pytest.raises(ProofError, match="X is to move, so it must be a reply or static"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["moves", {}])
    with pytest.raises(ProofError, match="X is to move, so it must be a reply or static"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["double", 2, 3])
    with pytest.raises(ProofError, match="O is to move: it must be moves, forced, double or sta"):
        zone_of("3x3x3:XX./O../...", Player.X, ["reply", 2, None])


def test_moves_that_matter() -> None:
    # All of X's moves are harmless where O's marks have left only light lines.
    assert zone_of("3x4x4:..../..../....", Player.O, ["moves", {}]) == cells(*range(12))
    # Without an open line there is nothing to hold, and nothing that matters.
    assert zone_of("2x2x3:../..", Player.O, ["moves", {}]) == 0
    assert zone_of("2x2x3:XO/XO", Player.O, ["moves", {}]) == 0
    with pytest.raises(ProofError, match=r"no answer to X at a1"):
        zone_of("3x3x3:.../.../...", Player.O, ["moves", {}])
    with pytest.raises(ProofError, match=r"a1 \(cell 0\) is not empty"):
        zone_of("3x4x4:X.../O.../....", Player.O, ["static", []], ["moves", {"0": 0}])
    with pytest.raises(ProofError, match=r"X completes a line at c1 \(cell 2\)"):
        zone_of("3x3x3:XX./.O./..O", Player.O, ["static", []], ["moves", {"2": 0}])


def test_moves_outside_the_zone_are_answered_as_a_listed_one() -> None:
    # O threatens b3. If X does not block, O wins there, and needs nothing else for it: so
    # one such move stands for all. If X blocks, what X has is light enough.
    text = "3x3x3:XOX/.O./..."
    blocked, wins = ["static", []], ["reply", 7, None]
    assert zone_of(text, Player.O, blocked, wins, ["moves", {"7": 0, "3": 1}]) == cells(
        3, 5, 6, 7, 8
    )
    # The light lines of the blocked position contain a3, so the block does not stand for it.
    with pytest.raises(ProofError, match=r"no answer to X at a3 \(cell 6\)"):
        zone_of(text, Player.O, blocked, ["moves", {"7": 0}])


def test_moves_need_an_answer_each() -> None:
    # X's moves at c, d and e are too heavy to be harmless, and none stands for the others.
    text = "1x7x3:......."
    light, left, right = ["static", []], ["reply", 2, 0], ["reply", 3, 0]
    for listed, missing in [
        ({}, "c1"), ({"3": 1}, "c1"), ({"2": 2}, "d1"), ({"2": 2, "3": 1}, "e1"),
        ({"2": 2, "4": 2}, "d1"), ({"3": 1, "4": 2}, "c1"),
    ]:  # fmt: skip
        with pytest.raises(ProofError, match=f"no answer to X at {missing}"):
            zone_of(text, Player.O, light, left, right, ["moves", listed])
    listed = {"2": 2, "3": 1, "4": 2}
    assert zone_of(text, Player.O, light, left, right, ["moves", listed]) == cells(*range(7))


# -- the zone of a move that leaves us a line to complete --------------------------------

# O is lost here, see the brute force below. But consider O's strategy: b3, which threatens
# c2. If X plays d2, O answers b1 and threatens both c1 and b2. This needs only b1, c1 and
# b2, so every other move of X might be answered alike, also the block at c2. But then X has
# c2 and c3, and instead of blocking completes c1-c2-c3. The zone must therefore have two
# cells of every line that X could complete instead of blocking.
#
#     . . . O        0 1 2 3
#     . . . .        4 5 6 7
#     . . X X        8 9 10 11
TRAP = "3x4x3:...O/..../..XX"
TRAP_NODES = [
    ["reply", 2, None],
    ["reply", 5, None],
    ["moves", {"5": 0, "2": 1}],
    ["reply", 1, 2],
    ["reply", 6, None],
    ["moves", {"7": 3, "1": 4}],
    ["reply", 9, 5],
]


def test_a_threat_is_no_answer_to_a_quicker_one() -> None:
    position = Position.parse(TRAP)
    assert not truth_of((3, 4, 3)).holds(*sides(position, Player.O))
    with pytest.raises(ProofError, match=r"node 5 at .*: there is no answer to X at c2 \(cell 6\)"):
        zone_of(TRAP, Player.O, *TRAP_NODES)
    refused(draw_proof(TRAP, Player.O, 6, TRAP_NODES), "no answer to X at c2", 8)


def test_the_trap_would_catch_a_checker_with_smaller_zones() -> None:
    lax = mutant(*HOLDING_MISTAKES["moves: zone without two of each line"])
    position = Position.parse(TRAP)
    reader = lax._NodeReader(position.grid, holding=True)
    used = bytearray(len(TRAP_NODES))
    nodes = [reader.read(node, number, used) for number, node in enumerate(TRAP_NODES)]
    holding = lax.Holding(lax.Proof(position, "draw", None, {}, nodes), Player.O)
    us, them, ours = sides(position, Player.O)
    assert holding.zone(6, us, them, our_turn=ours)


def test_forced_moves() -> None:
    # X threatens c1, so O must play there; then X plays a3, where O threatens nothing yet.
    text = "3x3x3:XX./O../..."
    after = [["static", []], ["reply", 4, 0]]
    zone = zone_of(text, Player.X, *after, ["forced", 2, 1])
    assert zone >> 2 & 1
    # Every line of O has two of its empty cells in the zone.
    assert all((zone & cells(*line)).bit_count() >= 2 for line in [(2, 5, 8), (4, 5), (6, 7, 8)])
    with pytest.raises(ProofError, match="does not threaten to complete a line at a3"):
        zone_of(text, Player.X, *after, ["forced", 6, 1])
    with pytest.raises(ProofError, match="does not threaten to complete a line at a1"):
        zone_of(text, Player.X, *after, ["forced", 0, 1])
    with pytest.raises(ProofError, match="X is to move, so it must be a reply or static"):
        zone_of(text, Player.X, ["moves", {}], ["forced", 2, 0])
    # Here O would not block but complete the bottom row.
    with pytest.raises(ProofError, match=r"O completes a line at c3 \(cell 8\)"):
        zone_of("3x3x3:XX./.X./OO.", Player.X, ["reply", 5, None], ["forced", 2, 0])
    with pytest.raises(ProofError, match=r"O completes a line at c3 \(cell 8\)"):
        zone_of("3x3x3:XX./.X./OO.", Player.X, ["double", 2, 8])


def test_a_double_threat() -> None:
    # X threatens b1 and c2. Every line that O could still complete gets two cells: 345 has 3
    # and 5, 147 has 1 and 7, and 678 has two cells left, 7 being one of O's.
    assert zone_of(LOST, Player.X, ["double", 1, 5]) == cells(1, 3, 5, 7)
    assert zone_of(LOST, Player.X, ["double", 5, 1]) == cells(1, 3, 5, 7)
    with pytest.raises(ProofError, match="does not threaten to complete a line at a2"):
        zone_of(LOST, Player.X, ["double", 1, 3])


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("grid", ["3x3x3", "2x4x3"])
def test_drawing_proofs_with_something_left_out_or_wrong(grid: str, turning: bool) -> None:
    start = Position.start(grid)
    truth = truth_of((start.grid.rows, start.grid.cols, start.grid.k))
    data, _, _ = true_proof(start.text, truth, turning=turning)
    assert_spoiled_proofs_fail(data, start.grid.cells, random.Random(grid))


# -- whatever is accepted is true --------------------------------------------------------

SHAPES: list[Shape] = [
    (3, 3, 3), (3, 4, 3), (2, 5, 2), (1, 7, 3), (3, 3, 2), (1, 6, 2), (2, 4, 3), (2, 6, 3),
]  # fmt: skip


def guesses(module: Any, number: int, seed: int = 1) -> Iterator[tuple[Guesser, bool, bool]]:
    """Yield strategies tried on the checker, whether it took them, and whether we do hold."""
    rng = random.Random(seed)
    for index in range(number):
        truth = truth_of(SHAPES[index % len(SHAPES)])
        seen = random_sides(truth, rng)
        guesser = Guesser(module, truth, rng)
        yield guesser, guesser.guess(*seen) is not None, truth.holds(*seen)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_holding_strategy_is_accepted_holds(seed: int) -> None:
    counts: Counter[str] = Counter()
    for guesser, accepted, holds in guesses(checker, 600, seed):
        assert holds or not accepted
        assert guesser.broken() == []
        counts["accepted" if accepted else "hold, not accepted" if holds else "do not hold"] += 1
        for number, us, them, ours in guesser.zones:
            node = guesser.nodes[number]
            counts[f"{type(node).__name__} {'ours' if ours else 'theirs'}"] += 1
            if isinstance(node, checker.Moves):
                counts.update(how_answered(guesser, node, us, them))
    # The test is worth something only if all this came up often.
    assert min(counts.values()) > 20, counts
    assert {
        "accepted", "do not hold", "Static ours", "Static theirs", "Reply ours", "Moves theirs",
        "Forced theirs", "Double theirs", "Turned ours", "Turned theirs",
        "listed", "outside a zone", "harmless",
    } <= set(counts)  # fmt: skip


def how_answered(guesser: Guesser, node: Any, us: int, them: int) -> Counter[str]:
    """Count how the moves at a node are answered: listed, outside a zone, or harmless."""
    free = guesser.truth.free(us, them)
    zones = [
        guesser.zones.get((reply, us, them | 1 << cell, True)) for cell, reply in node.nodes.items()
    ]
    counts = Counter(listed=len(node.nodes))
    for cell in free:
        if cell not in node.nodes:
            outside = any(zone is not None and not zone >> cell & 1 for zone in zones)
            counts["outside a zone" if outside else "harmless"] += 1
    return counts


@pytest.mark.parametrize("seed", range(2))
def test_whatever_winning_strategy_is_accepted_wins(seed: int) -> None:
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for index in range(800):
        truth = truth_of(SHAPES[index % len(SHAPES)])
        seen = random_sides(truth, rng)
        guesser = WinGuesser(checker, truth, rng)
        accepted = guesser.guess(*seen) is not None
        assert guesser.broken() == []
        counts["accepted" if accepted else "refused"] += 1
        for number, _, plies in guesser.found:
            counts[type(guesser.proof.nodes[number]).__name__] += 1
            counts["long"] += plies > 3
    assert min(counts.values()) > 50, counts
    assert set(counts) == {"accepted", "refused", "Play", "Answer", "Turned", "long"}


# -- and the tests would notice ----------------------------------------------------------


def mutant(old: str, new: str) -> Any:
    """Return the checker with a mistake in it."""
    source = inspect.getsource(checker)
    assert source.count(old) == 1, f"found {source.count(old)} times: {old}"
    module = ModuleType("mutant")
    sys.modules["mutant"] = module  # dataclasses look their module up
    exec(compile(source.replace(old, new), "mutant", "exec"), module.__dict__)
    return module


THREAT = "        self.require_threat(node.cell, us, them)"
HOLDING_MISTAKES = {
    "moves: zone without two of each line": (
        "zone |= cells\n        return self.with_two_of_each(zone, lacking)",
        "zone |= cells\n        return zone",
    ),
    "forced: zone without two of each line": (
        "our_turn=True)\n        return self.with_two_of_each(zone, lacking)",
        "our_turn=True)\n        return zone",
    ),
    "double: zone without two of each line": (
        "return self.with_two_of_each(1 << node.cell | 1 << node.other, lacking)",
        "return 1 << node.cell | 1 << node.other",
    ),
    "one of each line": ("range(2 - (cells", "range(1 - (cells"),
    "reply: zone without its cell": ("return bit | self.zone(", "return self.zone("),
    "reply that wins: no zone": (" return bit\n", " return 0\n"),
    "forced: zone without its cell": ("zone = bit | self.zone(", "zone = self.zone("),
    "static: their bound is ours": ("self.one if our_turn else self.one // 2", "self.one"),
    "static: bound reached": ("if total >= (self", "if total > (self"),
    "static: zone without pairs": (
        "        return zone\n\n    def reply",
        "        return zone & ~sum(pairs)\n\n    def reply",
    ),
    "static: zone without lines": (
        "outside:\n            zone |= cells",
        "outside:\n            pass",
    ),
    "static: pairs are not theirs": ("cells & ~zone\n            for", "cells\n            for"),
    "static: half a pair covers": ("any(cells & pair == pair for", "any(cells & pair for"),
    "moves: harmless at the bound": ("if total + more >= self.one", "if total + more > self.one"),
    "moves: harmless before the move": ("if total + more >= self.one", "if total >= self.one"),
    "moves: harmless without a zone": (
        "zone |= cells\n        return self",
        "pass\n        return self",
    ),
    "moves: no answer needed": ("if unanswered:", "if False:"),
    "moves: zone of the last listed": ("zone |= inner\n", "zone = inner\n"),
    "moves: they complete a line": (
        "return 0\n        self.require_no_completion(lacking)",
        "return 0\n        pass",
    ),
    "forced: they complete a line": (
        f"self.require_no_completion(lacking)\n{THREAT}\n        bit",
        f"pass\n{THREAT}\n        bit",
    ),
    "double: they complete a line": (
        f"self.require_no_completion(lacking)\n{THREAT}\n        self",
        f"pass\n{THREAT}\n        self",
    ),
    "turned: zone turned on": ("self.turn(symmetry.inverse, zone)", "self.turn(symmetry, zone)"),
    "open lines only with a mark": ("if not line & us]", "if not line & us and line & them]"),
}


@pytest.mark.parametrize("name", HOLDING_MISTAKES)
def test_a_mistake_about_holding_would_be_noticed(name: str) -> None:
    for guesser, accepted, holds in guesses(mutant(*HOLDING_MISTAKES[name]), 2000):
        if (accepted and not holds) or guesser.broken():
            return
    pytest.fail("nobody noticed")


WINNING_MISTAKES = {
    "they complete a line": ("if not lacking & (lacking - 1) and lacking & free:", "if False:"),
    "only lines through one cell": ("for line in fresh:", "for line in self.through[0]:"),
    "taken cells": ("if (us | them) >> node.cell & 1:", "if us >> node.cell & 1:"),
    "default: cell not kept free": ("and (free ^ others) >> play.cell & 1", "and True"),
    "default: cell not answered": ("(free ^ others) >> play.cell", "free >> play.cell"),
    "default: no line": ("and self.wins_at(play.cell, us)", "and True"),
    "shortest": ("longest = max(longest, plies)\n        if", "longest = plies\n        if"),
    "shortest default": ("longest, plies)\n        self", "0, 1)\n        self"),
    "a full board": ("if not free:", "if False:"),
    "no answer": ("if others and node.default is None:", "if False:"),
    "no line": ("None:\n            message", "None:\n            return 1\n            message"),
    "plies": ("return 1 + self.they(", "return self.they("),
    "moves forgotten": ("others ^= 1 << cell", "others &= 1 << cell"),
    "memory mixed up": ("return self.known[key]", "return 2"),
    "lines mixed up": (
        "answer = self.completing[cell, us] =",
        "answer = self.completing[cell, us] = self.completing[cell, us ^ 4] =",
    ),
}


@pytest.mark.parametrize("name", WINNING_MISTAKES)
def test_a_mistake_about_winning_would_be_noticed(name: str) -> None:
    module = mutant(*WINNING_MISTAKES[name])
    rng = random.Random(1)
    for index in range(2000):
        truth = truth_of(SHAPES[index % len(SHAPES)])
        guesser = WinGuesser(module, truth, rng)
        guesser.guess(*random_sides(truth, rng))
        if guesser.broken():
            return
    pytest.fail("nobody noticed")
