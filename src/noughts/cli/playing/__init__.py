"""A game in the terminal.

::

    session    the course of a game: reads lines, runs commands, lets the computer answer
    puzzle_session  the course of a puzzle
    prompt     the lines that are typed, or come from a pipe
    commands   what can be typed: a move, or a command
    computer   the computer's moves, hints and values
    presenter  what is shown during a game, as an interface
    pictures   shows it with drawn boards
    sentences  shows it in sentences, for screen readers and logs
    words      positions and moves in words
    save_file  a game in a file, with who plays it
"""
