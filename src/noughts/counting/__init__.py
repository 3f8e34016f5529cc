"""Every game, listed and counted exactly.

::

    games      how many games, from any position        symmetric  the same up to symmetry
    boards     how many positions and endings           listing    the games themselves, by number
    ---------------------------------------------------------------------------------------------
    problem    what a sweep is asked                    sweeper    how it is answered
    frontier   the sweep in pure Python                 compiled   the sweep for large boards
    walk       every game walked, compiled              layers     every position listed
    ---------------------------------------------------------------------------------------------
    tasks      on all cores or a cluster                checkpoint what is finished, kept
    moduli     primes, and the way back                 results    what counting gives
"""
