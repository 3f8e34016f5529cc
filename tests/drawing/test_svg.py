"""Boards as SVG: well-formed, complete, self-contained, readable on both grounds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

from noughts import Board, Game, GridPosition, NoughtsError, UltimatePosition
from noughts.drawing import Diagram, Theme, draw_svg, draw_text
from support.cases import for_each
from support.contrast import contrast, luminance

SVG = "{http://www.w3.org/2000/svg}"
THEMES = ["light", "dark", "auto"]

# Pictures of every kind, by name.
SAMPLES: dict[str, Diagram] = {
    "empty": GridPosition.start("3x3x3").diagram(),
    "board": Board.parse("XX./OO./...").diagram(),
    "won": Game.parse("3x3x3 a1 a2 b1 b2 c1").position.diagram(last=2),
    "invalid": Board.parse("XXX/OOO/...").diagram(),
    "values": GridPosition.parse("4x4x3:XX../OO../..../....").diagram(
        last=5, values={2: "win", 3: "loss in 12", 15: "½"}
    ),
    "wide": Board.parse("X" + "." * 39 + "/" + "O" * 40).diagram(last=79),
    "tall": Board.parse("/".join(["X."] * 120)).diagram(last=0),
    "ultimate": UltimatePosition.start().diagram(),
    "forced": Game.parse("ultimate ee ea ae").position.diagram(last=4, values={36 + 5: "win"}),
}


def ultimate_game(seed: int, plies: int) -> UltimatePosition:
    """Play some legal moves, the same ones each time."""
    position = UltimatePosition.start()
    for ply in range(plies):
        moves = position.legal_moves
        if not moves:
            break
        position = position.play(moves[(seed * 7919 + ply * 104729) % len(moves)])
    return position


SAMPLES["middle"] = ultimate_game(3, 40).diagram()
SAMPLES["finished"] = ultimate_game(5, 81).diagram()
SAMPLES["drawn boards"] = Diagram(
    9, 9, "XO." * 27, "caption", owners="XO#.X#O.#", playable=(3, 7), last=4
)


def parse(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def name(element: ET.Element) -> str:
    return element.tag.removeprefix(SVG)


def size_of(root: ET.Element) -> tuple[float, float]:
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    return width, height


# -- shapes in a document ----------------------------------------------------------------


def is_cross(element: ET.Element) -> bool:
    return name(element) == "path" and "s-x" in element.attrib.get("class", "").split()


def is_nought(element: ET.Element) -> bool:
    return name(element) == "circle"


def points(element: ET.Element) -> Iterator[tuple[float, float]]:
    """Yield the corners of a shape, absolute; of a text, where it is estimated to reach."""
    at = element.attrib
    if name(element) == "rect" and at["width"] != "100%":
        x, y = float(at["x"]), float(at["y"])
        yield x, y
        yield x + float(at["width"]), y + float(at["height"])
    elif name(element) == "circle":
        x, y, r = float(at["cx"]), float(at["cy"]), float(at["r"])
        yield x - r, y - r
        yield x + r, y + r
    elif name(element) == "path":
        yield from path_points(at["d"])
    elif name(element) == "text":
        x, y, size = float(at["x"]), float(at["y"]), float(at["font-size"])
        reach = 0.5 * size * len(element.text or "") / 2  # letters are about half as wide as high
        yield x - reach, y - size / 2
        yield x + reach, y + size / 2


def path_points(path: str) -> Iterator[tuple[float, float]]:
    x = y = 0.0
    for command, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]
        if command in "ML":
            x, y = numbers
        elif command == "l":
            x, y = x + numbers[0], y + numbers[1]
        elif command == "h":
            x += numbers[0]
        elif command == "v":
            y += numbers[0]
        else:
            assert command == "z", f"teach the test about {command}"
        yield x, y


# -- the document ------------------------------------------------------------------------


@for_each("theme", THEMES)
@for_each("sample", SAMPLES)
def test_well_formed_with_title_and_description(sample: str, theme: str) -> None:
    diagram = SAMPLES[sample]
    root = parse(draw_svg(diagram, theme=theme))
    assert root.attrib["role"] == "img"
    title, desc = root.findall(f"{SVG}title"), root.findall(f"{SVG}desc")
    assert [element.text for element in title] == [diagram.caption]
    assert [element.text for element in desc] == [draw_text(diagram, ascii_only=True)]
    assert list(root)[:2] == title + desc, "readers look for them first"


@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_marks_are_drawn_one_by_one(rows: int, cols: int, data: st.DataObject) -> None:
    marks = data.draw(st.text("XO..", min_size=rows * cols, max_size=rows * cols))
    board = Board.parse(["".join(marks[row * cols :][:cols]) for row in range(rows)], k=1000)
    for theme in THEMES:
        root = parse(draw_svg(board.diagram(), theme=theme))
        assert sum(map(is_cross, root.iter())) == marks.count("X")
        assert sum(map(is_nought, root.iter())) == marks.count("O")


@given(st.integers(2, 9), st.integers(2, 9), st.data())
def test_marks_stand_in_their_cells(rows: int, cols: int, data: st.DataObject) -> None:
    """Reading the shapes from left to right and down gives the marks, evenly spaced."""
    marks = data.draw(st.text("XO", min_size=rows * cols, max_size=rows * cols))
    board = Board.parse(["".join(marks[row * cols :][:cols]) for row in range(rows)], k=1000)
    root = parse(draw_svg(board.diagram()))
    centres = {}
    for element in root.iter():
        if is_cross(element) or is_nought(element):
            xs, ys = zip(*points(element), strict=True)
            centre = (min(ys) + max(ys)) / 2, (min(xs) + max(xs)) / 2
            centres[centre] = "X" if is_cross(element) else "O"
    assert "".join(centres[centre] for centre in sorted(centres)) == marks
    assert len({y for y, _ in centres}) == rows
    assert len({x for _, x in centres}) == cols


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 81))
def test_ultimate_marks_are_counted(seed: int, plies: int) -> None:
    position = ultimate_game(seed, plies)
    diagram = position.diagram()
    for theme in THEMES:
        root = parse(draw_svg(diagram, theme=theme))
        large = position.owners.count("X"), position.owners.count("O")
        assert sum(map(is_cross, root.iter())) == diagram.marks.count("X") + large[0]
        assert sum(map(is_nought, root.iter())) == diagram.marks.count("O") + large[1]


def test_coordinates_are_drawn() -> None:
    texts = [text.text for text in parse(draw_svg(SAMPLES["empty"])).iter(f"{SVG}text")]
    assert texts.count("3x3x3, X to move") == 1
    assert [text for text in texts if text in set("abc123")] == list("abc123")


def test_last_move_and_line_are_drawn() -> None:
    """Each adds something to the picture, and in the right place."""
    board = Board.parse("XX./OO./...")
    without, with_last = draw_svg(board.diagram()), draw_svg(board.diagram(last=4))
    assert len(with_last) > len(without)
    won = parse(draw_svg(SAMPLES["won"]))
    (strike,) = [path for path in won.iter(f"{SVG}path") if "s-ink" in path.attrib["class"]]
    (x1, y1), (x2, y2) = points(strike)
    assert y1 == y2, "the line across the top row"
    assert abs(x2 - x1) > 2 * 40


def test_values_are_drawn() -> None:
    texts = [text.text for text in parse(draw_svg(SAMPLES["values"])).iter(f"{SVG}text")]
    assert {"win", "loss in 12", "½"} <= set(texts)


def test_a_long_value_is_still_to_be_seen() -> None:
    diagram = GridPosition.start("3x3x3").diagram(
        values={4: "a label of rather too many letters " * 4}
    )
    for text in parse(draw_svg(diagram)).iter(f"{SVG}text"):
        assert float(text.attrib["font-size"]) > 0


def test_no_labels_no_problem() -> None:
    root = parse(draw_svg(Diagram(2, 3, "X.OO.X", "caption")))
    assert sum(map(is_cross, root.iter())) == 2


# -- room --------------------------------------------------------------------------------


@for_each("sample", SAMPLES)
def test_everything_is_inside_the_picture(sample: str) -> None:
    root = parse(draw_svg(SAMPLES[sample]))
    width, height = size_of(root)
    for element in root.iter():
        for x, y in points(element):
            assert 0 <= x <= width, ET.tostring(element)
            assert 0 <= y <= height, ET.tostring(element)


@for_each("grid", ["1x1x1", "1x2x3", "5x1x3", "12x2x3", "100x1x5", "1000x1x5"])
def test_captions_of_narrow_boards_fit(grid: str) -> None:
    root = parse(draw_svg(GridPosition.start(grid).diagram()))
    width, height = size_of(root)
    for text in root.iter(f"{SVG}text"):
        for x, y in points(text):
            assert 0 <= x <= width, f"{text.text!r} is cut off"
            assert 0 <= y <= height


def test_values_fit_their_cells() -> None:
    labels = ["w", "win", "loss", "X+12", "unknown", "win in 11"]
    position = GridPosition.start("1x6x3").diagram(values=dict(enumerate(labels)))
    for text in parse(draw_svg(position)).iter(f"{SVG}text"):
        if text.text in labels:
            xs = [x for x, _ in points(text)]
            assert max(xs) - min(xs) <= 48


def test_the_picture_has_a_size_of_its_own() -> None:
    """Or a notebook would blow a 3x3 board up to the width of the page."""
    for sample in ("empty", "ultimate", "wide"):
        root = parse(draw_svg(SAMPLES[sample]))
        width, height = size_of(root)
        assert float(root.attrib["width"]) / float(root.attrib["height"]) == pytest.approx(
            width / height, rel=0.01
        )


def test_size_is_the_height() -> None:
    root = parse(draw_svg(SAMPLES["wide"], size=150))
    width, height = size_of(root)
    assert float(root.attrib["height"]) == pytest.approx(150)
    assert float(root.attrib["width"]) == pytest.approx(150 * width / height, rel=0.01)


@for_each("theme", ["", "pink", "LIGHT", None, 3])
def test_unknown_theme_is_our_error(theme: object) -> None:
    with pytest.raises(NoughtsError, match=r"light.*dark.*auto|theme"):
        draw_svg(SAMPLES["empty"], theme=theme)  # type: ignore[arg-type]


def test_themes_are_the_enumeration() -> None:
    assert [theme.value for theme in Theme] == THEMES
    assert draw_svg(SAMPLES["won"], theme=Theme.DARK) == draw_svg(SAMPLES["won"], theme="dark")
    assert draw_svg(SAMPLES["won"]) == draw_svg(SAMPLES["won"], theme="auto")


# -- hostile text ------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "</title></svg><script>alert(1)</script>",
    "'\"&<>",
    "&amp;&#60;&bogus;",
    "]]>",
    "<!-- -->",
    "<![CDATA[",
    "\x00",
    "a\x01\x08\x0b\x0c\x0e\x1f\x7fb",
    "\x85\u2028",
    "\ufffe\uffff",
    "\ud800",
    "\udcff",
    "line\nbreak\ttab\rreturn",
    "👍 漢字 עברית",
    "",
]


@for_each("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    diagrams = {
        "caption": Diagram(1, 1, ".", f"c{text}", ("a",), ("1",)),
        "value": Diagram(1, 1, ".", "caption", ("a",), ("1",), values={0: f"v{text}"}),
        "label": Diagram(1, 1, ".", "caption", (f"a{text}",), (f"1{text}",)),
        "ultimate": Diagram(9, 9, "." * 81, text, values={0: text}, owners="." * 9, playable=(0,)),
    }
    known = {"svg", "title", "desc", "style", "rect", "path", "circle", "text", "g"}
    for where, diagram in diagrams.items():
        for theme in THEMES:
            picture = draw_svg(diagram, theme=theme)
            root = parse(picture.encode("utf-8").decode())
            assert {name(element) for element in root.iter()} <= known, where
            assert not [a for e in root.iter() for a in e.attrib if a.startswith("on")]


@given(st.text(st.characters(), max_size=20), st.text(st.characters(), max_size=10))
def test_any_text_stays_text(caption: str, label: str) -> None:
    diagram = Diagram(1, 2, "X.", caption, ("a", "b"), ("1",), values={1: label})
    root = parse(draw_svg(diagram).encode("utf-8").decode())
    assert len(list(root.iter(f"{SVG}script"))) == 0


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=20))
def test_ordinary_text_is_kept(text: str) -> None:
    root = parse(draw_svg(Diagram(1, 1, "X", text, ("a",), ("1",))))
    assert root.findtext(f"{SVG}title") == text


@for_each("theme", THEMES)
@for_each("sample", SAMPLES)
def test_nothing_is_fetched_and_nothing_runs(sample: str, theme: str) -> None:
    picture = draw_svg(SAMPLES[sample], theme=theme)
    rest = picture.replace('xmlns="http://www.w3.org/2000/svg"', "", 1)
    for word in (
        "http:",
        "https:",
        "href",
        "url(",
        "@import",
        "<script",
        "<image",
        "<use",
        "data:",
    ):
        assert word not in rest
    assert "<!DOCTYPE" not in picture
    assert "<!ENTITY" not in picture


def test_pictures_on_one_page_do_not_disturb_each_other() -> None:
    """Two pictures inlined into one page share ids and styles: only `auto` may have a style."""
    for theme in THEMES:
        root = parse(draw_svg(SAMPLES["won"], theme=theme))
        assert not [element for element in root.iter() if "id" in element.attrib]
        styles = [style.text or "" for style in root.iter(f"{SVG}style")]
        assert len(styles) == (theme == "auto")
        for rule in re.findall(r"([^{}]+)\{[^{}]*\}", "".join(styles).partition("{")[2]):
            assert rule.strip().startswith(".noughts-auto "), "or it would reach other pictures"


# -- contrast ----------------------------------------------------------------------------


def dark_colours(root: ET.Element) -> dict[str, str]:
    """Return the colours by class that the style of the theme `auto` sets on a dark ground."""
    style = root.findtext(f"{SVG}style") or ""
    assert "(prefers-color-scheme: dark)" in style
    return dict(re.findall(r"\.noughts-auto \.([\w-]+)\{(?:fill|stroke):(#\w+)\}", style))


def paint(element: ET.Element, attribute: str, swapped: dict[str, str]) -> str | None:
    """Return a shape's colour; `swapped` is what a style sets instead, by class."""
    colour = element.attrib.get(attribute)
    if colour in (None, "none"):
        return None
    kind = "f-" if attribute == "fill" else "s-"
    for word in element.attrib.get("class", "").split():
        if word.startswith(kind) and word in swapped:
            return swapped[word]
    return colour


