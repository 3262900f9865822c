#!/usr/bin/env python3
"""Photograph a running Hanami for the documentation: docs/images/<page>-wide.webp and <page>-360.webp; what guides
show of an organiser's pages: docs/images/guide-<page>.webp.

`python scripts/screenshots.py http://127.0.0.1:8000 --login demo:PASSWORD`, while `make run` plays its leagues.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import urllib.request
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

OUT = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZES = {"wide": ViewportSize(width=1280, height=860), "360": ViewportSize(width=360, height=740)}
IN_GUIDES = ViewportSize(width=1040, height=640)
QUALITY = 70
"""Of WebP, from 1 to 100: here the edges of small letters are still clean."""


def answer(address: str, path: str) -> Any:
    """Return the answer of the API as JSON."""
    with urllib.request.urlopen(f"{address}/api/v1/{path}", timeout=20) as reply:
        return json.load(reply)


def pages(address: str) -> dict[str, str]:
    """Return the path of each page by the name of its picture.

    A finished event at tables of four is shown if there is one, the one of most matches, and its last finished match.
    """
    events = answer(address, "tournaments?limit=100")["items"]
    shown = max(events, key=lambda each: (each["state"] == "finished", each["seats"] == 4, each["done"] or 0))
    slug = shown["slug"]
    matches = answer(address, f"tournaments/{slug}/matches?limit=200")["items"]
    match = next(each for each in reversed(matches) if each["record"])
    seats = shown["seats"]
    return {
        "home": "/",
        "tournament": f"/t/{slug}/",
        "standings": f"/t/{slug}/standings/",
        "rounds": f"/t/{slug}/rounds/",
        "leaderboard": f"/ladder/{shown['preset']}/?seats={seats}",
        "upload": "/b/new/",
        "replay": f"/m/{match['uuid']}/?d=2&m=9",
        "rules": f"/rules/{shown['preset']}/",
    }


def guide_pages(address: str) -> dict[str, str]:
    """Return the path of each page of an organiser that a guide shows, by the name of its picture."""
    events = answer(address, "tournaments?limit=100")["items"]
    coming = next(each for each in events if each["state"] == "registration" and each["starts_at"])
    over = next(each for each in events if each["state"] == "finished")
    return {
        "guide-create": "/t/new/",
        "guide-dashboard": f"/t/{coming['slug']}/desk/",
        "guide-certificate": f"/t/{over['slug']}/certificates/",
    }


def log_in(page: Page, address: str, login: str) -> None:
    """Log in by the form."""
    name, _, password = login.partition(":")
    page.goto(f"{address}/login/")
    page.locator("#id_username").fill(name)
    page.locator("#id_password").fill(password)
    page.locator("main button").click()
    page.wait_for_url(f"{address}/")


def open_a_number(page: Page) -> None:
    """Show in the standings what the leader's first figure is made of."""
    page.locator("details.why > summary").first.click()


def photograph(browser: Browser, address: str, login: str, out: Path, only: set[str]) -> None:
    """Every page in both sizes; the upload form needs an account, the others are shown as everybody sees them."""
    found = {name: path for name, path in pages(address).items() if not only or name in only}
    for width, size in SIZES.items():
        # A context for each size, so that each begins as a stranger.
        context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")
        page = context.new_page()
        # The upload form last: once logged in, the other pages would show the account.
        for name, path in sorted(found.items(), key=lambda item: item[0] == "upload"):
            if name == "upload":
                log_in(page, address, login)
            page.goto(address + path)
            page.wait_for_load_state("load")
            if name == "replay":
                page.locator("#replay").evaluate("each => each.scrollIntoView()")
            if name == "standings" and width == "wide":
                open_a_number(page)
            keep(page.screenshot(), out / f"{name}-{width}.webp")
        context.close()


def photograph_for_guides(browser: Browser, address: str, login: str, out: Path, only: set[str]) -> None:
    """What guides show, as an organiser sees it; of a certificate the sheet alone."""
    context = browser.new_context(viewport=IN_GUIDES, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    log_in(page, address, login)
    for name, path in guide_pages(address).items():
        if not only or name in only:
            page.goto(address + path)
            sheet = page.locator(".certificate").first
            keep(sheet.screenshot() if sheet.count() else page.screenshot(), out / f"{name}.webp")
    context.close()


def keep(picture: bytes, file: Path) -> None:
    """Write a picture as WebP."""
    Image.open(BytesIO(picture)).save(file, quality=QUALITY, method=6)
    print(file)


def main() -> int:
    """Return 0: all pictures are written."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("address")
    arguments.add_argument("--login", required=True, help="name:password of an account")
    arguments.add_argument("--out", type=Path, default=OUT)
    arguments.add_argument("--only", nargs="*", default=[], help="names of pages; without it all of them")
    chosen = arguments.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    flags = ["--no-sandbox"] if os.getuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        asked = (browser, chosen.address.rstrip("/"), chosen.login, chosen.out, set(chosen.only))
        photograph(*asked)
        photograph_for_guides(*asked)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
