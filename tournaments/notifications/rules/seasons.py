"""Rules about events of seasons: what waits for an event's organisers, and their answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.models import Role, Season, SeasonEvent, SeasonRole, Tournament
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, source_of
from tournaments.notifications.tables import By


def asked(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a season that asks to count an event to the event's organisers; nothing once that is over."""
    waiting = SeasonEvent.objects.select_related("season", "tournament").filter(state=SeasonEvent.State.ASKED)
    found = waiting.filter(season__slug=_slug_of(row), tournament__slug=row.payload["event"]).first()
    if found is not None:
        roles = Role.objects.filter(tournament=found.tournament, role__in=ORGANISERS)
        yield _about(row, found.season, found.tournament, roles.values_list("user", flat=True))


def answered(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the answer of an event's organiser to those who run the season."""
    event = Tournament.objects.filter(slug=row.payload["event"]).first()
    season = Season.objects.filter(slug=_slug_of(row)).first()
    if event is not None and season is not None:
        roles = SeasonRole.objects.filter(season=season)
        yield _about(row, season, event, roles.values_list("user", flat=True))


def _slug_of(row: News) -> str:
    return row.channel.removeprefix("s:")


def _about(row: News, season: Season, event: Tournament, users: Iterable[int]) -> NotifiableEvent:
    facts = {"season": season.slug, "name": season.name}
    readers = dict.fromkeys(users, By("own"))
    what = row.notification.what
    return NotifiableEvent(source_of(row), KIND.SEASON, what, row.created_at, readers, event, facts=facts)
