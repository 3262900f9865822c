"""The log of a tournament: acts with their actors, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext

from accounts.phrasing import listed
from activity.domain_events import class_of
from bots.models import AuditEvent
from bots.templatetags.hanami import amount
from tournaments.domain_events.entries import EntryCorrected
from tournaments.domain_events.matches import MatchConfirmed
from tournaments.domain_events.stages import AdjustmentWritten, StageClockChosen
from tournaments.domain_events.tournaments import PlanChanged
from tournaments.lifecycle.field_words import label_of
from tournaments.lifecycle.time_limits import clock_from, clock_line
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, Stage, Tournament
from tournaments.scores.tables import Table, tables_of

RESULTS: Final = frozenset({MatchConfirmed.topic})
"""Acts by which a result counts, and of which a line says who won."""


def feed_of(event: Tournament) -> QuerySet[AuditEvent]:
    """Return the acts that a tournament's readers may see, newest first."""
    return AuditEvent.objects.filter(channel=event.channel).select_related("actor").order_by("-id")


@dataclass(frozen=True, slots=True)
class Score:
    """What decides of one side in a result, points or deals won. is_first: it won, alone or with others."""

    name: str
    points: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One act. what: in words; about: the entry or reason it names; match: the id of the match it is about.

    who: the person who acted, or the side whose phone it was; "" for the service. round: its number, 0 for an act on
    the event itself. here: what it is about, without the round and the scores: for below the heading of its round.
    below: the words there, "" where they are the same. scores: of an act that gave a result, of each side in the order
    of their places. is_sentence: the words name nobody who acted, and none belongs before them. of_round: which round
    of which stage, "" for an act on the event itself.
    """

    act: AuditEvent
    what: str
    about: str
    who: str = ""
    round: int = 0
    here: str = ""
    below: str = ""
    scores: tuple[Score, ...] = ()
    is_sentence: bool = False
    of_round: str = ""

    @property
    def day(self) -> date:
        """The day of the act in the active zone: acts are listed under it."""
        return timezone.localtime(self.act.at).date()

    @property
    def shown(self) -> str:
        """The words as a line of the page has them: a sentence begins with a capital."""
        return capfirst(self.what) if self.is_sentence else self.below or self.what

    @property
    def match(self) -> str:
        """The id of the match that the act was on or after, for a link."""
        return _match_of(self.act)


def feed_lines(acts: Sequence[AuditEvent]) -> list[FeedLine]:
    """Describe the acts in words. Three queries, for the names of the entries and tables they are about."""
    uuids = {act.subject.removeprefix("entry:") for act in acts if act.subject.startswith("entry:")}
    uuids |= {uuid for act in acts for uuid in act.after.get("by_lots", ())}
    rows = Entry.objects.filter(uuid__in=uuids).values_list("uuid", "player__name")
    names = {f"entry:{uuid}": name for uuid, name in rows}
    tables = tables_named([_match_of(act) for act in acts])
    return [_line(act, names, tables) for act in acts]


def _line(act: AuditEvent, names: Mapping[str, str], tables: Mapping[str, Table]) -> FeedLine:
    """Describe one act. names: of its entries, by "entry:<uuid>"; tables: by the id of their match."""
    table = tables.get(_match_of(act))
    found, won, about = class_of(act.verb), won_words(act, table), _about(act, names)
    score = _score_of(act, table)
    scores, result = _scores(table, score), result_words(table, score)
    return FeedLine(
        act,
        what=won or verb_words(act),
        about=listed(filter(None, (table_words(table), result, round_words(act), *about))),
        who=actor_words(act, table),
        round=_round_of(act, table),
        here=listed(filter(None, (_number_words(table), "" if scores else result, *about))),
        below=str(found.words_below) if found else "",
        scores=scores,
        is_sentence=bool(won) or bool(found and found.is_sentence),
        of_round=_round_key(act, table),
    )


def _match_of(act: AuditEvent) -> str:
    kind, _, uuid = act.subject.partition(":")
    return uuid if kind == "match" else str(act.after.get("match", ""))


def won_words(act: AuditEvent, table: Table | None) -> str:
    """Name who won, of an act by which a result counts; "" of others, and of a result that was corrected since."""
    if act.verb not in RESULTS or table is None or not table.sides:
        return ""
    score = act.after.get("score")
    if isinstance(score, list) and score != [side.points for side in table.sides]:
        return ""
    first = [side.name for side in table.sides if side.place == 1]
    if len(first) != 1:
        return gettext("%(names)s tied") % {"names": listed(first)} if first else ""
    return gettext("%(name)s won") % {"name": first[0]}


def _round_of(act: AuditEvent, table: Table | None) -> int:
    """Return the number of the round that an act is about; 0 for one on the event itself."""
    if table is not None and table.match.round is not None:
        return table.match.round.number
    kind, _colon, key = act.subject.partition(":")
    number = key.rpartition("/")[2]
    return int(number) if kind == "round" and number.isdecimal() else 0


def _round_key(act: AuditEvent, table: Table | None) -> str:
    if table is not None and table.match.round is not None:
        return f"{table.match.stage.uuid}/{table.match.round.number}"
    kind, _colon, key = act.subject.partition(":")
    return key if kind == "round" else ""


def actor_words(act: AuditEvent, table: Table | None) -> str:
    """Name who acted: a person, or the side of a table that reported by phone; "" for the service."""
    if act.actor is not None:
        return act.actor.shown_name
    side = act.after.get("side")
    sides = table.sides if table is not None and isinstance(side, int) else ()
    return next((each.name for each in sides if each.index == side), "")


def tables_named(uuids: Sequence[str]) -> dict[str, Table]:
    """Return matches by their id, with their players and table. Two queries, or none."""
    wanted = [uuid for uuid in uuids if uuid]
    if not wanted:
        return {}
    rows = Match.objects.filter(uuid__in=wanted).select_related("round", "stage").defer("round__plan")
    return {str(table.match.uuid): table for table in tables_of(rows.prefetch_related(seats_named()))}


def table_words(table: Table | None) -> str:
    """Name the table: "round 2, table 5"; "" for a match without a number."""
    if table is None or table.match.round is None or table.match.table_no is None:
        return ""
    return gettext("round %(n)s, table %(table)s") % {"n": table.match.round.number, "table": table.match.table_no}


def round_words(act: AuditEvent) -> str:
    """Name the round that an act is about; "" where it is about none."""
    kind, _colon, key = act.subject.partition(":")
    return gettext("round %(n)s") % {"n": key.rpartition("/")[2]} if kind == "round" else ""


def _number_words(table: Table | None) -> str:
    """Name the table, and the leg where it plays several, below the heading of its round; "" for a match without a
    number.
    """
    if table is None or table.match.round is None or table.match.table_no is None:
        return ""
    words = gettext("table %(table)s") % {"table": table.match.table_no}
    if table.match.stage.legs == Stage.Legs.SINGLE:
        return words
    return listed((words, gettext("leg %(n)s") % {"n": table.match.leg}))


def _score_of(act: AuditEvent, table: Table | None) -> object:
    """Return the points of the sides that an act gave; None of an act that gave none."""
    score = act.after.get("score")
    if score is None and table is not None and act.verb in RESULTS:
        score = [side.points for side in table.sides]
    return score


def _scores(table: Table | None, score: object) -> tuple[Score, ...]:
    """Return a result side by side, the first place first; () where there is none, and of one corrected since."""
    if table is None or not table.sides or score != [side.points for side in table.sides]:
        return ()
    by_deals = table.match.stage.scoring == Stage.Scoring.ROUND_VICTORY
    sides = sorted(table.sides, key=lambda side: side.place or len(table.sides))
    return tuple(
        Score(side.name, amount(side.victories if by_deals else side.points), side.place == 1) for side in sides
    )


def result_words(table: Table | None, score: object) -> str:
    """Write a result with its names: "Aiko 130 – Ben 110"; "" where there is none."""
    if table is None or not isinstance(score, list) or len(score) != len(table.sides):
        return ""
    return " – ".join(f"{side.name} {amount(points)}" for side, points in zip(table.sides, score, strict=True))


def verb_words(act: AuditEvent) -> str:
    """Describe the act; one without words of its own, or of a later version, is shown as its verb."""
    found = class_of(act.verb)
    return str(found.words if found else "") or act.verb.replace(".", " ").replace("_", " ")


def _about(act: AuditEvent, names: Mapping[str, str]) -> list[str]:
    found = class_of(act.verb)
    parts = [
        names.get(act.subject, ""),
        "" if act.subject.startswith("match:") else act.after.get("version", ""),
        _units(act.after["units"]) if found and issubclass(found, AdjustmentWritten) else "",
        act.after.get("reason", ""),
        act.after.get("text", ""),
        act.after.get("zone", ""),
        clock_line(clock_from(act.after)) if found is StageClockChosen else "",
        # The names of the fields: what each was and is, organisers read in the audit.
        listed(label_of(str(name)) for name in act.after.get("changed", ())) if found is PlanChanged else "",
        # Not the values: a name that was wrong is for organisers.
        listed(label_of(str(name)) for name in act.after) if found is EntryCorrected else "",
    ]
    details = found.details(act.subject, act.after, names) if found else ()
    return [str(part) for part in (*parts, *details) if part]


def _units(text: str) -> str:
    """Write exact units with their sign, a true minus."""
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else f"+{text}"
