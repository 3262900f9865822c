"""The wheels that the site offers, those of our packages in the folder KIT_DIR, and their facts for `pip`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from functools import lru_cache
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from django.conf import settings
from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

KIT: Final = "hanami-kit"
ENGINE: Final = "hanafuda"
PROJECTS: Final = (KIT, ENGINE)
"""Only these are offered; other files of the folder are left alone."""
MANYLINUX: Final = re.compile(r"manylinux_(\d+)_(\d+)_(\w+)")
HASH_PART: Final = 16
"""Digits of the hash in the address of a file: another build of the same version has another address."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel. project: its normalised name; size: in bytes; metadata: its METADATA file, which PEP 658 has served."""

    path: Path
    project: str
    version: Version
    tags: frozenset[Tag]
    size: int
    sha256: str
    requires_python: str
    metadata: bytes

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    @property
    def is_pure(self) -> bool:
        """Return whether it runs on every kind of machine."""
        return all(tag.platform == "any" for tag in self.tags)

    @property
    def interpreter(self) -> str:
        """Return the one Python that its machine code is for, "3.11"; "" for a pure wheel."""
        found = min(tag.interpreter for tag in self.tags)
        return "" if self.is_pure else f"{found[2]}.{found[3:]}"

    @property
    def oldest_python(self) -> str:
        """Return the oldest Python that it takes, "3.11"."""
        return self.requires_python.removeprefix(">=")

    @property
    def glibc(self) -> str:
        """Return the oldest C library that its machine code loads with, "2.17"; "" for another system."""
        return ".".join(self._linux[:2])

    @property
    def machine(self) -> str:
        """Return the kind of processor that its machine code is for, "x86_64"; the whole tag of another system."""
        return self._linux[2] if self._linux else min(tag.platform for tag in self.tags)

    @property
    def _linux(self) -> tuple[str, ...]:
        """Of the tag `manylinux_2_17_x86_64` its parts (PEP 600)."""
        found = [match.groups() for tag in self.tags if (match := MANYLINUX.fullmatch(tag.platform))]
        return min(found, default=())

    @property
    def metadata_sha256(self) -> str:
        return hashlib.sha256(self.metadata).hexdigest()


def wheels() -> tuple[Wheel, ...]:
    """Return what is offered now: the newest versions first, of each version the pure wheel first."""
    folder = Path(settings.KIT_DIR)
    # Sizes and times as the key: a wheel is read once, and again when another one takes its place.
    seen = ((path, path.stat().st_size, path.stat().st_mtime_ns) for path in _files(folder))
    return _wheels(tuple(sorted(seen)))


def of_project(project: str) -> tuple[Wheel, ...]:
    """Return the wheels of a project by its normalised name."""
    return tuple(wheel for wheel in wheels() if wheel.project == project)


def newest(project: str) -> tuple[Wheel, ...]:
    """Return the wheels of a project's newest version."""
    found = of_project(project)
    return tuple(wheel for wheel in found if wheel.version == found[0].version)


def named(name: str, part: str) -> Wheel | None:
    """Return the wheel with this file name whose hash begins with `part`."""
    return next((wheel for wheel in wheels() if wheel.name == name and wheel.sha256[:HASH_PART] == part), None)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the wheels of our projects; none if nothing was built yet."""
    for path in folder.glob("*.whl") if folder.is_dir() else ():
        if canonicalize_name(path.name.partition("-")[0]) in PROJECTS and path.is_file():
            yield path


@lru_cache(maxsize=4)
def _wheels(seen: tuple[tuple[Path, int, int], ...]) -> tuple[Wheel, ...]:
    read = (_read(path) for path, _size, _time in seen)
    found = sorted((wheel for wheel in read if wheel), key=lambda wheel: (wheel.is_pure, wheel.name), reverse=True)
    return tuple(sorted(found, key=lambda wheel: wheel.version, reverse=True))


def _read(path: Path) -> Wheel | None:
    """Read a wheel; None for a file that is none, which must not take the index from everybody."""
    try:
        project, version, _build, tags = parse_wheel_filename(path.name)
        with ZipFile(path) as opened:
            (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
            metadata = opened.read(name)
    except (InvalidWheelFilename, BadZipFile, OSError, ValueError):
        return None
    content = path.read_bytes()
    requires = BytesHeaderParser().parsebytes(metadata).get("Requires-Python", "")
    return Wheel(path, project, version, tags, len(content), hashlib.sha256(content).hexdigest(), requires, metadata)
