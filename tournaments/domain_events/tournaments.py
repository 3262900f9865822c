"""Domain events of tournaments: their states, roles, announcements, ratings and rehearsals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from activity.domain_events import (
    ABSENT,
    DomainEvent,
    Effect,
    Notification,
    Readers,
    WebhookMessage,
    domain_event,
)
from tournaments.domain_events.transitions import Transitioned
from tournaments.domain_events.webhook_types import LADDER_ENDED


@domain_event
class TournamentCreated(DomainEvent):
    topic = "tournament.create"
    words = _("created the draft")


@domain_event
class TournamentImported(DomainEvent):
    topic = "tournament.import"
    words = _("imported the event from a file")


@domain_event
class TournamentPublished(Transitioned):
    topic = "tournament.publish"
    words = _("announced the event")
    notification = Notification(Readers.ORGANISER, "announced", _("%(event)s is announced."))


@domain_event
class RegistrationOpened(Transitioned):
    topic = "tournament.open_registration"
    words = _("opened entries and committed to the randomness of all decks")
    notification = Notification(Readers.EVENT, "opened", _("Entries of %(event)s are open."))


@domain_event
class TournamentEdited(DomainEvent):
    topic = "tournament.edit"
    words = _("changed the description")
    changed: Sequence[str]


@domain_event
class PlanChanged(DomainEvent):
    """The set-up was changed. changed: names of fields, as the API calls them."""

    topic = "tournament.plan"
    words = _("changed the set-up:")
    changed: Sequence[str]


@domain_event
class PresenceChosen(DomainEvent):
    topic = "tournament.presence"
    words = _("changed the rules on byes, late arrivals and no-shows")
    changed: Sequence[str]


@domain_event
class HallTablesChosen(DomainEvent):
    topic = "tournament.tables"
    words = _("set how many tables there are")
    effect = Effect.NONE

    tables: int
    calls_alone: bool


@domain_event
class TimeZoneChosen(DomainEvent):
    topic = "tournament.zone"
    words = _("chose the time zone")
    zone: str


@domain_event
class TournamentStarted(Transitioned):
    topic = "tournament.start"
    words = _("started the event: entries closed, rounds drawn")
    updates_standings = True
    notification = Notification(Readers.EVENT, "started", _("%(event)s has begun."))


@domain_event
class TournamentPaused(Transitioned):
    topic = "tournament.pause"
    words = _("paused the event")


@domain_event
class TournamentResumed(Transitioned):
    topic = "tournament.resume"
    words = _("resumed the event")
    updates_standings = True


@domain_event
class TournamentFinished(Transitioned):
    topic = "tournament.finish"
    words = _("closed the event: the standings are final")
    effect = Effect.NONE
    notification = Notification(Readers.PLACES, "finished")

    standings: str = ABSENT


@domain_event
class TournamentCancelled(Transitioned):
    topic = "tournament.cancel"
    words = _("cancelled the event")
    updates_standings = True
    notification = Notification(Readers.EVENT, "cancelled")


@domain_event
class TournamentArchived(Transitioned):
    topic = "tournament.archive"
    words = _("archived it")


@domain_event
class ConstraintsChanged(DomainEvent):
    topic = "tournament.wishes"
    words = _("changed the pairing constraints")
    about: str


@domain_event
class RatedChosen(DomainEvent):
    topic = "tournament.rate_event"
    words = _("set whether results count for ratings")
    rated: bool


@domain_event
class StandingsSignedAgain(DomainEvent):
    topic = "tournament.sign_again"
    words = _("confirmed the final standings again after a correction:")


@domain_event
class UndoNoteWritten(DomainEvent):
    topic = "organiser.act"
    words = _("saved what can be undone:")


@domain_event
class RoleGiven(DomainEvent):
    topic = "role.give"
    words = _("gave a role")
    user: str
    role: str


@domain_event
class RoleTaken(DomainEvent):
    topic = "role.take"
    words = _("removed a role")
    user: str
    role: str


@domain_event
class AnnouncementMade(DomainEvent):
    topic = "announcement.make"
    words = _("announced:")
    notification = Notification(Readers.SAID, "said")

    n: int
    text: str


@domain_event
class AnnouncementWithdrawn(DomainEvent):
    topic = "announcement.withdraw"
    words = _("withdrew the announcement:")
    n: int
    text: str


@domain_event
class RehearsalChanged(DomainEvent):
    topic = "rehearsal.change"
    runs: int = ABSENT


@domain_event
class RatingsChanged(DomainEvent):
    topic = "rating.change"


@domain_event
class LadderOpened(DomainEvent):
    topic = "ladder.open"
    words = _("opened an official ladder")


@domain_event
class LadderSeasonEnded(DomainEvent):
    """The table of an official ladder is final. outcome: of `LadderSeason`; medals: {"bot": slug, "place": 1}, ..."""

    topic = "ladder.season_end"
    words = _("ended the season of the ladder and gave its medals")
    effect = Effect.NONE
    notification = Notification(Readers.MEDALS, "medal")
    webhook_types = (LADDER_ENDED,)

    outcome: str
    medals: Sequence[Mapping[str, object]]

    def webhooks(self) -> Iterable[WebhookMessage]:
        medals = [dict(medal) for medal in self.medals]
        return [WebhookMessage(LADDER_ENDED, {"channel": self.channel, "fields": {**self.payload(), "medals": medals}})]


@domain_event
class LadderEnded(DomainEvent):
    topic = "ladder.end"
    words = _("ended the ladder")
