"""A trace: the textbook form of an exercise, run step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import islice
from reprlib import Repr
from typing import Any

from noughts.errors import NotationError, SizeError, brief, whole_number
from noughts.exercises.tracing.scenes import SCENES, Scene
from noughts.exercises.tracing.step import Event, Frame, Step
from noughts.exercises.tracing.stepping import Report, Source, stepped

__all__ = ["Trace", "trace"]

_EVENTS: Mapping[str, Event] = {"end": Event.RETURN, **{event.value: event for event in Event}}
MOST_TEXT = 80  # characters of a variable
_CONSTANT = (int, str, tuple, type(None))  # variables whose text stays the same
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_SHORT.maxtuple = _SHORT.maxlist = 16
_SHORT.maxlevel = 2


@dataclass(slots=True)
class _Call:
    """A call that has not ended: its generator, its last report, and the line it has reached."""

    generator: Any
    report: Report
    line: int
    frame: Frame | None = None  # what to show, once nothing in it can change


class Trace:
    """The steps of one exercise with one input. Iterating runs the code; each time anew.

    `exercise`, `title` and `input` say what is traced, `source` is the code, `lesson` the page
    that explains it, and `game` the one whose empty board the pictures of the steps fill.
    """

    def __init__(self, exercise: str, *given: Any) -> None:
        scene = _scene(exercise)
        try:
            signature(scene).bind(*given)
        except TypeError:
            example = " ".join((exercise, *scene.example))
            message = f"a trace of {exercise} needs other arguments, as in: {example}"
            raise SizeError(message) from None
        first = scene(*given)
        self.exercise = exercise
        self.title = first.title
        self.input = first.input
        self.lesson = first.lesson
        self.game = first.game
        self._given = given
        self._scene = scene

    @classmethod
    def of_texts(cls, exercise: str, texts: Sequence[str]) -> Trace:
        """Return the trace of an input that is given as texts, like `input`.

        >>> Trace.of_texts("move", ["3", "0,0,1"])
        Trace.of_texts('move', ['3', '0,0,1'])
        """
        return cls(exercise, *_scene(exercise).given(list(texts)))

    @property
    def source(self) -> Source:
        """The module that runs, with its text."""
        return stepped(self._scene.module, self._scene.unseen)[0]

    def __iter__(self) -> Iterator[Step]:
        return self.steps()

    def steps(self, start: int = 0) -> Iterator[Step]:
        """Yield the steps from a number on; those before are run, but not described.

        >>> next(trace("games", "2x2x2").steps(26)).text
        'place O at b1'
        """
        whole_number(start, "the first step")
        return self._steps(start)

    def _steps(self, start: int) -> Iterator[Step]:
        scene = self._scene(*self._given)
        source, namespace = stepped(scene.module, scene.unseen)
        stack: list[_Call] = []
        counts: Counter[Event] = Counter()
        run = namespace[scene.function](*scene.arguments)
        for number, report in enumerate(map(Report._make, run)):
            if report.kind != "call":
                stack[-1] = _Call(stack[-1].generator, report, report.line)
            elif not stack:
                stack.append(_Call(run, report, report.line))
            else:
                caller = stack[-1]
                caller.line, caller.frame = caller.generator.gi_frame.f_lineno, None
                stack.append(_Call(caller.generator.gi_yieldfrom, report, report.line))
            event = _event(report, source)
            counts[event] += 1
            scene.follow(report, event)
            if number >= start:
                yield _step(number, report, event, stack, counts, scene, source)
            if report.kind in ("return", "end"):
                stack.pop()

    def count(self, most: int) -> int | None:
        """Return how many steps there are, or None if there are more than `most`.

        >>> trace("games", "2x2x2").count(1000), trace("games", "4x4x3").count(1000)
        (691, None)
        """
        scene = self._scene(*self._given)
        _, namespace = stepped(scene.module, scene.unseen)
        run = namespace[scene.function](*scene.arguments)
        steps = sum(1 for _ in islice(run, whole_number(most, "the most steps") + 1))
        return steps if steps <= most else None

    def __repr__(self) -> str:
        return f"Trace.of_texts({self.exercise!r}, {list(self.input)})"


def trace(exercise: str, *given: Any) -> Trace:
    """Return the textbook form of an exercise as a sequence of steps, computed as asked for.

    ``trace("games", "2x2x2")``, ``trace("state", "XXX/OOO/...")``, ``trace("valid", board)``,
    ``trace("move", 3, ["0,0,1", "1,1,2"])``, ``trace("simulate", moves)`` and
    ``trace("ultimate", moves)``.

    >>> [step.text for step in trace("games", "1x2x2") if step.event in ("place", "draw")]
    ['place X at a1', 'place O at b1', 'a draw: game 0 is a1 b1', 'place X at b1', \
'place O at a1', 'a draw: game 1 is b1 a1']
    """
    return Trace(exercise, *given)


def _scene(exercise: object) -> type[Scene]:
    scene = SCENES.get(exercise) if isinstance(exercise, str) else None
    if scene is None:
        known = ", ".join(SCENES)
        raise NotationError(f"an exercise to trace is one of {known}, not {brief(exercise)}")
    return scene


def _event(report: Report, source: Source) -> Event:
    """Return what a statement does: what its remark says, or what kind of statement it is."""
    remark = source.remarks.get(report.line)
    if remark and remark.word in _EVENTS and report.kind not in ("call", "end"):
        return _EVENTS[remark.word]
    return _EVENTS[report.kind]


def _step(
    number: int,
    report: Report,
    event: Event,
    stack: list[_Call],
    counts: Mapping[Event, int],
    scene: Scene,
    source: Source,
) -> Step:
    end = source.ends.get(report.line, report.line)
    code = " ".join(
        line.partition("  #")[0].strip() for line in source.lines[report.line - 1 : end]
    )
    return Step(
        number,
        event,
        scene.say(report, event, source.remarks.get(report.line), code),
        report.line,
        end,
        tuple(_frames(stack)),
        scene.picture(report, event),
        dict(counts),
        report.value,
        scene.holds(report, event),
        scene.is_key(report, event, code),
    )


def _frames(stack: list[_Call]) -> Iterator[Frame]:
    """Yield the calls that are running.

    What a function was handed by its caller under the same name, like the one board, is shown
    with the caller alone.
    """
    outer: Mapping[str, Any] = {}
    for call in stack:
        report = call.report
        if call.frame is None:
            own = {
                name: value
                for name, value in report.variables.items()
                if not (isinstance(value, list) and outer.get(name) is value)
            }
            frame = Frame(report.function, call.line, _texts(own))
            if all(isinstance(value, _CONSTANT) for value in own.values()):
                call.frame = frame  # nothing in it can change while the calls inside run
        else:
            frame = call.frame
        yield frame
        outer = report.variables


def _texts(variables: Mapping[str, Any]) -> dict[str, str]:
    """Return variables as short texts, the attributes of `self` one by one."""
    shown: dict[str, str] = {}
    for name, value in variables.items():
        if name == "self":
            shown |= {f"self.{field}": _text(each) for field, each in vars(value).items()}
        elif not name.startswith("_"):
            shown[name] = _text(value)
    return shown


def _text(value: object) -> str:
    if type(value).__module__ != "builtins":
        return type(value).__name__
    text = _SHORT.repr(value)
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…"
