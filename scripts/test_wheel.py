"""Build the wheel, install it alone into a bare environment, and run the command line there.

What a user gets from an index is the wheel and its declared dependencies, nothing else; a
file missing from it, or an undeclared import, shows only here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def output(*command: str | Path, expect: int = 0) -> str:
    """Run a command away from the source tree and return what it prints."""
    done = subprocess.run(command, cwd=tempfile.gettempdir(), capture_output=True, text=True)
    if done.returncode != expect:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout or done.stderr


def main() -> None:
    """Build, install, run."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        output(sys.executable, "-m", "build", "--wheel", "--outdir", place, ROOT)
        (wheel,) = place.glob("*.whl")
        venv.create(place / "bare", with_pip=True)
        binaries = place / "bare" / ("Scripts" if sys.platform == "win32" else "bin")
        output(binaries / "python", "-m", "pip", "install", "--quiet", wheel)
        noughts = binaries / "noughts"

        (judgement,) = output(noughts, "check", "XXX/OO./...", "--json").splitlines()
        assert json.loads(judgement)["verdict"] == "X_wins"
        output(noughts, "check", "OO./.../...", expect=1)
        assert json.loads(output(noughts, "perft", "3x3x3", "5", "--json"))["nodes"] == "15120"
        assert "<svg" in output(noughts, "show", "ultimate", "ee", "--svg")
        assert json.loads(output(noughts, "replay", "0,0,X", "--json"))["result"][0] == "1"
        counts = json.loads(output(noughts, "count", "4x4x3", "--json"))
        assert counts["total"] == "1281016086768"
        assert output(noughts, "games", "2x2x2", "--limit", "1") == "0: a1 b1 a2 X_wins\n"
        puzzle = json.loads(output(noughts, "puzzle", "--daily", "--json", "--solution"))
        assert output(noughts, "puzzle", puzzle["id"], "--solution").endswith(".\n")
        complaint = output(noughts, "count", "3x3x3", "--method", "positions", expect=2)
        assert "noughts[engine]" in complaint, complaint
        match = ("match", "random", "casual", "--games", "2", "--json")
        assert json.loads(output(noughts, *match))["forfeits"] == []
        complaint = output(noughts, "analyse", "ultimate", expect=2)
        assert "noughts[engine]" in complaint, complaint
        show = "import noughts.notebook as n; n.board()"
        complaint = output(binaries / "python", "-c", show, expect=1)
        assert "noughts[notebook]" in complaint, complaint
        for code, extra in (
            ("import noughts.rl.pettingzoo", "rl"),
            ("import noughts.rl.gymnasium", "rl"),
            ("import noughts.rl.openspiel", "openspiel"),
            ("import noughts; noughts.judge_many([])", "engine"),
        ):
            complaint = output(binaries / "python", "-c", code, expect=1)
            assert f"noughts[{extra}]" in complaint, complaint
        count = "import noughts.exercises as p; print(p.count_games())"
        assert output(binaries / "python", "-c", count).strip() == "1281016086768"
        files = ("py.typed", "engine/ultimate/ultimate.npz", "notebook/widget.js")
        page = ("index.html", "service-worker.js", "icons/192.png", "learn/index.html")
        for file in (*files, *(f"web/static/{name}" for name in page)):
            there = (
                f"import importlib.resources as r; print((r.files('noughts') / {file!r}).is_file())"
            )
            assert output(binaries / "python", "-c", there).strip() == "True", file
        print(f"{wheel.name}: installs alone and works")


if __name__ == "__main__":
    main()
