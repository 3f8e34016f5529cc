r"""Boards as PNG, for what shows no SVG, like the previews of links: the SVG's shapes as pixels.

The shapes are read from the SVG that `draw_svg` makes, so there is one layout. Letters would need
a font and are left out.

Every shape is convex and has a distance: how far a point is outside of it, negative inside. An
area is all that is nearer than an edge, and a stroke has a second edge where it ends inside. A
pixel whose middle is within half a pixel of an edge is covered in part. Only these few pixels are
looked at one by one; what lies between them in a row is filled at once. So the canvas keeps red,
green and blue apart, each as rows of bytes.
"""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Protocol
from xml.etree import ElementTree

from noughts.drawing.diagram import Diagram
from noughts.drawing.svg import Theme, draw_svg
from noughts.errors import whole_number

__all__ = ["draw_png", "draw_rgb"]

MAX_SIDE = 4_000
_MARGIN = 0.06  # of the height, around the board
_NOT_DRAWN = {"title", "desc", "style", "text"}

Point = tuple[float, float]
Span = tuple[float, float]
Element = ElementTree.Element


def draw_png(
    diagram: Diagram, *, theme: Theme | str = Theme.LIGHT, width: int = 1200, height: int = 630
) -> bytes:
    r"""Return the picture as a PNG file of this size, with the board in the middle.

    The default is the size that previews of links have. The theme `auto` is the light one.

    >>> draw_png(Diagram(1, 2, "X.", "1x2x2, O to move"), width=60, height=40)[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    return _painted(diagram, theme, width, height).encoded()


def draw_rgb(
    diagram: Diagram, *, theme: Theme | str = Theme.LIGHT, width: int = 480, height: int = 480
) -> bytes:
    """Return the same picture as bare pixels, row by row, three bytes each: red, green and blue.

    >>> len(draw_rgb(Diagram(1, 2, "X.", "1x2x2, O to move"), width=60, height=40))
    7200
    """
    return b"".join(_painted(diagram, theme, width, height).rows())


def _painted(diagram: Diagram, theme: Theme | str, width: int, height: int) -> _Canvas:
    whole_number(width, "the width of a picture", least=1, most=MAX_SIDE)
    whole_number(height, "the height of a picture", least=1, most=MAX_SIDE)
    root = ElementTree.fromstring(draw_svg(diagram, theme=theme))
    ground, *others = _elements(root)
    drawn = [(element, _shapes_of(element), opacity) for element, opacity in others]
    points = [point for _, shapes, _ in drawn for shape in shapes for point in shape.points()]
    place = _Place.of(points, width, height)
    canvas = _Canvas(width, height, ground[0].get("fill", ""))
    for element, shapes, opacity in drawn:
        stroke = element.get("stroke", "")
        pen = float(element.get("stroke-width", "0")) * place.scale / 2
        areas = [
            _Area(shape.placed(place), pen, -pen if stroke and shape.has_inside else -math.inf)
            for shape in shapes
        ]
        if areas:  # a board of one cell has no lines
            canvas.paint(areas, stroke or element.get("fill", ""), opacity)
    return canvas


# -- what the SVG says -------------------------------------------------------------------


def _elements(parent: Element, opacity: float = 1.0) -> Iterator[tuple[Element, float]]:
    """Yield what is drawn, with the opacity of its group."""
    for element in parent:
        tag = element.tag.rpartition("}")[2]
        if tag == "g":
            yield from _elements(element, opacity * float(element.get("opacity", "1")))
        elif tag not in _NOT_DRAWN:
            yield element, opacity


def _shapes_of(element: Element) -> Sequence[_Shape]:
    tag = element.tag.rpartition("}")[2]

    def number(name: str) -> float:
        return float(element.get(name, "0"))

    if tag == "rect":
        left, top = number("x"), number("y")
        return [_Box(left, top, left + number("width"), top + number("height"), number("rx"))]
    if tag == "circle":
        return [_Disc(number("cx"), number("cy"), number("r"))]
    if tag == "path":
        lines = list(_lines(element.get("d", "")))
        if element.get("stroke"):
            return [_Segment(*start, *end) for line in lines for start, end in pairwise(line)]
        return [_Polygon(tuple(line)) for line in lines]
    raise NotImplementedError(f"<{tag}> as pixels")


def _lines(path: str) -> Iterator[list[Point]]:
    """Yield the corners of each line of a path, which is made of straight strokes."""
    line: list[Point] = []
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        x, y = line[-1] if line else (0.0, 0.0)
        if command == "M":
            if line:
                yield line
            line = [(values[0], values[1])]
        elif command == "L":
            line.append((values[0], values[1]))
        elif command == "l":
            line.append((x + values[0], y + values[1]))
        elif command == "m":
            yield line
            line = [(x + values[0], y + values[1])]
        elif command == "h":
            line.append((x + values[0], y))
        elif command == "v":
            line.append((x, y + values[0]))
        elif command != "z":
            raise NotImplementedError(f"{command} in a path as pixels")
    yield line


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the drawing is in the picture."""

    scale: float
    left: float
    top: float

    @classmethod
    def of(cls, points: Sequence[Point], width: int, height: int) -> _Place:
        """Return the place at which points fill the picture but for its margin."""
        xs, ys = zip(*points, strict=True)
        margin = _MARGIN * height
        across, down = max(xs) - min(xs), max(ys) - min(ys)
        scale = min((width - 2 * margin) / across, (height - 2 * margin) / down)
        left = width / 2 - scale * (min(xs) + max(xs)) / 2
        return cls(scale, left, height / 2 - scale * (min(ys) + max(ys)) / 2)

    def point(self, x: float, y: float) -> Point:
        """Return where a point is."""
        return self.left + x * self.scale, self.top + y * self.scale


