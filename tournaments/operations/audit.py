"""The audit log for its readers: organisers read their event's, owners their bot's, operators all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from django.db.models import F, Q, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from bots.models import AuditEvent, Bot, BotVersion
from bots.templatetags.hanami import STATE_WORDS
from tournaments.events.log import actor_words, result_words, tables_named, verb_words
from tournaments.events.log_words import FIELD_WORDS
from tournaments.lifecycle.visibility import visible_to
from tournaments.models import Entry, Match, Round, Stage, Tournament
from tournaments.scores.tables import Table

# By kind of subject: its states in the words of the pages. A round that is locked is complete to them.
STATES: Final[Mapping[str, Mapping[str, Any]]] = {
    kind: {value: STATE_WORDS.get((kind, value), word) for value, word in model.State.choices}
    for kind, model in ((str(each._meta.model_name), each) for each in (Tournament, Stage, Round, Match, Entry))
}
VALUE_SHOWN: Final = 120
DIGEST: Final = re.compile(r"[0-9a-f]{64}")
DIGITS_SHOWN: Final = 8
# Fields that repeat the subject.
IN_SUBJECT: Final = ("entry", "match", "subject", "n")


@dataclass(frozen=True, slots=True)
class Change:
    """One field of what changed; empty where it had no value. whole: a digest of which `after` is the beginning."""

    name: str
    before: str
    after: str
    whole: str = ""


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One act. what: in words; subject: named as far as the reader may know of it. who: as of `FeedLine`."""

    act: AuditEvent
    what: str
    subject: str
    changes: tuple[Change, ...]
    who: str = ""

    @property
    def day(self) -> date:
        """The day of the act in the active zone."""
        return timezone.localtime(self.act.at).date()


def audit_of_event(event: Tournament) -> QuerySet[AuditEvent]:
    """Return everything done in an event, newest first."""
    return _newest(AuditEvent.objects.filter(Q(channel=event.channel) | Q(subject=f"tournament:{event.uuid}")))


def audit_of_bot(bot: Bot) -> QuerySet[AuditEvent]:
    """Return everything done to a bot and its versions, newest first."""
    versions = [f"version:{uuid}" for uuid in BotVersion.objects.filter(bot=bot).values_list("uuid", flat=True)]
    return _newest(AuditEvent.objects.filter(subject__in=[f"bot:{bot.uuid}", *versions]))


def audit_of_all(*, verb: str = "", who: str = "") -> QuerySet[AuditEvent]:
    """Return everything, newest first.

    verb: its beginning ("version."); who: a user name, "-" for acts of the service.
    """
    rows = AuditEvent.objects.all()
    if verb:
        rows = rows.filter(verb__startswith=verb)
    if who:
        rows = rows.filter(actor=None) if who == "-" else rows.filter(actor__username=who)
    return _newest(rows)


