"""The browser of the tests: the one there is, or one from the system's packages."""

import os
import shutil
import subprocess
import sys
from typing import Final

from scripts.bootstrap import install_system_packages
from scripts.progress import print_line

LIGHT: Final = "chromium-headless-shell"
"""Chromium without windows of its own. It draws the same pages in a third of the processor time: 15 contexts with a
page each took 1.7 s, and 5.6 s in the whole browser.
"""
NAMES: Final = (LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TYPE_THIS: Final = """The browser tests need Chromium. Type:
  sudo apt-get update && sudo apt-get install -y chromium-headless-shell
or set CHROMIUM to the path of a Chromium or Chrome, and try again."""


def found() -> str | None:
    """Return the path of the browser: $CHROMIUM, else one on PATH."""
    for candidate in (os.environ.get("CHROMIUM", ""), *NAMES):
        if candidate and (path := shutil.which(candidate)):
            return path
    return None


def whole() -> str | None:
    """Return the path of a browser that shows notifications, too: the light one has no place for them."""
    return next((path for name in NAMES if name != LIGHT and (path := shutil.which(name))), None)


def ensure_whole() -> None:
    """Install the whole browser if it is missing. Ends the program with what to type if that cannot be."""
    if whole():
        return
    for package in ("chromium", "chromium-browser"):
        if install_system_packages([package], "tests of notifications") and whole():
            return
    sys.exit("The tests of notifications need the whole browser. Type: sudo apt-get install -y chromium")


def ensure() -> str:
    """Return the path of a browser, installed if need be. Ends the program with what to type if there can be none."""
    # One that was named but is missing is an error: another browser than the one that was meant would test something
    # else.
    if chosen := os.environ.get("CHROMIUM"):
        if path := shutil.which(chosen):
            return path
        sys.exit(f"CHROMIUM={chosen} is not a program; name the browser's full path or leave it out")
    if _is_offered(LIGHT) and not shutil.which(LIGHT):
        install_system_packages([LIGHT], "the browser of the tests")
    if path := found():
        return path
    print_line("No Chromium found; the browser tests need one.")
    # Debian has the first two, Ubuntu the third.
    for package in (LIGHT, "chromium", "chromium-browser"):
        if install_system_packages([package], "the browser of the tests") and (path := found()):
            return path
    sys.exit(TYPE_THIS)


def _is_offered(package: str) -> bool:
    """Return whether the system's lists of packages name it: without asking, Ubuntu would answer with an error."""
    apt = shutil.which("apt-cache")
    return apt is not None and subprocess.run([apt, "show", package], capture_output=True, check=False).returncode == 0
