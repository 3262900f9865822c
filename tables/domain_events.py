"""Domain events of live tables: open pages and streams hear of them, and people of their turn.

Pages by the channel of the match that the table becomes, remote programs by their own, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from activity.domain_events import DomainEvent, Effect, Notification, Readers, domain_event


@domain_event
class TableChanged(DomainEvent):
    """Something at a table is new. Pages fetch what they may see: nothing of it stands here."""

    topic = "live_table.changed"
    effect = Effect.NONE

    state: str


@domain_event
class ProgramStated(DomainEvent):
    """What a remote program plays, and with whom, was changed by its owner."""

    topic = "live_program.state"
    words = _("changed what the program plays")
    effect = Effect.NONE


@domain_event
class ProgramNews(DomainEvent):
    """A challenge to a remote program, or a table of it, is new or over: its stream looks what it is."""

    topic = "live_program.news"
    effect = Effect.NONE


@domain_event
class TurnWaits(DomainEvent):
    """Somebody is to move, who may take days. user: the key of the account; match: of an event, "" elsewhere.

    Nothing of the cards stands here. It has a channel of its own ("d:<uuid>"): readers of the table hear of its moves.
    """

    topic = "live_table.turn"
    effect = Effect.NONE
    notification = Notification(Readers.TURN, "turn")

    user: int
    table: str
    preset: str
    names: Sequence[str]
    match: str
    reminder: bool
