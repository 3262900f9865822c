"""The place where bots run: the sandbox of the service, or, UNSAFE and only where there is none, this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bots.errors import InfraFault
from bots.runner.inprocess import UnsafeInProcessLauncher
from bots.runner.player import Launcher
from kit.errors import BadCall, Unwell

if TYPE_CHECKING:
    from bots.runner.zygote import Zygote

BANNER: Final = (
    "UNSAFE: no sandbox. These bots run as you do: they can read and delete your files and use your network, and no "
    "clock and no memory limit holds. For your own code only."
)
_REFUSED: Final = (
    "There is no sandbox on this machine ({reason}). It needs Linux 5.13 or newer with Landlock and seccomp, on x86-64 "
    "or aarch64. To play your own code without one: --unsafe."
)
_NOT_NEEDED: Final = "--unsafe is for machines without a sandbox, and here it works: leave it away."


@contextmanager
def launcher(*, unsafe: bool = False) -> Iterator[Launcher]:
    """The sandbox, tried as a worker of the service tries its own; in the main thread only.

    unsafe: asked for the mode without. Raises Unwell if there is no sandbox and none was asked for, BadCall if there is
    one all the same.
    """
    zygote, reason = _try()
    if zygote is not None:
        with zygote:
            if unsafe:
                # Decision 51: a mode without protection that always works becomes a habit.
                raise BadCall(_NOT_NEEDED, code="kit.unsafe_not_needed")
            yield zygote
        return
    if not unsafe:
        raise Unwell(_REFUSED.format(reason=reason), code="kit.no_sandbox")
    yield UnsafeInProcessLauncher()


def start_again(*, unsafe: bool) -> Launcher:
    """The same in another process, once `launcher` has found what this machine can do."""
    if unsafe:
        return UnsafeInProcessLauncher()
    from bots.runner.zygote import Zygote  # Linux only: elsewhere its parts of the standard library are missing

    return Zygote.start()


def _try() -> tuple[Zygote | None, str]:
    """The fork server, or why there is none."""
    if sys.platform != "linux":
        return None, f"this is {sys.platform}"
    from bots.runner.probe import run_probe  # as in start_again
    from bots.runner.zygote import Zygote

    try:
        zygote = Zygote.start()
    except InfraFault as fault:
        return None, str(fault)
    # A fork server that starts is not yet a sandbox that holds: the probe tries what it must forbid.
    report = run_probe(zygote)
    if report.ok:
        return zygote, ""
    zygote.close()
    return None, report.reason
