"""Doing a slow step only when what it depends on has changed."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file that remembers the digest of the inputs of a finished step."""

    path: Path
    digest: str

    @property
    def is_current(self) -> bool:
        return self.path.exists() and self.path.read_text(encoding="ascii") == self.digest

    def write(self) -> None:
        """The step is done for these inputs."""
        self.path.write_text(self.digest, encoding="ascii")


def static_digest(root: Path) -> str:
    """Names, sizes and times of all static files, and the versions of the packages that bring some."""
    digest = hashlib.sha256((root / "requirements.txt").read_bytes())
    for folder in sorted(root.glob("static")) + sorted(root.glob("*/static")):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                seen = path.stat()
                digest.update(f"{path.relative_to(root)} {seen.st_size} {seen.st_mtime_ns}\n".encode(errors="replace"))
    return digest.hexdigest() + f" {os.fspath(root)}"
