"""Stamps for slow steps, which are done again only when what they depend on has changed: a second start is quick."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stamps:
    """Remembers per step, in a file of `folder`, the digest of what it was last done for."""

    folder: Path

    def is_current(self, step: str, digest: str) -> bool:
        """Return whether the step was finished for exactly this."""
        path = self._path(step)
        return path.exists() and path.read_text(encoding="utf-8") == digest

    def write(self, step: str, digest: str) -> None:
        """The step is finished for this."""
        self._path(step).write_text(digest, encoding="utf-8")

    def _path(self, step: str) -> Path:
        return self.folder / f"{step}.stamp"


def tables_digest(root: Path, database: Path) -> str:
    """Return a digest of all migrations and of the file they were applied to: a new database file has none of them."""
    return f"{_contents([*root.glob('*/migrations/*.py'), root / 'requirements.txt'])} {_identity(database)}"


def demo_digest(root: Path, database: Path, size: str) -> str:
    """Return a digest of what the demo leagues are made of, and of the database they are in."""
    management = root / "tournaments" / "management"
    made_of = [management / "commands" / "seed_demo.py", management / "demo_organiser.py", *root.glob("bots/house/*")]
    return f"{_contents(made_of)} {size} {_identity(database)}"


def static_digest(root: Path) -> str:
    """Return a digest of names, sizes and times of all static files and of the versions of the packages that bring
    some.
    """
    digest = hashlib.sha256((root / "requirements.txt").read_bytes())
    for folder in sorted(root.glob("static")) + sorted(root.glob("*/static")):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                seen = path.stat()
                # Sizes and times instead of contents: a quick start must not read every static file.
                digest.update(f"{path.relative_to(root)} {seen.st_size} {seen.st_mtime_ns}\n".encode(errors="replace"))
    return f"{digest.hexdigest()} {os.fspath(root)}"


def wheels_digest(root: Path) -> str:
    """Return a digest of what the wheels of `/kit/` are made of, and of how."""
    rooms = ("engine", "kit", "bots", "core", "static", "scripts/distributions")
    found = [path for room in rooms for path in (root / room).rglob("*") if "_compiled" not in path.parts]
    return _contents(path for path in (root / "pyproject.toml", root / "LICENSE", *found) if path.suffix != ".pyc")


def _contents(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _identity(database: Path) -> str:
    # The inode: a file that was deleted and made again has the same name but no tables.
    return f"{database.stat().st_ino}" if database.exists() else "none"