def _newest(rows: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
    return rows.select_related("actor").order_by("-id")


def audit_lines(acts: Sequence[AuditEvent], viewer: User | None) -> list[AuditLine]:
    """Describe the acts in words; five queries at most, for the names of their subjects and of those at tables."""
    names = _names([act.subject for act in acts], viewer)
    # Only of matches that the reader may know of: the others have no name here, and nobody at them either.
    known = [act.subject for act in acts if act.subject.startswith("match:") and act.subject in names]
    tables = tables_named([subject.removeprefix("match:") for subject in known])
    return [_line(act, names, tables.get(act.subject.removeprefix("match:"))) for act in acts]


def _line(act: AuditEvent, names: Mapping[str, str], table: Table | None) -> AuditLine:
    return AuditLine(act, _words(act), _subject(act, names), _changes(act, table), actor_words(act, table))


def _subject(act: AuditEvent, names: Mapping[str, str]) -> str:
    """Name the subject; nothing for an act on one's own account; one without a name is shown as its kind and number."""
    if act.actor is not None and act.subject == f"account:{act.actor.uuid}":
        return ""
    return names.get(act.subject) or _short(act.subject)


def _words(act: AuditEvent) -> str:
    """Describe the act without the colon that some end with: the page sets its own before the subject."""
    return verb_words(act).rstrip(" \N{NO-BREAK SPACE}:\uff1a")


def _short(subject: str) -> str:
    kind, _colon, uuid = subject.partition(":")
    if kind == "round":
        return str(_("round %(n)s")) % {"n": uuid.rpartition("/")[2]}
    return f"{kind} {uuid[:8]}"


def _names(subjects: Iterable[str], viewer: User | None) -> dict[str, str]:
    """Return names of these subjects for the reader; those of events that are not theirs to know stay without one.

    Three queries at most: matches and versions have names of several parts, all others are read at once.
    """
    wanted: dict[str, set[str]] = {}
    for subject in subjects:
        kind, _colon, uuid = subject.partition(":")
        wanted.setdefault(kind, set()).add(uuid)
    named = _named(wanted, viewer)
    # No order: a part of a union has none.
    rows = list(named[0].union(*named[1:], all=True)) if named else []
    return {f"{kind}:{uuid}": name for kind, uuid, name in (*rows, *_composed(wanted, viewer))}


def _named(wanted: Mapping[str, set[str]], viewer: User | None) -> list[Any]:
    """Return queries for kind, uuid and name, of the kinds whose name is a column."""
    seen = visible_to(viewer, "tournament__")
    sources: Mapping[str, tuple[QuerySet[Any], str]] = {
        "account": (User.objects.all(), "username"),
        "bot": (Bot.objects.all(), "name"),
        "tournament": (Tournament.objects.filter(visible_to(viewer)), "name"),
        "stage": (Stage.objects.filter(seen), "tournament__name"),
        "entry": (Entry.objects.filter(seen), "player__name"),
    }
    return [
        rows.filter(uuid__in=wanted[kind]).order_by().values_list(Value(kind), "uuid", F(name))
        for kind, (rows, name) in sources.items()
        if kind in wanted
    ]


def _composed(wanted: Mapping[str, set[str]], viewer: User | None) -> Iterator[tuple[str, Any, str]]:
    """Yield kind, uuid and name of versions and matches."""
    if "version" in wanted:
        versions = BotVersion.objects.filter(uuid__in=wanted["version"]).select_related("bot")
        yield from (("version", version.uuid, str(version)) for version in versions)
    if "match" in wanted:
        matches = Match.objects.filter(visible_to(viewer, "stage__tournament__"), uuid__in=wanted["match"])
        matches = matches.select_related("stage__tournament", "round").defer("round__plan")
        yield from (("match", match.uuid, _match_name(match)) for match in matches)


def _match_name(match: Match) -> str:
    """Name the event of a match and its table."""
    event = match.stage.tournament.name
    if match.round is None or match.table_no is None:
        return event
    shown = {"event": event, "n": match.round.number, "table": match.table_no}
    return str(_("%(event)s, round %(n)s, table %(table)s")) % shown


def _changes(act: AuditEvent, table: Table | None) -> tuple[Change, ...]:
    before, after = (_with_names(values, table) for values in (act.before, act.after))
    fields = [name for name in {**before, **after} if name not in IN_SUBJECT]
    states = STATES.get(act.subject.partition(":")[0], {})
    found = (
        Change(_field(name), _value_text(name, before, states), _value_text(name, after, states)) for name in fields
    )
    return tuple(_shortened(change) for change in found if change.before != change.after)


def _shortened(change: Change) -> Change:
    if not DIGEST.fullmatch(change.after):
        return change
    return replace(change, after=f"{change.after[:DIGITS_SHOWN]}…", whole=change.after)


def _with_names(values: Mapping[str, Any], table: Table | None) -> dict[str, Any]:
    """Return the fields with the result and the side by the names of those at the table."""
    named = dict(values)
    named["score"] = result_words(table, values.get("score")) or values.get("score")
    if table is not None and isinstance(values.get("side"), int):
        named["side"] = next((side.name for side in table.sides if side.index == values["side"]), values["side"])
    return named


def _field(name: str) -> str:
    """Return the name of a field."""
    return str(FIELD_WORDS.get(name, name.replace("_", " ")))


def _value_text(name: str, values: Mapping[str, Any], states: Mapping[str, Any]) -> str:
    """Return the value of a field; a state by its word."""
    value = values.get(name)
    return str(states.get(value, value)) if name == "state" and isinstance(value, str) else _shown(value)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value in (None, "", [], {}):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return text if len(text) <= VALUE_SHOWN else text[: VALUE_SHOWN - 1] + "…"
