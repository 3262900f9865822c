"""Years of birth of the people of an event, for the rule about partners: stored, shown to organisers, deleted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.formats import ages
from tournaments.models import BirthYear, Entry, Tournament

FIRST: Final = 1900


def read_year(text: str) -> int | None:
    """Return a year of birth as it was typed; None for an empty text. Raises TournamentError "entry.bad_birth_year"."""
    found = text.strip()
    if not found:
        return None
    if not (found.isascii() and found.isdecimal() and len(found) == 4):
        raise _refusal(found)
    require_year(int(found))
    return int(found)


def require_year(year: int | None) -> None:
    """Raise TournamentError "entry.bad_birth_year" for a year in which nobody who plays was born."""
    if year is not None and not FIRST <= year <= timezone.now().year:
        raise _refusal(str(year))


def _refusal(text: str) -> TournamentError:
    message = _("“%(text)s” is not a year of birth. Enter four digits, from %(first)s on.")
    shown = {"text": text[:20], "first": FIRST}
    return TournamentError(message % shown, code="entry.bad_birth_year", extra={"field": "born"})


def store_year(entry: Entry, year: int | None) -> None:
    """Store the year of an entry's person; None deletes it."""
    if year is None:
        BirthYear.objects.filter(entry=entry).delete()
    else:
        BirthYear.objects.update_or_create(entry=entry, defaults={"year": year})


def year_of(entry: Entry) -> int | None:
    """Return the year of an entry's person. One query."""
    return BirthYear.objects.filter(entry=entry).values_list("year", flat=True).first()


def years_of(entries: Iterable[Entry]) -> dict[int, int]:
    """Return the years that are known, by the entries' keys. One query."""
    rows = BirthYear.objects.filter(entry__in=[entry.pk for entry in entries])
    return dict(rows.values_list("entry_id", "year"))


@dataclass(frozen=True, slots=True)
class AgeOutlook:
    """What the rule about ages comes to, for organisers. unknown: names of people whose year is not known.

    fewest: pairs of those without a partner that break it at least, where teams have two people. broken: pairs of
    names who are partners and nearer in age.
    """

    gap: int
    unknown: tuple[str, ...]
    fewest: int
    broken: tuple[tuple[str, str], ...]


def age_outlook(event: Tournament, singles: Sequence[Entry], teams: Iterable[Sequence[Entry]]) -> AgeOutlook | None:
    """Return what the rule comes to for these people; None for an event without it. One query.

    singles: people without a partner; teams: the people of each. All with their players.
    """
    if not event.age_gap:
        return None
    sides = [list(team) for team in teams]
    everybody = [*singles, *(person for side in sides for person in side)]
    years = years_of(everybody)
    close = [
        (one.player.name, other.player.name)
        for side in sides
        for one, other in combinations(side, 2)
        if ages.too_close(years.get(one.pk), years.get(other.pk), event.age_gap)
    ]
    unknown = [person.player.name for person in everybody if person.pk not in years]
    fewest = ages.fewest_too_close([years.get(person.pk) for person in singles], event.age_gap)
    return AgeOutlook(event.age_gap, tuple(unknown), fewest, tuple(close))


def require_apart(event: Tournament, people: Sequence[Entry]) -> None:
    """Refuse partners whom people chose themselves, against the rule; somebody of unknown age breaks it with nobody.

    Raises TournamentError "partners.too_close", which names no age.
    """
    years = years_of(people) if event.age_gap else {}
    if event.age_gap and ages.pairs_too_close([years.get(person.pk) for person in people], event.age_gap):
        message = _("Partners have to be at least %(n)s years apart in age here. Choose somebody else.")
        raise TournamentError(message % {"n": event.age_gap}, code="partners.too_close", extra={"years": event.age_gap})
