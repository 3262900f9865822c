"""Files of an event: JSON, FIDE reports, tables, calendars. The caller has checked who may have them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.interchange import ical, trf
from core.interchange.documents import tables as event_tables
from core.interchange.documents.copies import other as other_id
from core.interchange.errors import refusal
from core.interchange.tables import Cell, write_table
from tournaments.interchange.calendars import AddressOf, appointments_of, tables_of
from tournaments.interchange.export import document_of, event_json
from tournaments.interchange.reports import trf_of
from tournaments.models import Match, Tournament
from tournaments.ranking.event_ranking import ranking_of
from tournaments.standings import queries as standings

# Files of larger events are made by `manage.py export_event`.
MAX_MATCHES: Final = 3_000
CSV: Final = "text/csv; charset=utf-8"
ICAL: Final = "text/calendar; charset=utf-8"
TRF: Final = "text/plain; charset=iso-8859-1"
STANDINGS: Final = "standings.csv"
# Of the query `stage`: the ranking of the whole event.
WHOLE: Final = "all"
RANK_COLUMNS: Final = ("rank", "name", "stage", "stage_name", "group", "place", "entry", "shared", "status", "club")
# By file: what to read of the event, the function that writes it, and the names that the query may have.
TABLES: Final[dict[str, tuple[dict[str, bool], Callable[..., bytes], dict[str, str]]]] = {
    "entries.csv": ({"matches": False}, event_tables.entries_csv, {}),
    "pairings.csv": ({}, event_tables.pairings_csv, {"round": "number"}),
    "matches.csv": ({}, event_tables.matches_csv, {}),
    "deals.csv": ({"records": True}, event_tables.deals_csv, {}),
    STANDINGS: ({"matches": False}, event_tables.standings_csv, {"stage": "stage", "round": "after_round"}),
}


CROSSTABLE: Final = "crosstable.csv"
CROSS_COLUMNS: Final = (
    *("group", "name", "against", "met", "above", "level", "below", "share", "entry", "against_entry", "remarks"),
)
MAX_ACROSS: Final = 200


class File(NamedTuple):
    """A file: content, media type, name."""

    content: bytes
    kind: str
    name: str


class NoSuchFile(TournamentError):
    """Refusal: there is no such file, or not with this query."""

    code = "file.unknown"


def options_of(query: Mapping[str, str]) -> str:
    """Return the part of a query that any file depends on. Unknown names make no other file."""
    # Cut: the text is part of a key under which the file is stored, and comes from anybody.
    options = {name: query[name][:20] for name in ("stage", "round") if name in query}
    return json.dumps({**options, "bom": bool(query.get("bom"))})


def event_file(event: Tournament, what: str, query: Mapping[str, str]) -> File:
    """Return `event.json`, or a table with its query (round, stage, bom).

    Raises NoSuchFile, and InterchangeError "event.too_large", "csv.no_table".
    """
    if what == CROSSTABLE:
        return crosstable_file(event, query)
    if what == STANDINGS and query.get("stage") == WHOLE:
        return ranking_file(event, query)
    if what != "event.json" and what not in TABLES:
        raise NoSuchFile(_("There is no such file. The event's page lists the available files."))
    if Match.objects.filter(stage__tournament=event).count() > MAX_MATCHES:
        message = "The event has more than %(most)s matches. An operator of the service can export it by command."
        raise refusal("event.too_large", message, most=MAX_MATCHES, where="")
    if what == "event.json":
        return File(event_json(event), "application/json", f"{event.slug}.json")
    parts, write, named = TABLES[what]
    asked = {name: _number(query, key) for key, name in named.items() if key in query}
    suffix = "".join(f"-{key}-{asked[name]}" for key, name in named.items() if name in asked)
    content = write(document_of(event, **parts), bom=bool(query.get("bom")), **asked)
    return File(content, CSV, f"{event.slug}-{what.removesuffix('.csv')}{suffix}.csv")


def crosstable_file(event: Tournament, query: Mapping[str, str]) -> File:
    """Return who finished above whom in a stage (`stage`, 1 where it is not said): a line for every two who met.

    Of the first two hundred of the standings. The last column has the remarks on the first of the two as codes with
    their rounds (`standings.remarks`): "bye:1 requested_bye:3 left:5", 0 where no round is known. Raises NoSuchFile.
    """
    order = _number({"stage": "1", **query}, "stage")
    stage = event.stages.select_related("tournament", "ruleset").filter(order=order).first()
    if stage is None or stage.format.ranks_by_rating:
        raise NoSuchFile(_("The event has no such stage."))
    rows = standings.rows_of(stage, limit=MAX_ACROSS)
    parts = standings.cross_parts(stage, rows)
    content = write_table(CROSS_COLUMNS, _crossed(parts), bom=bool(query.get("bom")))
    return File(content, CSV, f"{event.slug}-crosstable-stage-{order}.csv")


def ranking_file(event: Tournament, query: Mapping[str, str]) -> File:
    """Return how far everybody came in the whole event: rank, the last stage and the place in it. Raises NoSuchFile."""
    if "round" in query:
        raise NoSuchFile(
            _("The ranking of the whole event is as it is now. Choose a stage to see the ranking after a round.")
        )
    rows = (
        (
            line.rank,
            line.entry.player.name,
            line.stage.order,
            line.stage.name,
            line.group,
            line.place,
            str(line.entry.uuid),
            int(line.shared),
            str(line.departure),
            line.entry.player.club,
        )
        for line in ranking_of(event).lines
    )
    content = write_table(RANK_COLUMNS, rows, bom=bool(query.get("bom")))
    return File(content, CSV, f"{event.slug}-standings-all.csv")


def _crossed(parts: Sequence[tuple[str, Sequence[standings.CrossRow]]]) -> Iterator[tuple[Cell, ...]]:
    for group, rows in parts:
        for row in rows:
            remarks = " ".join(f"{each.kind}:{number}" for each in row.remarks for number in each.rounds or (0,))
            has_met = False
            for other, (cell, name) in zip(rows, row.cells, strict=True):
                if cell is not None and cell.met:
                    has_met = True
                    figures = (cell.met, cell.above, cell.level, cell.below, cell.share)
                    ids = (str(row.entry.uuid), str(other.entry.uuid))
                    yield group, row.entry.player.name, name, *figures, *ids, remarks
            if remarks and not has_met:  # nobody is forgotten who sat at no table so far
                yield group, row.entry.player.name, "", 0, 0, 0, 0, 0, str(row.entry.uuid), "", remarks


def _number(query: Mapping[str, str], name: str) -> int:
    text = query[name]
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise NoSuchFile(_("“%(name)s” must be a whole number.") % {"name": name})
    return int(text)


def report_file(event: Tournament, query: Mapping[str, str]) -> File:
    """Return a two-seat stage (`stage`, 1 where it is not said) as a FIDE report up to `round`.

    Raises NoSuchFile, and TournamentError "trf.*".
    """
    order = _number({"stage": "1", **query}, "stage")
    stage = event.stages.select_related("tournament", "ruleset").filter(order=order).first()
    if stage is None:
        raise NoSuchFile(_("The event has no such stage."))
    content = trf.encode(trf_of(stage, up_to=_number({"round": "0", **query}, "round")))
    return File(content, TRF, f"{event.slug}-{order}.trf")


def calendar_file(event: Tournament, address_of: AddressOf) -> File:
    """Return the times of one event. address_of: the whole address of an event's page."""
    uid = f"{other_id(event.uuid, event.copy_mask)}-calendar@hanami"
    content = ical.calendar(uid, event.name, appointments_of([event], address_of), zone=event.time_zone)
    return File(content, ICAL, f"{event.slug}.ics")


def own_calendar_file(
    uid: str,
    events: Sequence[Tournament],
    tables: QuerySet[Match],
    address_of: Callable[[Tournament | Match], str],
) -> File:
    """Return the times of many events and tables in one calendar."""
    found = [*appointments_of(events, address_of), *tables_of(tables, address_of)]
    return File(ical.calendar(f"{uid}@hanami", "Hanami", found), ICAL, "hanami.ics")
