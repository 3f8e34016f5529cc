from __future__ import annotations

import ast
import sys
from pathlib import Path

from noughts.exercises import textbook
from support.cases import for_each

FILES = sorted(Path(textbook.__path__[0]).glob("*.py"))


@for_each("file", FILES)
def test_a_file_stands_alone(file: Path) -> None:
    assert len(FILES) == 7
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
