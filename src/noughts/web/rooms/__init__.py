"""Games by link.

::

    room       a room as a value: who may do what, and when
    store      the SQLite file that holds all rooms
    updates    the listeners of each room, who get every change
"""
