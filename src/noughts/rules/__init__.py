"""The rules: what is legal, in pure Python without a dependency, on boards of any size.

Each module holds one idea and imports only those above it::

    player             X and O, verdict names, outcomes
    symmetry           the eight ways to turn and mirror a rectangle
    grid               rows x cols with k in a row; finds lines by shifting whole boards
    grid_notation      boards and moves of a grid as text
    pasted             texts as people have them, brought into the form that noughts writes
    board              marks on a grid, whether or not a game leads there
    verdict            what a board is (whose turn, who won, invalid), and why
    position           what every game's positions can do; positions on a grid
    ultimate_notation  positions and moves of Ultimate as text
    ultimate           positions of Ultimate and its variants
    parsing            from a name or a text to the position of the right game
    game               a game as it was played, with undo and redo
    perft              the number of move sequences of a length
    chances            whether a side can still win
"""
