"""Pictures of boards, as text, SVG and PNG.

Drawing knows no rules and stands below them: a position describes itself as a `Diagram`, and
all renderers draw any Diagram. So a board can show itself in a notebook although the rules
import nothing that stands above them.

    colours   every colour, for light and for dark; the page and notebooks have the same
    diagram   marks, labels and highlights as plain data
    text      draws a diagram with characters
    svg       draws a diagram as an SVG picture
    png       draws the same as pixels; to be imported by itself, as few need it
"""

from noughts.drawing.colours import COLOURS, Colour
from noughts.drawing.diagram import LETTERS, Diagram
from noughts.drawing.svg import Theme, draw_svg
from noughts.drawing.text import draw_text

__all__ = ["COLOURS", "LETTERS", "Colour", "Diagram", "Theme", "draw_svg", "draw_text"]
