"""The exercises as one would write them on a whiteboard: clear, right, and not tuned.

==============  =================================================================
`enumeration`   every game by recursion and backtracking; the same, counted
`counting`      how many games, without playing each: by levels, and by a sweep
`verdict`       whose turn, who won, draw or invalid; can this board be reached?
`tic_tac_toe`   constant-time play on n x n (LeetCode 348)
`simulate`      replay moves on 3x3, rejecting bad ones
`ultimate`      the same for Ultimate tic-tac-toe
==============  =================================================================

Lessons show this code, `noughts.exercises.trace` runs it step by step, the tests compare the
fast forms with it, and the benchmarks measure against it. The fast forms, with the checks of
their input, are in `noughts.exercises` itself.

Each file stands alone and imports the standard library only, so that it can be copied and
changed. A comment like ``# place`` or ``# reject: the cell is taken`` behind a statement names
what happens there; traces show it.
"""
