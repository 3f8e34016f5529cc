"""Write the icons of the installed page from its logo: ``python scripts/write_icons.py``."""

from __future__ import annotations

from pathlib import Path

from browsing import launch
from playwright.sync_api import sync_playwright

from noughts.drawing import COLOURS

STATIC = Path(__file__).resolve().parent.parent / "src" / "noughts" / "web" / "static"
GROUND = COLOURS["paper"].light
ICONS = {  # pixels of a side, how much of it the logo takes, and what is behind it
    "192.png": (192, 1.0, "transparent"),
    "512.png": (512, 1.0, "transparent"),
    "maskable-512.png": (512, 0.6, GROUND),  # systems cut up to a fifth from each side
    "apple-180.png": (180, 0.8, GROUND),
}


def write_icons() -> None:
    """Draw the logo in each size."""
    logo = (STATIC / "logo.svg").read_text()
    (STATIC / "icons").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (side, share, ground) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            size = round(side * share)
            page.set_content(
                f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; "
                f"background: {ground} }} svg {{ width: {size}px; height: {size}px }}</style>{logo}"
            )
            page.screenshot(path=STATIC / "icons" / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    write_icons()
