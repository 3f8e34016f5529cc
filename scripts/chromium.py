"""Get Chromium for the tests of the page, where there is none.

As root it comes from the packages of the system, if that has apt; else Playwright downloads one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from browsing import find_chromium
from playwright.sync_api import sync_playwright

_PACKAGE = "chromium-headless-shell"


def get_chromium() -> None:
    """Install a browser unless there is one."""
    if find_chromium() or _has_own():
        return
    print("getting Chromium")
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (
            ["apt-get", "update", "--quiet=2"],
            ["apt-get", "install", "--quiet=2", "--no-install-recommends", _PACKAGE],
        ):
            subprocess.run([*command, "--yes"], env=quiet, check=False)
        if find_chromium():
            return
    download = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    subprocess.run(download, check=True)


def _has_own() -> bool:
    """Return whether Playwright has downloaded its own."""
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


if __name__ == "__main__":
    get_chromium()
