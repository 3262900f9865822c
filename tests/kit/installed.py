"""Our packages installed as others have them: wheels in a virtual environment with what they ask for, no more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

NOT_THERE: Final = ("django", "celery", "redis", "rest_framework", "psycopg", "scipy", "structlog")


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in an environment without anything of the checkout; its output. Fails with what it said."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env={"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def closure(names: Iterator[str] | list[str]) -> dict[str, Distribution]:
    """These distributions and all that they ask for, as they are installed beside the tests."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        found[name] = distribution(name)
        waiting += required(found[name])
    return found


def required(each: Distribution) -> list[str]:
    """The names of what a distribution asks for here, without its extras."""
    asked = (Requirement(text) for text in each.requires or ())
    return [one.name for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})]


def install(folder: Path, wheels: Path, *names: str, also: Sequence[str] = ()) -> Path:
    """A virtual environment with these packages and exactly what they ask for, and `also`; the path of its Python.

    wheels: the folder in which pip finds ours. What they need is linked from beside the tests; nothing is fetched.
    """
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    python = folder / "bin" / "python"
    options = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check", "--find-links", wheels)
    run(python, "-m", "pip", "install", *options, *names, cwd=folder.parent)
    site = site_of(python)
    own = [Distribution.at(found) for found in site.glob("hana*.dist-info")]
    asked = [name for each in own for name in required(each) if name not in names]
    for each in closure([*asked, *also]).values():
        _link(each, site)
    run(python, "-m", "pip", "check", cwd=folder.parent)
    return python


def site_of(python: Path) -> Path:
    """The folder of the installed packages of an environment."""
    code = "import site; print(site.getsitepackages()[0])"
    return Path(run(python, "-c", code, cwd=python.parent).stdout.strip())


def shown_tops(python: Path, name: str) -> set[str]:
    """The names that `pip show -f` lists of a distribution, at the top level, without its facts about itself."""
    said = run(python, "-m", "pip", "show", "--files", name, cwd=python.parent).stdout
    files = said.partition("\nFiles:\n")[2].split("\n")
    tops = {file.strip().partition("/")[0] for file in files if file.strip()}
    return {top for top in tops if not top.endswith(".dist-info")} - {".."}


def _link(each: Distribution, site: Path) -> None:
    """The installed files of a distribution, folder by folder, as links: nothing is fetched from anywhere."""
    for top in {Path(str(file)).parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
        target = Path(str(each.locate_file(top)))
        if target.exists() and not (site / top).exists():
            os.symlink(target, site / top)