def contrasts(root: ET.Element, swapped: dict[str, str]) -> Iterator[tuple[str, float]]:
    """Yield each text's and mark's contrast to what lies below its middle."""
    grounds: list[tuple[float, float, float, float, str]] = []
    width, height = size_of(root)
    for element in root.iter():
        kind = name(element)
        fill = paint(element, "fill", swapped)
        if kind == "rect" and fill:
            if element.attrib["width"] == "100%":
                grounds.append((0, 0, width, height, fill))
            else:
                (x1, y1), (x2, y2) = points(element)
                grounds.append((x1, y1, x2, y2, fill))
        if kind == "text":
            colour, what = fill, f"text {element.text!r}"
        elif is_cross(element) or is_nought(element):
            colour, what = paint(element, "stroke", swapped), kind
        else:
            continue
        xs, ys = zip(*points(element), strict=True)
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        below = [c for x1, y1, x2, y2, c in grounds if x1 <= x <= x2 and y1 <= y <= y2]
        assert colour
        yield f"{what} {colour} on {below[-1]}", contrast(colour, below[-1])


@for_each("sample", SAMPLES)
@for_each("ground", ["light", "dark", "auto, light", "auto, dark"])
def test_text_and_marks_stand_out(sample: str, ground: str) -> None:
    root = parse(draw_svg(SAMPLES[sample], theme=ground.partition(",")[0]))
    swapped = dark_colours(root) if ground == "auto, dark" else {}
    found = dict(contrasts(root, swapped))
    assert found
    assert {what: value for what, value in found.items() if value < 4.5} == {}


