"""The browser of the tests: the one there is, or one from the system's packages."""

import os
import shutil
import sys
from typing import Final

from scripts.bootstrap import install_system_packages
from scripts.progress import print_line

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TYPE_THIS: Final = """The browser tests need Chromium. Type:
  sudo apt-get update && sudo apt-get install -y chromium
or set CHROMIUM to the path of a Chromium or Chrome, and try again."""


def found() -> str | None:
    """Return the path of the browser: $CHROMIUM, else one on PATH."""
    for candidate in (os.environ.get("CHROMIUM", ""), *NAMES):
        if candidate and (path := shutil.which(candidate)):
            return path
    return None


def ensure() -> str:
    """Return the path of a browser, installed if need be. Ends the program with what to type if there can be none."""
    # One that was named but is missing is an error: another browser than the one that was meant would test something
    # else.
    if chosen := os.environ.get("CHROMIUM"):
        if path := shutil.which(chosen):
            return path
        sys.exit(f"CHROMIUM={chosen} is not a program; name the browser's full path or leave it out")
    if path := found():
        return path
    print_line("No Chromium found; the browser tests need one.")
    # Debian has the first name, Ubuntu the second.
    for package in ("chromium", "chromium-browser"):
        if install_system_packages([package], "the browser of the tests") and (path := found()):
            return path
    sys.exit(TYPE_THIS)
