"""The project installed as an author has it: a wheel in a virtual environment with what the wheel asks for, no more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from tests.services.processes import ROOT

PARTS: Final = ("core", "engine", "bots", "kit", "static", "pyproject.toml", "README.md", "LICENSE")
NOT_THERE: Final = ("django", "celery", "redis", "rest_framework", "psycopg", "scipy", "structlog")


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in an environment without anything of the checkout; its output. Fails with what it said."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env={"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def build_wheel(folder: Path) -> Path:
    """The wheel of the project as it is now, built from a copy of its files: a build leaves traces."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).stdout.split("\0")
    source = folder / "source"
    for name in filter(None, listed):
        if name.split("/")[0] in PARTS and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", str(folder))
    run(sys.executable, "-m", "pip", "wheel", *options, str(source), cwd=folder)
    (wheel,) = folder.glob("hanami-*.whl")
    return wheel


def closure(names: Iterator[str] | list[str]) -> dict[str, Distribution]:
    """These distributions and all that they ask for, as they are installed beside the tests."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        found[name] = distribution(name)
        asked = (Requirement(text) for text in found[name].requires or ())
        waiting += [each.name for each in asked if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


def install(wheel: Path, folder: Path) -> Path:
    """A virtual environment with the wheel and exactly what it asks for; the path of its Python."""
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", wheel, cwd=folder.parent)
    site = Path(run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=folder.parent).stdout.strip())
    (own,) = site.glob("hanami-*.dist-info")
    asked = [Requirement(text).name for text in Distribution.at(own).requires or ()]
    for each in closure(asked).values():
        _link(each, site)
    run(python, "-m", "pip", "check", cwd=folder.parent)
    return python


def _link(each: Distribution, site: Path) -> None:
    """The installed files of a distribution, folder by folder, as links: nothing is fetched from anywhere."""
    for top in {Path(str(file)).parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
        target = Path(str(each.locate_file(top)))
        if target.exists() and not (site / top).exists():
            os.symlink(target, site / top)
