"""The lock: what a bot's process does to itself before it is sent any source. One file per layer, in this order.

Every failure means: do not play. Nothing here can be configured away.
"""

from __future__ import annotations

from bots.runner.sandbox import capabilities, descriptors, landlock, process_flags, rlimits, seccomp
from bots.runner.sandbox.layer import CHANNEL_FD, Layer, Limits, LockError

__all__ = ["CHANNEL_FD", "LAYERS", "Layer", "Limits", "LockError", "lock", "put_on"]

# The order is a condition: no_new_privs (layer 4) before Landlock and seccomp, which ask for it, and the filter last,
# as it refuses the calls that the other layers make.
LAYERS: tuple[Layer, ...] = (
    descriptors.LAYER,
    rlimits.LAYER,
    capabilities.LAYER,
    process_flags.LAYER,
    landlock.LAYER,
    seccomp.LAYER,
)


def lock(limits: Limits) -> None:
    """Put every layer on this process and see that it holds. Raises LockError naming the layer."""
    for layer in LAYERS:
        put_on(layer, limits)


def put_on(layer: Layer, limits: Limits) -> None:
    """Apply one layer and see that it holds."""
    try:
        layer.apply(limits)
        is_active = layer.is_active(limits)
    except (OSError, ValueError, LockError) as error:
        raise LockError(f"{layer.name}: {error}") from error
    if not is_active:
        raise LockError(f"{layer.name}: applied, but what it forbids still works")