def test_grounds_are_light_and_dark() -> None:
    def ground(theme: str) -> float:
        root = parse(draw_svg(SAMPLES["empty"], theme=theme))
        return luminance(next(root.iter(f"{SVG}rect")).attrib["fill"])

    assert ground("light") > 0.8
    assert ground("dark") < 0.05


def test_auto_is_light_and_dark_in_one() -> None:
    """What `auto` shows is what the two others show, colour by colour."""
    for sample in SAMPLES.values():
        auto, dark = parse(draw_svg(sample)), parse(draw_svg(sample, theme="dark"))
        swapped = dark_colours(auto)
        shapes = [e for e in auto.iter() if name(e) != "style"]
        for ours, theirs in zip(shapes, dark.iter(), strict=True):
            for attribute in ("fill", "stroke"):
                assert paint(ours, attribute, swapped) == paint(theirs, attribute, {})


# -- notebooks ---------------------------------------------------------------------------


@for_each(
    "shown",
    [
        Board.parse("XXX/OOO/..."),
        GridPosition.parse("XX./OO./..."),
        UltimatePosition.start(),
        UltimatePosition.start("ultimate-open").play(40),
        Game.parse("3x3x3 b2 a1"),
        Game.parse("ultimate ee ea"),
    ],
)
def test_notebooks_show_it_by_themselves(shown: object) -> None:
    formatter = DisplayFormatter()
    formatter.active_types = ["text/plain", "image/svg+xml"]
    data, _ = formatter.format(shown)  # type: ignore[no-untyped-call]  # IPython is untyped
    root = parse(data["image/svg+xml"])
    assert root.findtext(f"{SVG}title")
    assert data["text/plain"] == repr(shown)


