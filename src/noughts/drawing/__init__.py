"""Pictures of boards, as text and as SVG.

Drawing knows no rules and stands below them: a position describes itself as a `Diagram`, and
both renderers draw any Diagram. So a board can show itself in a notebook although the rules
import nothing that stands above them.

    diagram   marks, labels and highlights as plain data
    text      draws a diagram with characters
    svg       draws a diagram as an SVG picture
"""

from noughts.drawing.diagram import LETTERS, Diagram
from noughts.drawing.svg import Theme, draw_svg
from noughts.drawing.text import draw_text

__all__ = ["LETTERS", "Diagram", "Theme", "draw_svg", "draw_text"]
