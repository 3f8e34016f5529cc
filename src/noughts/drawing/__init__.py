"""Pictures of boards, as text and as SVG.

Drawing stands below the rules and knows none: positions describe themselves as a `Diagram`
(marks, labels, highlights), and both renderers draw any Diagram. That is what lets a board
show itself in a notebook without the rules importing anything above them.
"""

from noughts.drawing.diagram import LETTERS, Diagram
from noughts.drawing.svg import Theme, draw_svg
from noughts.drawing.text import draw_text

__all__ = ["LETTERS", "Diagram", "Theme", "draw_svg", "draw_text"]
