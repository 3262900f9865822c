"""Compilers of the languages in which the kit writes remote programs: its slow tests build and play each of them."""

import shutil
from typing import Final

from scripts.bootstrap import install_system_packages

PACKAGES: Final = {"node": "nodejs", "cc": "gcc", "rustc": "rustc"}
"""The package of each program, on Debian and Ubuntu. A test of one that cannot be installed is left out."""


def ensure() -> None:
    """Install those that are not there, if we may."""
    missing = [package for program, package in PACKAGES.items() if shutil.which(program) is None]
    if missing:
        install_system_packages(missing, "programs in other languages")
