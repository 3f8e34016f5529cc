"""The checker of proofs: files that are damaged, and headers and nodes that are malformed."""

from __future__ import annotations

import json
import random
import tracemalloc
from hashlib import sha256
from itertools import chain, repeat
from typing import Any

import pytest

from noughts.errors import LimitExceeded, ProofError
from noughts.limits import Limits
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.solving.verify import verify
from support.proof_checks import LOST, LOST_NODES, lines_of, lost_proof, refused, truth_of
from support.proof_writer import proof_file, signed, true_proof

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


# -- hostile files -----------------------------------------------------------------------


def patient_proof(rounds: int) -> bytes:
    """Return a true proof: X, who threatens at both ends of ``.XX.``, waits some rounds to win.

    Until then X answers in the other cell of each pair, so a small file has millions of positions.
    """
    start, pairs = ".XX.OXOXO", range(9, 41)
    nodes: list[Any] = [["play", 0, None], ["play", 3, None], ["answer", {"0": 1}, 0]]
    for _ in range(rounds):
        last, first = len(nodes) - 1, len(nodes)
        nodes += [["play", cell + 1 if cell % 2 else cell - 1, last] for cell in pairs]
        answers = {str(cell): first + i for i, cell in enumerate(pairs)}
        nodes.append(["answer", {"0": 1, "3": 0, **answers}, None])
    position = f"1x41x3:{start}{'.' * len(pairs)}"
    return proof_file(position, "loss", {"X": len(nodes) - 1}, nodes)


def test_a_small_file_that_takes_for_ever() -> None:
    assert verify([patient_proof(2)]).claim == "loss"
    data = patient_proof(9)
    assert len(data) < 12_000
    for limits, match in (
        (Limits(seconds=0.05), "in 0.05 s"),
        (Limits(nodes=5_000), "in 5,000 steps"),
        (Limits(memory=1 << 20), "more than 1.0 MiB"),
    ):
        with pytest.raises(LimitExceeded, match=match):
            verify([data], limits)


def test_what_is_kept_is_within_the_memory() -> None:
    memory = 4 << 20
    data = [patient_proof(9)]
    tracemalloc.start()
    try:
        with pytest.raises(LimitExceeded):
            verify(data, memory=memory)
        assert memory / 8 < tracemalloc.get_traced_memory()[1] < memory
    finally:
        tracemalloc.stop()


def test_files_without_an_end() -> None:
    with pytest.raises(ProofError, match="line 1: a proof begins with"):
        verify("/dev/zero")
    with pytest.raises(LimitExceeded, match=r"more than 64\.0 KiB, .* with 1\.0 MiB"):
        verify(chain([b"noughts proof 1\n"], repeat(b"[]\n" * 1000)), memory=1 << 20)


def test_lines_that_no_strategy_needs() -> None:
    first, header, *nodes = lines_of(lost_proof())
    many = f"[{'[],' * 30_000}[]]"
    refused(signed([first, header, many, *nodes]), "longer than 65,536 bytes", 3)
    refused(signed([first, many, *nodes]), "longer than 65,536 bytes", 2)
    everything = {str(cell): 0 for cell in range(400)}
    longest = [["static", [[2 * i, 2 * i + 1] for i in range(200)]], ["moves", everything]]
    assert max(map(len, map(json.dumps, longest))) < 10_000


def test_a_board_that_would_take_long_to_look_at() -> None:
    refused(lost_proof(position="10000x10000x5:" + "." * 100), "400 cells", 2)


# -- headers -----------------------------------------------------------------------------


WRONG_HEADERS: list[tuple[dict[str, Any], str]] = [
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
]


def test_wrong_headers() -> None:
    for change, match in WRONG_HEADERS:
        refused(lost_proof(**change), match, 2)


NOT_HEADERS: list[tuple[str, str]] = [
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
    ("[" * 50_000, "not JSON"),
    ("9" * 5000, "not JSON"),
]


def test_what_is_not_a_header() -> None:
    first, _, *nodes = lines_of(lost_proof())
    for header, match in NOT_HEADERS:
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


MALFORMED_WINNING_NODES: list[tuple[str, str]] = [
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
    ('["turned","ROTATE_45",1]', "not a symmetry"),
    ('["turned","rotate_90",1]', "not a symmetry"),
    ('["turned",90,1]', "not a symmetry"),
    ('["turned",["ROTATE_90"],1]', "not a symmetry"),
    ('["turned","ROTATE_90",null]', "nodes before it"),
    ('["turned","ROTATE_90",2]', "nodes before it"),
]


def test_malformed_nodes_of_winning_strategies() -> None:
    for node, match in MALFORMED_WINNING_NODES:
        refused(signed([*lines_of(lost_proof())[:4], node]), match, 5)


MALFORMED_HOLDING_NODES: list[tuple[str, str]] = [
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
]


def test_malformed_nodes_of_holding_strategies() -> None:
    roots = {"X": 0, "O": 1}
    header = {"position": "3x3x3:.../.../...", "claim": "draw", "plies": None, "roots": roots}
    for node, match in MALFORMED_HOLDING_NODES:
        refused(signed(["noughts proof 1", json.dumps(header), '["static",[]]', node]), match, 4)


def test_strategies_that_go_very_deep() -> None:
    # A game of 64 moves is followed to its end.
    nodes: list[Any] = [["play", 63, None]]
    for cell in range(62, 0, -2):
        nodes += [["answer", {str(cell): len(nodes) - 1}, None], ["play", cell - 1, len(nodes)]]
    start = GridPosition.start("1x64x33").text
    refused(proof_file(start, "win", {"X": len(nodes) - 1}, nodes), "no line at bl1", 3)
    # Where Python gives up, so do we. X holds here by pairs, O would have to go through it all.
    nodes = [["static", [[cell, cell + 1] for cell in range(1, 399, 2)]]]
    for cell in range(398, 0, -2):
        nodes += [["reply", cell + 1, len(nodes) - 1], ["moves", {str(cell): len(nodes)}]]
    start = GridPosition.start("1x400x5").text
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
            refused(data, "not a symmetry of a 1x3x2 board", 4)
        else:
            assert verify([data]).nodes == 2
