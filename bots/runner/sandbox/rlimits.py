"""Layer 2: resource limits, soft = hard. With one process, no files and no shared memory, DATA bounds its memory.

AS alone does not: a bot can unmap libraries that it does without and have as much memory more in their place. What
counts for no limit on data (shared mappings, stacks, memory made read-only) the filter refuses, and the one stack has a
limit of its own.

Equal CPU limits make the kernel send SIGKILL, not the SIGXCPU that a bot could catch. The worker's own clock comes
first; this one ends a bot whose worker is stuck.
"""

from __future__ import annotations

import resource

from bots.runner.sandbox.layer import Layer, Limits

_DESCRIPTORS = 16
_STACK = 8 << 20  # bytes: what Linux gives everybody


def wanted(limits: Limits) -> dict[int, int]:
    """The value of every limit that is set, by its RLIMIT number."""
    return {
        resource.RLIMIT_AS: limits.address_space,
        resource.RLIMIT_DATA: limits.data,
        resource.RLIMIT_STACK: _stack(),
        # Counted from the fork, in whole seconds: a net below the worker's own clock, which reads nanoseconds.
        resource.RLIMIT_CPU: limits.cpu_s,
        # The bot has three. No call that the filter allows opens another one: this is a second wall.
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_FSIZE: limits.log_size,
        resource.RLIMIT_CORE: 0,
        # Locked pages cannot be swapped out, and message queues are kernel memory: neither counts for the limits above.
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }


def _stack() -> int:
    """Return what is wanted, or less where the machine gives less."""
    given = resource.getrlimit(resource.RLIMIT_STACK)
    return min([_STACK, *(value for value in given if value != resource.RLIM_INFINITY)])


def apply(limits: Limits) -> None:
    """Set them all."""
    for number, value in wanted(limits).items():
        resource.setrlimit(number, (value, value))


def is_active(limits: Limits) -> bool:
    """The kernel says the same numbers."""
    return all(resource.getrlimit(number) == (value, value) for number, value in wanted(limits).items())


LAYER = Layer("rlimits", apply, is_active)
