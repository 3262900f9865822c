"""Translate the hot modules of the engine to machine code with mypyc: the same source, about three times as fast.

Without a C compiler, or without mypyc, nothing is lost: the engine plays in plain Python, and this says so.

usage: python scripts/compile_engine.py [--install] [--force]

--install: what is needed for it and not there (requirements-compile.txt) is put into the virtual environment.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine.compiled import BUILT, MODULES, SUFFIX, fingerprint  # noqa: E402  # the root has to be known first
from scripts.bootstrap import installer  # noqa: E402  # the root has to be known first
from scripts.progress import Step, print_line  # noqa: E402  # the root has to be known first

_BUILD: Final = """
import sys
from setuptools import setup
from mypyc.build import mypycify
files = sys.argv[2:]
sys.argv[2:] = ["-q"]
setup(name="engine", packages=[], ext_modules=mypycify(["--strict", *files], opt_level="3", debug_level="0"))
"""


def reason_against() -> str | None:
    """Return what this machine lacks for it, or None."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not (shutil.which(compiler) or shutil.which("cc")):
        return "there is no C compiler"
    # Debian packs the headers apart from the interpreter.
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "Python's header files are not installed"
    return None


def lacks_tools() -> bool:
    """Return whether mypyc has to be installed first."""
    return find_spec("mypyc") is None or find_spec("setuptools") is None


def install_tools() -> None:
    """Put mypyc into the virtual environment. Raises CalledProcessError with what was said."""
    command = [*installer(), "-r", str(ROOT / "requirements-compile.txt")]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)


def translate(engine: Path, work: Path) -> Path:
    """Build the extension modules from a copy of this engine, under the name of its folder; return where they are.

    Raises CalledProcessError with what was said.
    """
    # In a copy: setuptools leaves its `build` folder where it runs.
    shutil.copytree(engine, work / engine.name, ignore=shutil.ignore_patterns("_compiled", "__pycache__"))
    files = [f"{engine.name}/{name}.py" for name in MODULES]
    command = [sys.executable, "-c", _BUILD, "build_ext", *files]
    done = subprocess.run(
        command, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout)
    return next((work / "build").glob("lib.*"))


def copy_built(lib: Path, target: Path) -> None:
    """Copy the extension modules, and nothing else, into a new folder."""
    for file in lib.rglob(f"*{SUFFIX}"):
        copy = target / file.relative_to(lib)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)


def store(lib: Path, name: str) -> None:
    """Move what was built to its place, in one step; older translations go."""
    BUILT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILT) as beside:
        copy_built(lib, Path(beside) / "new")
        shutil.rmtree(BUILT / name, ignore_errors=True)
        # Built beside its place on the same file system, then renamed: another process that starts in between finds a
        # whole translation or none.
        (Path(beside) / "new").rename(BUILT / name)
    # Processes that play with an older one have it loaded and keep it.
    for old in BUILT.iterdir():
        if old.name != name:
            shutil.rmtree(old, ignore_errors=True)


def main() -> int:
    """Return 0 whether it was translated or need not or cannot be; 1 if the translation failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--force", action="store_true", help="translate again even if that was done")
    parser.add_argument("--install", action="store_true", help="install what is needed for it")
    options = parser.parse_args()
    name = fingerprint()
    if (BUILT / name).is_dir() and not options.force:
        return 0
    reason = reason_against()
    if reason is None and lacks_tools() and not options.install:
        reason = "mypyc is not installed; --install does that"
    if reason:
        print_line(f"  The engine plays in plain Python: {reason}.")
        return 0
    with Step("Translating the engine to machine code"), tempfile.TemporaryDirectory() as work:
        try:
            if lacks_tools():
                install_tools()
            lib = translate(ROOT / "engine", Path(work))
        except subprocess.CalledProcessError as error:
            print_line(error.stdout.decode(errors="replace")[-3000:])
            return 1
        store(lib, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
