"""Write a distribution's tree as it is built: sources under their new root, pyproject.toml, front page, licence."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Final

from scripts.distributions.rewriting import CannotRewrite, Roots, rewrite
from scripts.distributions.rooms import CODES, RENAMED, ROOT, Distribution, Source, modules, sources

_PYTHON: Final = (".py", ".py.txt")
TYPED: Final = "py.typed"
PLACE: Final = "0.0.0"
"""What stands for the version in a distribution's pyproject.toml."""


def version() -> str:
    """Return the project's version, which both distributions have."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def stage(distribution: Distribution, folder: Path) -> Path:
    """Write the tree of a distribution below `folder` and return its path.

    Raises CannotRewrite for a source that cannot get another root, and for one that imports what is in no distribution.
    """
    roots = Roots(RENAMED, modules(), CODES)
    tree = folder / distribution.name
    for source in sources(distribution):
        target = tree / source.target
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_content(source, roots))
    for top in distribution.tops:
        # What is typed says so (PEP 561), and a type checker believes it.
        (tree / top / TYPED).touch()
    _front_matter(distribution, tree)
    # The umask of the one who builds must not be in the wheel.
    for path in (tree, *tree.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return tree


def _content(source: Source, roots: Roots) -> bytes:
    """Return a file's bytes as the distribution has them."""
    content = source.path.read_bytes()
    if source.as_it_is or not source.path.name.endswith(_PYTHON):
        return content
    file = source.path.relative_to(ROOT).as_posix()
    written = rewrite(content.decode("utf-8"), file, roots)
    missing = sorted(written.imports - roots.modules)
    if missing:
        raise CannotRewrite(f"{file} imports {', '.join(missing)}, which no distribution holds (rooms.py)")
    return written.source.encode()


def _front_matter(distribution: Distribution, tree: Path) -> None:
    shutil.copyfile(ROOT / "LICENSE", tree / "LICENSE")
    shutil.copyfile(distribution.folder / "README.md", tree / "README.md")
    project = (distribution.folder / "pyproject.toml").read_text(encoding="utf-8")
    (tree / "pyproject.toml").write_text(project.replace(PLACE, version()), encoding="utf-8")
