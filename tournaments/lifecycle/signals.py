"""Signals from lower capabilities to higher ones, in the same process and the same transaction."""

from typing import Final

from django.dispatch import Signal

# Results of an event changed at a table of people, where nobody waits for a worker. channel: of the event.
results_changed: Final = Signal()
# A transaction that changed results was rolled back. stages: UUIDs of the event's stages.
act_abandoned: Final = Signal()
# An event takes more entries than before. event: the locked row; by: the organiser.
room_made: Final = Signal()
# A match of people has another state, in the transaction that gives it. match: the row, before it is refreshed; state:
# the new one.
match_moved: Final = Signal()
# A remote program is to be entered. bot: it; stages: of the event. A receiver refuses it by raising DomainError.
program_enters: Final = Signal()
# An event is paused, or goes on again, in the transaction that does it. event: the row; later, of a pause: takes domain
# events that are to be published.
event_paused: Final = Signal()
event_resumed: Final = Signal()
