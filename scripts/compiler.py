"""The C compiler: one test needs it for clocks that jump, and the engine is faster translated."""

import shutil
from typing import Final

from scripts.bootstrap import install_system_packages

TYPE_THIS: Final = """A test of jumping clocks needs a C compiler. Type:
  sudo apt-get update && sudo apt-get install -y gcc libc6-dev
and try again."""


def found() -> str | None:
    """The path of a C compiler on PATH."""
    return shutil.which("cc") or shutil.which("gcc")


def ensure() -> None:
    """Install one if there is none and we may; who needs it says what to type otherwise."""
    if found() is None:
        install_system_packages(["gcc", "libc6-dev"], "the tests of jumping clocks")
