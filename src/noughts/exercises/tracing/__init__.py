"""Traces: the textbook form of an exercise, run and shown step by step.

::

    trace      `trace` and `Trace`: runs an exercise lazily, one step after the other
    scenes     what there is to see and to say of each exercise
    step       one step as plain data
    stepping   makes generators of the textbook's functions; the code shown is the code run
"""

from noughts.exercises.tracing.step import Event, Frame, Picture, Step
from noughts.exercises.tracing.trace import Trace, trace

__all__ = ["Event", "Frame", "Picture", "Step", "Trace", "trace"]
