"""Compilers of the languages in which the kit writes remote programs: its slow tests build and play each of them."""

import shutil
import subprocess
from typing import Final

from scripts.bootstrap import install_system_packages

PACKAGES: Final = {"node": "nodejs", "cc": "gcc", "rustc": "rustc"}
"""The package of each program, on Debian and Ubuntu. A test of one that cannot be installed is left out."""


def is_there(program: str) -> bool:
    """Return whether a program is there and runs: rustup's `rustc` without a toolchain is on PATH and does not."""
    if shutil.which(program) is None:
        return False
    asked = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return asked.returncode == 0


def ensure() -> None:
    """Install those that are not there, if we may."""
    missing = [package for program, package in PACKAGES.items() if not is_there(program)]
    if missing:
        install_system_packages(missing, "programs in other languages")
