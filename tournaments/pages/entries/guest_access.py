"""Guest access: what a phone without an account holds in its session, tables by their slips, days by their links.

A link that was renewed or taken away is asked for each time, and takes the tables that were opened by it along; so does
a slip that was renewed.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest

from tournaments.entries.links_query import guest_links, side_of_person
from tournaments.models import EntryLink, Match
from tournaments.scores.renewals import of_slip
from web.rate_limits import mark_of

SLIPS: Final = "slips"
LINKS: Final = "links"
# A session is one row, read for every page: a phone that goes round a hall must not let it grow.
MAX_SLIPS: Final = 40
MAX_LINKS: Final = 20


def network_of_reader(request: HttpRequest) -> str:
    """Return a mark of where a request comes from, without telling it."""
    return mark_of(str(request.META.get("REMOTE_ADDR", "")))


def grant_table(request: HttpRequest, match: str, side: int, link: EntryLink | None = None) -> None:
    """Let the reader act at this table (its uuid) as this side from now on.

    By a link as long as it is open and its person sits there.
    """
    value: list[int | None]
    if link is not None:
        # The key of its row: `granted_side` looks each time whether the link is still open.
        value = [side, link.pk]
    else:
        renewal = of_slip(Match.objects.only("pk").get(uuid=match), side)
        # The number of the slip's renewal: a renewed slip closes what the old one opened.
        value = [side, None, renewal] if renewal else [side]
    _put(request, SLIPS, match, value, MAX_SLIPS)


def grant_link(request: HttpRequest, link: EntryLink) -> None:
    """Let the reader open this day from now on. The session gets a new key: nobody has planted the old one."""
    request.session.cycle_key()
    entry = link.entry
    _put(request, LINKS, str(entry.uuid), [link.pk, entry.tournament.slug, entry.player.name], MAX_LINKS)


def _put(request: HttpRequest, shelf: str, name: str, value: list[Any], most: int) -> None:
    """Store a value in the session, the newest last; the oldest are dropped."""
    accesses = {key: old for key, old in request.session.get(shelf, {}).items() if key != name}
    # Assigned, not changed in place: Django stores a session only when one of its own keys is set.
    request.session[shelf] = {**dict(list(accesses.items())[1 - most :]), name: value}


def granted_side(request: HttpRequest, match: str) -> tuple[int, EntryLink | None] | None:
    """Return the side as which the reader may act at a table, and the link that opened it; None if they may not."""
    access = request.session.get(SLIPS, {}).get(match)
    if access is None:
        return None
    # A session lives for weeks: those from before an update must still open their tables.
    access = access if isinstance(access, list) else [access]  # as sessions of before have it
    if len(access) == 1 or access[1] is None:
        side, renewal = int(access[0]), access[2] if len(access) > 2 else 0
        row = Match.objects.only("pk").filter(uuid=match).first()
        return (side, None) if row is not None and of_slip(row, side) == renewal else None
    link = next(iter(guest_links([access[1]])), None)
    # Where they sit now: since the phone was granted the table somebody else may have taken their place.
    now = side_of_person(match, link.entry) if link is not None else None
    return (now, link) if now is not None else None


def link_of(request: HttpRequest, entry: str) -> tuple[EntryLink | None, bool]:
    """Return the open link of a person's day (the entry's uuid), and whether the reader held one at all."""
    accesses = request.session.get(LINKS, {}).get(entry)
    if accesses is None:
        return None, False
    # The key alone is not believed: the link has to be of this very entry.
    found = [link for link in guest_links([accesses[0]]) if str(link.entry.uuid) == entry]
    return (found[0] if found else None), True


def links_at(request: HttpRequest, slug: str) -> list[EntryLink]:
    """Return the open links of an event that the reader holds. One query, none without links of it."""
    accesses = request.session.get(LINKS, {})
    return [link for link in guest_links([pk for pk, of, _name in accesses.values() if of == slug])
            if link.entry.tournament.slug == slug]  # fmt: skip


def days_at(request: HttpRequest, slug: str) -> list[tuple[str, str]]:
    """Return the days of an event that the reader held a link of: (uuid of the entry, name). Without a query of its
    own.
    """
    accesses = request.session.get(LINKS, {})
    return [(entry, name) for entry, (_pk, of, name) in accesses.items() if of == slug]


def granted_slugs(request: HttpRequest) -> dict[str, str]:
    """Return by entry's uuid the name of every open link that the reader holds: "Aiko, Thursday club". One query."""
    accesses = request.session.get(LINKS, {})
    links = guest_links([value[0] for value in accesses.values()])
    return {str(link.entry.uuid): f"{link.entry.player.name}, {link.entry.tournament.name}" for link in links}


def is_guest(request: HttpRequest, slug: str) -> bool:
    """Return whether the reader plays in this event: they hold an open link of it, or a slip of one of its tables."""
    accesses = request.session.get(LINKS, {})
    pks = [value[0] for value in accesses.values() if value[1] == slug]
    if any(link.entry.tournament.slug == slug for link in guest_links(pks)):
        return True
    slips = request.session.get(SLIPS, {}).items()
    tables = [
        match for match, by in slips if not isinstance(by, list) or len(by) == 1 or by[1] is None
    ]  # links were asked for above
    here = Match.objects.filter(uuid__in=tables, stage__tournament__slug=slug) if tables else ()
    # Asked one by one: a slip that was renewed opens nothing any more, so neither does it show the event.
    return any(granted_side(request, str(row.uuid)) is not None for row in here)
