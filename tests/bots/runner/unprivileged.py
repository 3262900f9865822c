"""Runs a Python program as an ordinary user, from a root test run or from an ordinary one.

Root steps down to `nobody` and keeps one capability, CAP_DAC_OVERRIDE: the interpreter and the checkout may lie where
only root can read. Everything that the sandbox could need privilege for is gone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
NOBODY = 65534

STEP_DOWN = f"""
import ctypes, os, sys
libc, dac_override = ctypes.CDLL(None, use_errno=True), 1
def checked(result):
    if result != 0: raise OSError(ctypes.get_errno(), "stepping down failed")
checked(libc.prctl(8, 1, 0, 0, 0))  # PR_SET_KEEPCAPS
os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
one = 1 << dac_override
checked(libc.capset(header, (ctypes.c_uint32 * 6)(one, one, one, 0, 0, 0)))
checked(libc.prctl(47, 2, dac_override, 0, 0))  # PR_CAP_AMBIENT_RAISE
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
"""


def run_unprivileged(program: str) -> str:
    """Return what the program prints; it runs in the project's root folder. Raises if it fails."""
    arguments = ["-c", STEP_DOWN, program] if os.geteuid() == 0 else ["-c", program]
    done = subprocess.run(
        [sys.executable, "-B", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
