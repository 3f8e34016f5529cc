"""A game in the terminal: who sits at the table, what can be typed, and how it is told.

::

    session    the course of a sitting: takes orders, lets the computer answer
    orders     what can be typed
    computer   the player that is a program
    voice      what a sitting has to tell, whoever tells it
    pictures   tells it with boards, for people who look at them
    sentences  tells it in words, for people who listen to them, and for logs
    saved      a game in a file, with who plays it
"""
