"""Fork servers whose sandbox is broken in one place, by layer and by part of a layer. For root and ordinary users."""

from __future__ import annotations

from typing import Final

from bots.runner.control import PROGRAM
from bots.runner.sandbox import LAYERS
from bots.runner.zygote import Zygote

NAMES: Final = [layer.name for layer in LAYERS]

# What is done to one layer inside the fork server, before it forks. The fork server wears Landlock itself and its
# children inherit that, so both have to go.
UNAVAILABLE: Final = "def refuse(limits): raise OSError(38, 'Function not implemented')\nchanged = dict(apply=refuse)"
DOES_NOTHING: Final = "changed = dict(apply=lambda limits: None)"
LIES: Final = "changed = dict(apply=lambda limits: None, is_active=lambda limits: True)"
BELIEVES: Final = "changed = dict(is_active=lambda limits: True)"
_NO_LANDLOCK: Final = "sandbox.landlock.restrict = lambda: None"

_LIMIT: Final = """
import resource
every = sandbox.rlimits.wanted
sandbox.rlimits.wanted = lambda limits: {{n: v for n, v in every(limits).items() if n != resource.RLIMIT_{}}}
"""
_FLAG: Final = """
flags = sandbox.process_flags
call = flags.prctl
flags.prctl = lambda option, *rest: 0 if option == {} else call(option, *rest)
"""
_BLOCK: Final = """
every_block = sandbox.seccomp._blocks
allow = sandbox.seccomp.bpf.answer(sandbox.seccomp.bpf.ALLOW)
sandbox.seccomp._blocks = lambda *given: every_block(*given) | {{{!r}: allow}}
"""
PARTS: Final[dict[str, tuple[str, str]]] = {
    **{f"limit {name}": ("rlimits", _LIMIT.format(name)) for name in
       ("AS", "DATA", "STACK", "CPU", "NOFILE", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE")},
    "dies with the fork server": ("process_flags", _FLAG.format("flags._SET_PDEATHSIG and rest")),
    "not dumpable": ("process_flags", _FLAG.format("flags._SET_DUMPABLE")),
    "no file": ("landlock", "sandbox.landlock._FS_BITS = {}; sandbox.landlock._FS_BITS_LATEST = 0"),
    "no TCP": ("landlock", "sandbox.landlock._ABI_NET = 99"),
    "no signal": ("landlock", "sandbox.landlock._ABI_SCOPES = 99"),
    "no standard input": ("descriptors", "sandbox.descriptors._CLOSE_RANGE = 39"),
    "no code": ("seccomp", "b = sandbox.seccomp.bpf; b.without_bits = lambda *_: b.answer(b.ALLOW)"),
    "no read-only memory": ("seccomp", _BLOCK.format("mprotect")),
    "no shared memory": ("seccomp", "b = sandbox.seccomp.bpf; b.only_bits = lambda *_: b.answer(b.ALLOW)"),
    "no stack elsewhere": ("seccomp", "b = sandbox.seccomp.bpf; b.below_address = lambda *_: b.answer(b.ALLOW)"),
    **{f"no sleep by {call}": ("seccomp", f"sandbox.seccomp.ALLOWED += ' {call}'") for call in
       ("nanosleep", "clock_nanosleep")},
    **{f"no waiting by {call}": ("seccomp", _BLOCK.format(call)) for call in
       ("poll", "ppoll", "select", "pselect6", "futex")},
    "no messages out": ("seccomp", "sandbox.seccomp.ALLOWED += ' sendmsg'"),
    "no messages in": ("seccomp", "sandbox.seccomp.ALLOWED += ' recvmsg'"),
    "no other's clock": ("seccomp", "b = sandbox.seccomp.bpf; b.below = lambda *_: b.answer(b.ALLOW)"),
    "no harmful advice": ("seccomp", "b = sandbox.seccomp.bpf; b.one_of = lambda *_: b.answer(b.ALLOW)"),
    "no fork": ("seccomp", "sandbox.seccomp.POLITE = {}; sandbox.seccomp.ALLOWED += ' clone clone3 fork vfork'"),
    "no file by the filter": ("seccomp", "sandbox.seccomp.POLITE = {}; sandbox.seccomp.ALLOWED += ' openat open'"),
    "no socket": ("seccomp", "sandbox.seccomp.ALLOWED += ' socket'"),
    "no pipe": ("seccomp", "sandbox.seccomp.ALLOWED += ' pipe2'"),
    "no signal by the filter": ("seccomp", "sandbox.seccomp.ALLOWED += ' kill'"),
    "death by a forbidden call": ("evidence", "sandbox.seccomp.DEADLY = ''"),
}  # fmt: skip
"""What is missing: (the layer whose probe finds it, how it is taken away)."""


def without(name: str, how: str, *, part: str = "") -> type[Zygote]:
    """A Zygote in whose fork server one layer is broken, or that has a part of it taken away first."""
    breaking = f"""
import dataclasses, sys
root, engine, control, worker, serve = sys.argv[1:]
{PROGRAM.split(";", 2)[2].rpartition("forkserver.main")[0].strip().rstrip(";").replace("; ", chr(10))}
from bots.runner import sandbox
{_NO_LANDLOCK if name == "landlock" and not part else ""}
{part}
{how}
sandbox.LAYERS = tuple(
    dataclasses.replace(layer, **changed) if layer.name == {name!r} else layer for layer in sandbox.LAYERS
)
forkserver.main(int(control), int(worker), serve)
"""

    class Broken(Zygote):
        program = breaking

    return Broken


def without_part(what: str) -> type[Zygote]:
    """A Zygote that lacks one entry of PARTS; the layer's own check is made blind, so that only the probe can see."""
    name, part = PARTS[what]
    return without(name, BELIEVES, part=part)
