"""Build the wheels: a pure one of each distribution, and one of the engine in machine code for this kind of machine.

The same sources give the same pure wheels, byte for byte, on every machine: times are fixed, modes are set, files are
sorted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from scripts.compile_engine import copy_built, lacks_tools, reason_against, translate
from scripts.distributions.rooms import DISTRIBUTIONS, ENGINE
from scripts.distributions.staging import stage

EPOCH: Final = "315532800"
"""1980-01-01, the first time that a zip file can hold; SOURCE_DATE_EPOCH in the environment names another one."""
_BUILD: Final = """
import json, sys
from setuptools.build_meta import build_wheel
build_wheel(sys.argv[1], json.loads(sys.argv[2]))
"""
# A wheel with machine code in its data is for one kind of machine, which setuptools sees only by extension modules.
_FOR_ONE_MACHINE: Final = """\
from setuptools import Distribution, setup


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=Compiled)
"""
_FINGERPRINT: Final = "from {package}.compiled import fingerprint; print(fingerprint())"


class CannotBuild(RuntimeError):
    """A wheel could not be built; the message is what the tool said."""


def pure_wheels(into: Path) -> list[Path]:
    """Build `py3-none-any` wheels of all distributions. Raises CannotBuild, CannotRewrite."""
    with tempfile.TemporaryDirectory() as work:
        return [_wheel(stage(each, Path(work)), into) for each in DISTRIBUTIONS]


def reason_against_compiled() -> str | None:
    """Return what this machine lacks for the compiled wheel, or None."""
    if reason := reason_against():
        return reason
    if lacks_tools() or find_spec("auditwheel") is None:
        return "mypyc or auditwheel is not installed (requirements-compile.txt)"
    return None


def compiled_wheel(into: Path) -> Path:
    """Build the wheel of the engine with its hot modules in machine code, for this Python and kind of machine.

    It holds the same sources as the pure one: on a Python that the machine code is not for, those play.
    Raises CannotBuild, CannotRewrite.
    """
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tree = stage(ENGINE, work)
        package = tree / ENGINE.tops[0]
        (work / "translated").mkdir()
        try:
            lib = translate(package, work / "translated")
        except subprocess.CalledProcessError as error:
            raise CannotBuild(error.stdout.decode(errors="replace")[-3000:]) from error
        # Asked of the staged package: the name stands for its sources, not for those of the repository.
        name = _run(["-c", _FINGERPRINT.format(package=package.name)], tree).strip()
        copy_built(lib, package / "_compiled" / name)
        (tree / "setup.py").write_text(_FOR_ONE_MACHINE, encoding="ascii")
        audited = _wheel(tree, work / "audited")
        return _wheel(tree, into, platform=_platform(audited))


def _platform(wheel: Path) -> str:
    """Return the oldest platform on which the wheel's libraries load: `manylinux_2_17_x86_64`."""
    shown = json.loads(_run(["-m", "auditwheel", "show", "--json", str(wheel)], wheel.parent))
    if shown["external_libs"]:
        raise CannotBuild(f"{wheel.name} needs libraries besides the C library: {', '.join(shown['external_libs'])}")
    return str(shown["overall_tag"])


def _wheel(tree: Path, into: Path, platform: str = "") -> Path:
    """Build the wheel of a staged tree and return its path; platform: its tag, "" for setuptools' own choice."""
    into.mkdir(parents=True, exist_ok=True)
    settings = {"--build-option": ["--plat-name", platform]} if platform else {}
    with tempfile.TemporaryDirectory(dir=into, prefix=".") as beside:
        _run(["-c", _BUILD, beside, json.dumps(settings)], tree)
        (built,) = Path(beside).glob("*.whl")
        # Renamed within one file system: who lists the folder meanwhile sees a whole wheel or none.
        return built.rename(into / built.name)


def _run(arguments: list[str], folder: Path) -> str:
    """Run this Python on something in a folder; its output. Raises CannotBuild with what was said."""
    environment = {"SOURCE_DATE_EPOCH": EPOCH, **os.environ, "PYTHONDONTWRITEBYTECODE": "1", "HANAMI_ENGINE": "pure"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise CannotBuild(f"{done.stdout}\n{done.stderr}"[-3000:].strip())
    return done.stdout
