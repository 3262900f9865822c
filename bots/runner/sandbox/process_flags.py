"""Layer 4: dies with the fork server, cannot be looked into, and no exec can ever raise its rights."""

from __future__ import annotations

import signal

from bots.runner.sandbox.kernel import prctl, prctl_out
from bots.runner.sandbox.layer import Layer, Limits

_SET_PDEATHSIG, _GET_PDEATHSIG = 1, 2
_GET_DUMPABLE, _SET_DUMPABLE = 3, 4
_SET_NO_NEW_PRIVS, _GET_NO_NEW_PRIVS = 38, 39


def die_with_parent() -> None:
    """SIGKILL when the thread that started this process ends (the thread, not only its process)."""
    prctl(_SET_PDEATHSIG, signal.SIGKILL)


def no_new_privileges() -> None:
    """No exec gives more rights than this process has; Landlock and seccomp ask for it."""
    prctl(_SET_NO_NEW_PRIVS, 1)


def apply(_limits: Limits) -> None:
    """Set the three flags."""
    die_with_parent()
    # Not dumpable: nobody of the same user may ptrace it or read its /proc/<pid>/mem, and it leaves no core file.
    prctl(_SET_DUMPABLE, 0)
    no_new_privileges()


def is_active(_limits: Limits) -> bool:
    """The kernel says so."""
    return prctl_out(_GET_PDEATHSIG) == signal.SIGKILL and prctl(_GET_DUMPABLE) == 0 and prctl(_GET_NO_NEW_PRIVS) == 1


LAYER = Layer("process_flags", apply, is_active)
