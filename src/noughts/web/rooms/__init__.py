"""Games by link.

::

    room        a room as a value: who may do what, and when
    clock       the time of both sides, as a value
    names       what people call themselves
    store       the SQLite file that holds all rooms
    updates     the listeners of each room, who get every change
    timekeeper  lets flags fall when their time has come
"""
