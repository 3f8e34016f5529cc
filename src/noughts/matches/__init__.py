"""Matches between players: who plays whom, over which protocol, and what the score means.

::

    match       a match and its games: openings, forfeits, records
    openings    the positions at which games begin
    score       points, Elo and their 95 % intervals
    match_file  the games on disk, so that a match can be resumed
    workers     several games at the same time, in processes of their own
    player      the interface of a player
    players     the players that come with noughts: engine, UCT, levels, random
    openspiel   OpenSpiel's search as a player
    external    a program as a player
    registry    from a name on the command line to a player
    protocol    the lines of the engine protocol
    process     a child process with lines, deadlines and limits: for programs of others
    server      the engine's side of the protocol
"""
