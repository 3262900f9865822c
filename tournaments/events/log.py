"""The log of a tournament: who did what, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.phrasing import listed
from bots.models import AuditEvent
from bots.selectors.faults import words_for
from tournaments.events.log_words import ACT_WORDS
from tournaments.lifecycle.time_limits import clock_from, clock_line
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, Tournament
from tournaments.scores.tables import Table, tables_of


def feed_of(event: Tournament) -> QuerySet[AuditEvent]:
    """The acts that a tournament's readers may see, newest first."""
    return AuditEvent.objects.filter(channel=event.channel).select_related("actor").order_by("-id")


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One act. what: in words; about: the entry or reason it names; match: the id of the match it is about."""

    act: AuditEvent
    what: str
    about: str

    @property
    def match(self) -> str:
        """Of acts on or after a match: its id, for a link."""
        kind, _, uuid = self.act.subject.partition(":")
        return uuid if kind == "match" else str(self.act.after.get("match", ""))


def feed_lines(acts: Sequence[AuditEvent]) -> list[FeedLine]:
    """The acts in words. Three queries, for the names of the entries and tables they are about."""
    uuids = {act.subject.removeprefix("entry:") for act in acts if act.subject.startswith("entry:")}
    uuids |= {uuid for act in acts for uuid in act.after.get("by_lots", ())}
    rows = Entry.objects.filter(uuid__in=uuids).values_list("uuid", "player__name")
    names = {f"entry:{uuid}": name for uuid, name in rows}
    lines = [FeedLine(act, verb_words(act), listed(_about(act, names))) for act in acts]
    tables = tables_named([line.match for line in lines])
    return [replace(line, about=listed(filter(None, (_table(line, tables), line.about)))) for line in lines]


def tables_named(uuids: Sequence[str]) -> dict[str, Table]:
    """Matches by their id, with who sits there and where. Two queries, or none."""
    wanted = [uuid for uuid in uuids if uuid]
    if not wanted:
        return {}
    rows = Match.objects.filter(uuid__in=wanted).select_related("round", "stage").defer("round__plan")
    return {str(table.match.uuid): table for table in tables_of(rows.prefetch_related(seats_named()))}


def table_words(table: Table | None) -> str:
    """Which table it is: "round 2, table 5"; "" for a match without a number."""
    if table is None or table.match.round is None or table.match.table_no is None:
        return ""
    return gettext("round %(n)s, table %(table)s") % {"n": table.match.round.number, "table": table.match.table_no}


def _table(line: FeedLine, tables: Mapping[str, Table]) -> str:
    """The table that an act is about, and the result that it gave."""
    table = tables.get(line.match)
    return listed(filter(None, (table_words(table), result_words(table, line.act.after.get("score")))))


def result_words(table: Table | None, score: object) -> str:
    """A result with its names: "Aiko 130 – Ben 110"; "" where there is none."""
    if table is None or not isinstance(score, list) or len(score) != len(table.sides):
        return ""
    return " – ".join(f"{side.name} {points}" for side, points in zip(table.sides, score, strict=True))


def verb_words(act: AuditEvent) -> str:
    """What was done, in words; an act without words of its own stands as its verb."""
    return str(ACT_WORDS.get(act.verb, act.verb.replace(".", " ").replace("_", " ")))


def _about(act: AuditEvent, names: dict[str, str]) -> list[str]:
    clock = clock_line(clock_from(act.after)) if act.verb == "stage.clock" else ""
    code = words_for(str(act.after.get("code", ""))) if act.verb == "match.quarantine" else ""
    parts = [
        names.get(act.subject, ""),
        "" if act.subject.startswith("match:") else act.after.get("version", ""),
        _units(act.after["units"]) if act.verb.startswith("adjustment.") else "",
        act.after.get("reason", ""),
        act.after.get("text", ""),
        act.after.get("zone", ""),
        clock,
        code,
    ]
    return [str(part) for part in (*parts, *_of_stage(act, names), *_of_teams(act, names)) if part]


def _units(text: str) -> str:
    """Exact units with their sign, a true minus."""
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else f"+{text}"


def _of_teams(act: AuditEvent, names: dict[str, str]) -> list[str]:
    """Of a team its name, also once it is gone, and who came for whom; of a draw of partners what came of it."""
    if act.verb == "team.substitute":
        return [gettext("%(substitute)s plays for %(member)s from round %(round)s on") % act.after]
    if act.verb == "team.lineup":
        return [gettext("from round %(round)s on") % act.after]
    if act.verb == "team.part":
        return [gettext("%(member)s, from round %(round)s on") % act.after]
    if act.verb.startswith("team."):
        return [] if names.get(act.subject) else [act.after["name"]]
    if not act.verb.startswith("partners."):
        return []
    said = [gettext("draw %(number)s, %(teams)s teams") % act.after]
    left = listed(act.after["left"])
    return [*said, gettext("without a partner: %(names)s") % {"names": left}] if left else said


def _of_stage(act: AuditEvent, names: dict[str, str]) -> list[str]:
    """Of a stage that follows another: which one, how many went on, and for whom lots decided."""
    if act.verb in ("stage.keep", "stage.void"):
        return [act.after["name"] or gettext("stage %(n)s") % {"n": act.after["stage"]}]
    if act.verb == "stage.new_secret":
        return [act.after["commitment"]]
    if act.verb != "stage.seed" or "stage" not in act.after:
        return []
    shown = {"n": act.after["stage"], "entries": act.after["entries"]}
    lots = [names.get(f"entry:{uuid}", "?") for uuid in act.after["by_lots"]]
    said = [gettext("stage %(n)s, %(entries)s go on") % shown]
    return [*said, gettext("lots decided for %(names)s") % {"names": listed(lots)}] if lots else said
