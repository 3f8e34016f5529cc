"""A short tour of real results: runs commands and prints them with what they say."""

from __future__ import annotations

import shlex
import sys

from noughts.cli.main import main

TOUR = (
    ("Judge any drawn board, and say why", "noughts check XX./OO./... XXX/OOO/X.."),
    ("One last move must explain a win", "noughts check 4x4x3:XXX./OO.O/O.O./XXX."),
    ("Replay a list of moves, rejecting the bad ones", "noughts replay 0,0,X 1,1,O 0,0,O 9,9,X"),
    ("Draw a game", "noughts show 4x4x3 b2 a1 c3 d4 b3 b4 b1"),
    ("Ultimate tic-tac-toe: dots show where one may play", "noughts show ultimate ee ea ae ei"),
    ("Count every game, exactly", "noughts count 4x4x3"),
    ("... and draw one at random, all equally likely", "noughts games 4x4x3 --sample 1 --seed 1"),
)


def tour() -> None:
    """Run every command of the tour."""
    for title, command in TOUR:
        sys.stdout.write(f"\n# {title}\n$ {command}\n")
        sys.stdout.flush()
        main(shlex.split(command)[1:])


if __name__ == "__main__":
    tour()
