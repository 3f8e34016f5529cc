"""The rules: pure Python, no dependency, any board size.

Each module holds one idea and imports only the ones before it::

    player     X and O, verdict names, outcomes
    symmetry   the eight ways to turn and mirror a rectangle
    grid       rows x cols with k in a row; lines by shifting whole boards
    notation   every text form, read and written
    board      anything one can draw
    verdict    what a drawing is, and why
    position   a board that a game reached
    ultimate   nine boards in one
    replay     lenient move lists
    counters   constant-time play on n x n
    games      from a name or a text to the right position
    record     a game with undo and redo
    perft      counting move sequences
"""
