"""Every page in turn: what axe finds, and pictures at both widths, light and dark, for a person to look at."""

from __future__ import annotations

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from page import NARROW, WIDE, Check, Server
from playwright.sync_api import Browser


def nobody_is_left_out(check: Check) -> None:
    """What axe finds on each page with each board; of those that share colours, one in the dark and one narrow."""
    found = []
    for scheme, size, scenes in (("light", WIDE, LIGHT), ("dark", WIDE, SOME), ("light", NARROW, SOME)):
        check.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        check.page.set_viewport_size(size)  # type: ignore[arg-type]
        for name in scenes:
            page = check.open(SCENES[name])
            page.wait_for_timeout(200)
            # What shows for a moment only is looked at, too.
            page.evaluate("for (const it of document.querySelectorAll('.spinner')) it.hidden = false")
            options = {"resultTypes": ["violations"]}
            for violation in Axe().run(page, options=options).response["violations"]:
                if violation["impact"] in ("serious", "critical"):
                    nodes = [node["html"][:120] for node in violation["nodes"][:3]]
                    found.append(f"{scheme} {size['width']} {name}: {violation['id']}: {nodes}")
    assert not found, "\n".join(found)


SCENES = {
    "play-dots": "/play?game=dots-and-boxes:5x5&moves=0.7.12.30.33.41.5.6.35.36",
    "play-queens": "/play?game=queens:8&moves=0.10.30",
    "play-soccer": "/play?game=paper-soccer:8x10&moves=0.2.5.4.3",
    "play-xadrersi": "/play?game=xadrersi&moves=27.100.99",
    "play-hive": "/play?game=hive:base%2Bmlp",
    "analyse-dots": "/analyse?game=dots-and-boxes:3x3&moves=0.5.9.12",
    "analyse-soccer": "/analyse?game=paper-soccer:8x10&moves=0.2.5.4.3",
    "analyse-hive": "/analyse?game=hive:base",
    "analyse-xadrersi": "/analyse?game=xadrersi&moves=27",
    "analyse-queens": "/analyse?game=queens:8&moves=0.10",
    "review": "/review?game=dots-and-boxes:3x3&moves=0.5.9.12.1.2.3.4.6.7.8.10.11.13",
    "puzzles": "/puzzles",
    "training": "/training",
    "rules": "/rules",
}
# Each page, and each board once; and one of each kind, which have all colours of the page among them.
LIGHT = [name for name in SCENES if not name.startswith("analyse") or name == "analyse-dots"]
SOME = ["play-dots", "play-xadrersi", "analyse-hive", "review", "training"]
HIVE = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ-;wB1 \\wQ;bG1 bQ/;wA1 bA1-;bB1 bS1\\;wB1 wQ;bB1 bS1"


def take_pictures(browser: Browser, server: Server, folder: Path, only: str | None) -> None:
    for name, fragment in SCENES.items():
        if only and only not in name:
            continue
        for width, size in (("wide", WIDE), ("narrow", NARROW)):
            for scheme in ("light", "dark"):
                check = Check(browser, server, size, scheme)
                page = check.open(fragment)
                page.evaluate("tablero.seats = [{id: 'human', level: 0}, {id: 'human', level: 0}]")
                if "hive" in name:
                    page.evaluate("text => tablero.importText(text)", f"Base+MLP;InProgress;White[7];{HIVE}")
                page.wait_for_timeout(1500)
                page.screenshot(
                    path=str(folder / f"{name}-{width}-{scheme}.png"), full_page=width == "narrow"
                )
                check.close()
