"""A grade as JUnit XML: one test case for each stage, as graders and CI servers read it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from noughts.exercises.grading.result import Grade, Stage

__all__ = ["junit_xml"]


def junit_xml(grade: Grade) -> str:
    """Return the grade as a test suite."""
    stages = [stage for stage in grade.stages if stage.cases]
    cases = [_test_case(grade, stage) for stage in stages]
    counts = {
        tag: str(sum(case.find(tag) is not None for case in cases))
        for tag in ("failure", "skipped")
    }
    suite = ElementTree.Element(
        "testsuite",
        name=f"noughts grade {grade.exercise}",
        tests=str(len(cases)),
        failures=counts["failure"],
        errors="0",
        skipped=counts["skipped"],
    )
    suite.extend(cases)
    if grade.remarks:
        output = ElementTree.SubElement(suite, "system-out")
        output.text = "\n".join(f"Remark: {_clean(str(remark))}" for remark in grade.remarks)
    totals = {key: suite.attrib[key] for key in ("tests", "failures")}
    root = ElementTree.Element("testsuites", totals)
    root.append(suite)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _test_case(grade: Grade, stage: Stage) -> ElementTree.Element:
    names = {"classname": f"noughts.{grade.exercise}", "name": stage.name, "time": "0"}
    case = ElementTree.Element("testcase", names)
    if stage.failure is not None:
        found = stage.failure
        message = f"{found.rule}: expected {found.expected}, came {found.got}"
        failure = ElementTree.SubElement(
            case, "failure", message=_clean(message), type=_clean(found.rule)
        )
        failure.text = _clean(found.text())
    elif stage.judged < stage.cases:
        message = f"{stage.judged} of {stage.cases} cases were judged"
        ElementTree.SubElement(case, "skipped", message=message)
    return case


def _clean(text: str) -> str:
    """Replace characters that XML cannot hold, which a solution may well return."""
    return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