# -- shapes ------------------------------------------------------------------------------


class _Shape(Protocol):
    """A convex shape."""

    has_inside: bool

    @property
    def straight(self) -> Span:
        """The rows between which its sides are upright, from the first to the last."""

    def placed(self, place: _Place) -> _Shape:
        """Return the shape where it is in the picture."""

    def points(self) -> Iterable[Point]:
        """Return points on all its sides."""

    def distance(self, x: float, y: float) -> float:
        """Return how far a point is outside."""

    def span(self, y: float, reach: float) -> Span | None:
        """Return from where to where the points of a row are less far outside than `reach`."""


@dataclass(frozen=True)
class _Disc:
    x: float
    y: float
    radius: float

    has_inside = True
    straight = (0.0, 0.0)

    def placed(self, place: _Place) -> _Disc:
        return _Disc(*place.point(self.x, self.y), self.radius * place.scale)

    def points(self) -> Iterable[Point]:
        for side in (-self.radius, self.radius):
            yield self.x + side, self.y + side

    def distance(self, x: float, y: float) -> float:
        return math.hypot(x - self.x, y - self.y) - self.radius

    def span(self, y: float, reach: float) -> Span | None:
        radius, off = self.radius + reach, abs(y - self.y)
        if radius <= off:
            return None
        half = math.sqrt(radius * radius - off * off)
        return self.x - half, self.x + half


@dataclass(frozen=True)
class _Box:
    """A rectangle, perhaps with round corners."""

    left: float
    top: float
    right: float
    bottom: float
    radius: float

    has_inside = True

    @property
    def straight(self) -> Span:
        return self.top + self.radius, self.bottom - self.radius

    def placed(self, place: _Place) -> _Box:
        (left, top), (right, bottom) = (place.point(x, y) for x, y in self.points())
        return _Box(left, top, right, bottom, self.radius * place.scale)

    def points(self) -> Iterable[Point]:
        return (self.left, self.top), (self.right, self.bottom)

    def distance(self, x: float, y: float) -> float:
        # From the rectangle that has the middles of the round corners for its own.
        across = max(self.left - x, x - self.right) + self.radius
        down = max(self.top - y, y - self.bottom) + self.radius
        if across > 0 < down:
            return math.hypot(across, down) - self.radius
        return max(across, down) - self.radius

    def span(self, y: float, reach: float) -> Span | None:
        left, right, radius = self.left - reach, self.right + reach, self.radius + reach
        down = max(self.top - y, y - self.bottom) + self.radius
        if down >= radius or left >= right:
            return None
        inset = radius - math.sqrt(radius * radius - down * down) if down > 0 else 0.0
        return left + inset, right - inset


