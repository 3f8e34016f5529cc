"""Boards as PNG: well-formed, and what is where; `test_sharing.py` compares them with a browser."""

from __future__ import annotations

import struct
import zlib

import pytest

from noughts import Game, NoughtsError
from noughts.drawing import COLOURS, Diagram, Theme
from noughts.drawing.png import draw_png

Picture = list[list[str]]


def decoded(data: bytes) -> Picture:
    """Return the colours of a PNG file, row by row, as its specification says."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + content)
        chunks[kind] = content
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]  # eight bits each of red, green and blue
    content = zlib.decompress(chunks[b"IDAT"])
    stride = 1 + 3 * width
    assert len(content) == stride * height
    rows = [content[row * stride : (row + 1) * stride] for row in range(height)]
    assert {row[0] for row in rows} == {0}
    return [[f"#{row[x : x + 3].hex()}" for x in range(1, stride, 3)] for row in rows]


def drawn(game: str, width: int, height: int, theme: Theme = Theme.LIGHT) -> Picture:
    record = Game.parse(game)
    diagram = record.position.diagram(last=record.last_move)
    return decoded(draw_png(diagram, theme=theme, width=width, height=height))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_where(theme: Theme) -> None:
    picture = drawn("3x3x3 b2 a1", 300, 300, theme)
    assert (len(picture), len(picture[0])) == (300, 300)
    colours = {name: getattr(colour, theme) for name, colour in COLOURS.items()}
    # The board has a margin of 18, and cells of 88 pixels.
    assert picture[3][3] == picture[150][3] == colours["paper"]
    assert picture[150][150] == colours["x"], "the middle of an X"
    assert picture[150][125] == colours["card"], "beside it"
    assert picture[18 + 44][18 + 44] == colours["last"], "the middle of an O"
    assert picture[18 + 44][18 + 44 - 24] == colours["o"], "its ring"
    assert picture[18 + 88][250] == colours["edge"], "a line between cells"
    assert picture[250][250] == colours["card"]
    assert picture[18 + 6][18 + 6] == colours["ink"], "the corner of the last move"


def test_a_picture_is_mirrored_with_its_board() -> None:
    def half(picture: Picture) -> Picture:
        return [row[100:] for row in picture]

    left, right = drawn("3x3x3:X../O../...", 200, 120), drawn("3x3x3:..X/..O/...", 200, 120)
    assert [row[::-1] for row in left] == right
    assert half(left) != half(right)


def test_a_board_is_in_the_middle_whatever_its_shape() -> None:
    for game in ("1x12x3", "12x1x3", "ultimate", "1x1x1"):
        picture = drawn(game, 120, 63)
        paper = COLOURS["paper"].light
        rows = [y for y, row in enumerate(picture) if set(row) != {paper}]
        cols = [x for x in range(120) if {row[x] for row in picture} != {paper}]
        assert abs(rows[0] + rows[-1] - 62) <= 1
        assert abs(cols[0] + cols[-1] - 119) <= 1
        assert min(rows[0], cols[0]) in (2, 3), "a margin of 3.78, and half of a line"


def test_captured_boards_and_large_ones() -> None:
    boards = Diagram(9, 9, "XO." * 27, "caption", owners="XO#.X#O.#", playable=(0, 7), last=4)
    assert len(decoded(draw_png(boards, theme="dark", width=90, height=70))) == 70
    assert len(drawn("50x50x5 a1", 30, 20)) == 20, "cells smaller than a pixel"


@pytest.mark.parametrize("size", [0, -1, 4_001, 1.5, None])
def test_a_size_that_is_none(size: int) -> None:
    diagram = Game.parse("3x3x3").position.diagram()
    with pytest.raises(NoughtsError):
        draw_png(diagram, width=size)
    with pytest.raises(NoughtsError):
        draw_png(diagram, height=size)
    with pytest.raises(NoughtsError):
        draw_png(diagram, theme="sepia")
