"""A folder of wheels as an operator fills it, with small wheels of our names in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

PURE = "py3-none-any"
LINUX = "cp311-cp311-manylinux_2_17_x86_64"
AddWheel = Callable[..., Path]


@pytest.fixture
def kit_dir(tmp_path: Path, settings: Any) -> Path:
    """The folder of the site's wheels, empty."""
    folder = tmp_path / "kit"
    folder.mkdir()
    settings.KIT_DIR = folder
    return folder


def wheel_in(folder: Path, project: str, version: str = "0.1.0", tag: str = PURE, says: str = "1") -> Path:
    """A wheel that pip can install, with one module and one fact of our own."""
    name = project.replace("-", "_")
    stem = f"{name}-{version}"
    files = {
        f"{name}_says.py": f"SAYS = {says}\n",
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.4\nName: {project}\nVersion: {version}\n"
        "Requires-Python: >=3.11\n",
        f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    record = f"{stem}.dist-info/RECORD"
    files[record] = "".join(f"{each},,\n" for each in (*files, record))
    path = folder / f"{stem}-{tag}.whl"
    with ZipFile(path, "w") as wheel:
        for each, text in files.items():
            wheel.writestr(each, text)
    return path


@pytest.fixture
def add_wheel(kit_dir: Path) -> AddWheel:
    """`add_wheel("hanafuda", "0.1.0")`: puts a wheel there."""
    return partial(wheel_in, kit_dir)


@pytest.fixture
def wheels_there(add_wheel: AddWheel) -> None:
    """Both packages in one version, the engine in machine code, too."""
    add_wheel("hanafuda")
    add_wheel("hanafuda", tag=LINUX)
    add_wheel("hanami-kit")