@dataclass(frozen=True)
class _Polygon:
    """A convex polygon; its corners follow each other clockwise."""

    corners: tuple[Point, ...]

    has_inside = True
    straight = (0.0, 0.0)

    @cached_property
    def _edges(self) -> list[tuple[float, float, float]]:
        """The a, b and c of each edge: a*x + b*y + c is how far a point is outside of it."""
        edges = []
        for (x1, y1), (x2, y2) in pairwise((*self.corners, self.corners[0])):
            length = math.hypot(x2 - x1, y2 - y1)
            a, b = (y2 - y1) / length, (x1 - x2) / length
            edges.append((a, b, -(a * x1 + b * y1)))
        return edges

    def placed(self, place: _Place) -> _Polygon:
        return _Polygon(tuple(place.point(x, y) for x, y in self.corners))

    def points(self) -> Iterable[Point]:
        return self.corners

    def distance(self, x: float, y: float) -> float:
        return max(a * x + b * y + c for a, b, c in self._edges)

    def span(self, y: float, reach: float) -> Span | None:
        left, right = -math.inf, math.inf
        for a, b, c in self._edges:
            rest = reach - b * y - c
            if a > 0:
                right = min(right, rest / a)
            elif a < 0:
                left = max(left, rest / a)
            elif rest <= 0:
                return None
        return (left, right) if left < right else None


