"""The addresses of the API, by topic; each module has a function that returns its router.

::

    status         health, version, limits and levels
    positions      what the rules answer at once: verdicts, views, symmetries, replays, pictures
    puzzles        the puzzles, the one of a day, and attempts
    traces         the exercises, step by step
    tasks          what takes time: analyses, moves of the computer, reviews, counts, lists of games
    rooms          games by link
    task_response  how a worker's task becomes a response or a stream
"""
