"""A program for test_supervisor: keeps two children alive until it is told to stop.

usage: keeper.py FOLDER
"""

import sys
from pathlib import Path

from scripts.supervisor import Child, Stopped, Supervisor

STEADY = """
import os, pathlib, subprocess, sys, signal
grandchild = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True)
path = pathlib.Path(sys.argv[1])
draft = path.with_suffix(".draft")
draft.write_text(f"{os.getpid()} {grandchild.pid}")
draft.rename(path)
signal.pause()
"""
DEAF = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + STEADY


def main() -> None:
    """Start the children, say so, and stop them when asked."""
    folder = Path(sys.argv[1])
    supervisor = Supervisor(folder, folder)
    try:
        supervisor.start(Child("steady", [sys.executable, "-c", STEADY, str(folder / "steady")]))
        supervisor.start(Child("deaf", [sys.executable, "-c", DEAF, str(folder / "deaf")], wave=1))
        (folder / "started").touch()
        while True:
            supervisor.wait(5)
    except Stopped:
        supervisor.stop(grace_s=0.3)
    (folder / "stopped").touch()


if __name__ == "__main__":
    main()