def test_notebook_marks_the_last_move_of_a_game() -> None:
    game = Game.parse("3x3x3 b2 a1")
    assert game._repr_svg_() == draw_svg(game.position.diagram(last=0))
    assert game._repr_svg_() != game.position._repr_svg_()


# ---------------------------------------------------------------------------- what is refused


def test_a_size_is_a_whole_number_above_zero() -> None:
    for bad in (-5, 0, 1.5, True, "100", 10**9):
        with pytest.raises(NoughtsError, match="size"):
            draw_svg(SAMPLES["empty"], size=bad)  # type: ignore[arg-type]


def test_only_diagrams_are_drawn() -> None:
    others: list[Any] = [None, 3, "XX./OO./...", Board.parse("..."), GridPosition.start("3x3x3")]
    for bad in others:
        for draw in (draw_svg, draw_text):
            with pytest.raises(NoughtsError, match="diagram"):
                draw(bad)


def test_labels_and_last_moves_lie_on_the_board() -> None:
    drawn = (Board.parse("..."), GridPosition.start("1x3x3"), UltimatePosition.start())
    for thing in drawn:
        for bad in (99, -1, 1.0, True, "a1", None):
            with pytest.raises(NoughtsError):
                thing.diagram(values={bad: "win"})  # type: ignore[dict-item]
            if bad is not None:
                with pytest.raises(NoughtsError):
                    thing.diagram(last=bad)  # type: ignore[arg-type]
        others: list[Any] = ["win", [1], 3, {0: 1}, {0: None}]
        for values in others:
            with pytest.raises(NoughtsError):
                thing.diagram(values=values)


def test_a_diagram_has_a_mark_for_each_cell() -> None:
    for rows, cols, marks in ((1, 2, "X"), (1, 2, "XOX"), (1, 2, "X?"), (0, 2, ""), (1, 2, None)):
        with pytest.raises(NoughtsError):
            Diagram(rows, cols, marks, "caption")  # type: ignore[arg-type]
    with pytest.raises(NoughtsError):
        Diagram(3, 3, "." * 9, "caption", owners="." * 9)
    with pytest.raises(NoughtsError):
        Diagram(1, 1, ".", None)  # type: ignore[arg-type]