@dataclass(frozen=True)
class _Segment:
    """A straight line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float

    has_inside = False

    @property
    def straight(self) -> Span:
        ends = sorted((self.y1, self.y2))
        return (ends[0], ends[1]) if self.x1 == self.x2 else (0.0, 0.0)

    def placed(self, place: _Place) -> _Segment:
        return _Segment(*place.point(self.x1, self.y1), *place.point(self.x2, self.y2))

    def points(self) -> Iterable[Point]:
        return (self.x1, self.y1), (self.x2, self.y2)

    def distance(self, x: float, y: float) -> float:
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        along = ((x - self.x1) * dx + (y - self.y1) * dy) / ((dx * dx + dy * dy) or 1.0)
        along = min(max(along, 0.0), 1.0)
        return math.hypot(x - self.x1 - along * dx, y - self.y1 - along * dy)

    def span(self, y: float, reach: float) -> Span | None:
        # A disc around each end, and the rectangle in between.
        parts: list[_Shape] = [_Disc(x1, y1, 0.0) for x1, y1 in self.points()]
        spans = [part.span(y, reach) for part in parts]
        length = math.hypot(self.x2 - self.x1, self.y2 - self.y1)
        if length and reach > 0:
            across = (self.y1 - self.y2) / length * reach
            down = (self.x2 - self.x1) / length * reach
            (x1, y1), (x2, y2) = self.points()
            corners = (
                (x1 - across, y1 - down),
                (x2 - across, y2 - down),
                (x2 + across, y2 + down),
                (x1 + across, y1 + down),
            )
            spans.append(_Polygon(corners).span(y, 0.0))
        found = [span for span in spans if span is not None]
        if not found:
            return None
        return min(left for left, _ in found), max(right for _, right in found)


# -- pixels ------------------------------------------------------------------------------

Pixels = tuple[int, int]  # of a row, from the first to the one behind the last
_OUTSIDE, _STRAIGHT = -1.0, -2.0  # kinds of rows; the others have their own numbers


@dataclass(frozen=True, slots=True)
class _Area:
    """All points whose distance from a shape is between two numbers."""

    shape: _Shape
    high: float
    low: float = -math.inf

    def kind_of(self, y: float) -> float:
        """Return what rows share that are covered alike."""
        ys = [y for _, y in self.shape.points()]
        if not min(ys) - self.high - 1 < y < max(ys) + self.high + 1:
            return _OUTSIDE
        first, end = self.shape.straight
        return _STRAIGHT if first + self.high + 1 < y < end - self.high - 1 else y

    def cover(self, row: bytearray, left: int, y: float) -> None:
        """Put into a row how far each pixel is covered, of 255, where that is more than before."""

        def within(reach: float) -> Pixels:
            """Return the pixels whose middle is less far outside than `reach`."""
            span = self.shape.span(y, reach) if reach > -math.inf else None
            if span is None:
                return 0, 0
            first, end = math.ceil(span[0] - 0.5) - left, math.floor(span[1] + 0.5) - left
            return min(max(first, 0), len(row)), min(max(end, 0), len(row))

        outer, solid = within(self.high + 0.5), within(self.high - 0.5)
        inner, hole = within(self.low + 0.5), within(self.low - 0.5)
        if inner[0] < inner[1]:
            pieces = [(solid[0], min(solid[1], inner[0])), (max(solid[0], inner[1]), solid[1])]
        else:
            pieces = [solid]
        pieces = [(first, end) for first, end in pieces if first < end]
        for first, end in pieces:
            row[first:end] = b"\xff" * (end - first)
        at = outer[0]
        for first, end in (*sorted([*pieces, *[hole] * (hole[0] < hole[1])]), (outer[1], 0)):
            for x in range(at, first):
                distance = self.shape.distance(left + x + 0.5, y)
                share = min(self.high - distance, distance - self.low, 0.5) + 0.5
                row[x] = max(row[x], round(255 * max(share, 0.0)))
            at = end


class _Canvas:
    """Pixels to paint on."""

    def __init__(self, width: int, height: int, colour: str) -> None:
        self.width, self.height = width, height
        self._planes = [
            [bytearray([value]) * width for _ in range(height)] for value in _channels(colour)
        ]

    def paint(self, areas: Sequence[_Area], colour: str, opacity: float) -> None:
        """Paint areas as one."""
        reach = max(area.high for area in areas) + 1
        xs, ys = zip(*(point for area in areas for point in area.shape.points()), strict=True)
        left = min(max(math.floor(min(xs) - reach), 0), self.width)
        width = min(max(math.ceil(max(xs) + reach), 0), self.width) - left
        values = _channels(colour)
        kinds: list[float] = []
        runs: list[tuple[int, int, float]] = []
        for y in range(
            max(math.floor(min(ys) - reach), 0), min(math.ceil(max(ys) + reach), self.height)
        ):
            before, kinds = kinds, [area.kind_of(y + 0.5) for area in areas]
            if kinds != before:  # else the row is like the one above
                row = bytearray(width)
                for area, kind in zip(areas, kinds, strict=True):
                    if kind != _OUTSIDE:
                        area.cover(row, left, y + 0.5)
                runs = [
                    (left + found.start(), left + found.end(), row[found.start()] / 255 * opacity)
                    for found in re.finditer(rb"\xff+|[\x01-\xfe]", row)
                ]
            for plane, value in zip(self._planes, values, strict=True):
                _mix(plane[y], runs, value)

    def rows(self) -> Iterator[bytearray]:
        """Yield the rows, three bytes for a pixel."""
        for channels in zip(*self._planes, strict=True):
            row = bytearray(3 * self.width)
            for channel, plane in enumerate(channels):
                row[channel::3] = plane
            yield row

    def encoded(self) -> bytes:
        """Return the pixels as a PNG file."""
        rows: list[bytes | bytearray] = []
        for row in self.rows():
            rows += [b"\0", row]
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )


def _mix(row: bytearray, runs: Iterable[tuple[int, int, float]], value: int) -> None:
    """Mix a value into runs of a row, into each by its share."""
    for first, end, share in runs:
        if share == 1:
            row[first:end] = bytes([value]) * (end - first)
        elif end == first + 1:
            row[first] += round((value - row[first]) * share)
        else:
            row[first:end] = row[first:end].translate(_mixed(value, share))


@lru_cache(maxsize=64)
def _mixed(value: int, share: float) -> bytes:
    """Return what becomes of each byte when a value is mixed into it."""
    return bytes(before + round((value - before) * share) for before in range(256))


def _channels(colour: str) -> bytes:
    return bytes.fromhex(colour.removeprefix("#"))
