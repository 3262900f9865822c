"""The virtual environment: made, filled and kept in step with the requirements files.

Standard library only, and understood by an old Python too, so that it can say that it is too old.

usage: python3 scripts/bootstrap.py [--dev]
"""

from __future__ import annotations  # an old Python has to get as far as saying that it is old

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.progress import Step, print_line  # noqa: E402  # the project's root has to be known first

OLDEST: Final = (3, 11)
VENV: Final = ROOT / ".venv"
PYTHON: Final = VENV / "bin" / "python"


class CannotInstall(SystemExit):
    """The environment cannot be made here; the message says what to type."""


def sufficient_python() -> str:
    """Return this interpreter if it is new enough, else a newer one on PATH. Raises CannotInstall."""
    if sys.version_info >= OLDEST:
        return sys.executable
    for minor in (13, 12, 11):
        if found := shutil.which(f"python3.{minor}"):
            return found
    raise CannotInstall(
        f"Hanami needs Python {'.'.join(map(str, OLDEST))} or newer, this is {sys.version.split()[0]}. "
        "Install one (Debian, Ubuntu: apt-get install python3.11 python3.11-venv) and try again."
    )


def as_administrator(command: Sequence[str]) -> list[str] | None:
    """Return the command as root runs it, or None where we may not become root without a password."""
    if os.getuid() == 0:
        return list(command)
    sudo = shutil.which("sudo")
    # -n: nobody may sit at this terminal, and a question for a password would wait for ever.
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n", *command]
    return None


def install_system_packages(packages: Sequence[str], what_for: str) -> bool:
    """Install the packages with apt-get if we may. False: they are not installed; the caller says what to type."""
    apt = shutil.which("apt-get")
    update = as_administrator([apt, "update", "-q"]) if apt else None
    install = as_administrator([apt, "install", "-y", "-q", "--no-install-recommends", *packages]) if apt else None
    if not update or not install:
        return False
    # Nobody may sit at this terminal: a package that asks something takes its own answer.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with Step(f"Installing {' '.join(packages)} ({what_for})") as step:
        for step.now, command in (("reading the lists of packages", update), ("installing", install)):
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
    if done.returncode != 0:
        print_line(done.stdout.decode(errors="replace")[-2000:])
    return done.returncode == 0


def make_venv(python: str) -> None:
    """Create .venv; where Debian splits `venv` off, install that part first."""
    # What is there without a Python is the rest of a start that was broken off; below it is removed.
    if PYTHON.exists():
        return
    shutil.rmtree(VENV, ignore_errors=True)
    uv = shutil.which("uv")
    if uv and subprocess.run([uv, "venv", "-q", "--python", python, str(VENV)], check=False).returncode == 0:
        return
    with Step("Creating the virtual environment"):
        done = _venv(python)
        if done.returncode != 0 and install_system_packages(["python3-venv"], "virtual environments"):
            done = _venv(python)
    if done.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        raise CannotInstall(
            f"{done.stdout.decode(errors='replace')}\nNo virtual environment could be made. "
            "Debian, Ubuntu: sudo apt-get install python3-venv; then try again."
        )


def _venv(python: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [python, "-m", "venv", str(VENV)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def wanted(*, dev: bool) -> tuple[Path, str]:
    """Return the requirements file to install and the hash of all it says."""
    names = ["requirements.txt", *(("requirements-data.txt", "requirements-dev.txt") if dev else ())]
    content = b"".join((ROOT / name).read_bytes() for name in names)
    return ROOT / names[-1], hashlib.sha256(content).hexdigest()


def installer() -> list[str]:
    """Return the command that installs: uv where there is one, else the environment's own pip."""
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--python", str(PYTHON)]
    return [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]


def _stamp(requirements: Path) -> Path:
    return VENV / f"installed-{requirements.stem}"


def _is_installed(requirements: Path, digest: str) -> bool:
    stamp = _stamp(requirements)
    return stamp.exists() and stamp.read_text(encoding="ascii") == digest


def install(requirements: Path) -> None:
    """Install the pinned requirements with visible progress."""
    total = requirements.read_text(encoding="utf-8").count("==")
    tail: list[str] = []
    with Step(f"Installing the libraries of {requirements.name}") as step:
        process = subprocess.Popen(
            [*installer(), "-r", str(requirements)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        assert process.stdout is not None
        seen = 0
        for line in process.stdout:
            tail = [*tail[-30:], line]
            if line.startswith("Collecting "):
                seen += 1
                step.now = f"{seen} of about {total}: {line.split()[1].partition('==')[0]}"
            elif line.startswith("Installing collected"):
                step.now = "unpacking"
        code = process.wait()
    if code != 0:
        raise CannotInstall("".join(tail) + "\nThe libraries could not be installed; the lines above say why.")


def know_the_checkout() -> None:
    """Let the environment import the project from anywhere, as an editable install would."""
    for packages in VENV.glob("lib/python3*/site-packages"):
        # Relative: the checkout may be moved as a whole. Four levels up from .venv/lib/python3.x/site-packages.
        (packages / "hanami-checkout.pth").write_text("../../../..\n", encoding="ascii")


def prepare(*, dev: bool = False) -> Path:
    """Make the environment what the requirements say; returns its Python. Two at once wait for each other."""
    with (ROOT / ".venv.lock").open("w", encoding="ascii") as lock:
        try:
            # First without waiting, so that the one who has to wait is told why.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with Step("Waiting for another start to finish installing"):
                fcntl.flock(lock, fcntl.LOCK_EX)
        make_venv(sufficient_python())
        requirements, digest = wanted(dev=dev)
        if not _is_installed(requirements, digest):
            install(requirements)
            # Only after the installer has ended well: a broken-off installation is begun again at the next start.
            _stamp(requirements).write_text(digest, encoding="ascii")
            if dev:  # the test tools come on top of the runtime: `make run` has nothing left to do
                runtime, digest = wanted(dev=False)
                _stamp(runtime).write_text(digest, encoding="ascii")
        know_the_checkout()
    return PYTHON


def hand_over(module: str, arguments: Sequence[str], *, dev: bool = False) -> None:
    """Prepare the environment and become `python -m module` in it; does not return."""
    python = prepare(dev=dev)
    os.chdir(ROOT)
    # exec drops what Python still holds in its buffer.
    sys.stdout.flush()
    os.execv(python, [str(python), "-m", module, *arguments])


if __name__ == "__main__":
    prepare(dev="--dev" in sys.argv[1:])
