"""What lower capabilities let higher ones know, in the same process and the same transaction."""

from typing import Final

from django.dispatch import Signal

results_changed: Final = Signal()
"""Results of an event changed at a table of people: nobody waits there for a worker. channel: of the event."""
act_abandoned: Final = Signal()
"""A transaction that changed results came to nothing. stages: UUIDs of the event's stages."""
