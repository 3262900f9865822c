"""Images of an event's rows: the changes of an act, a check that they still stand, and putting back the old rows.

An image holds what organisers and players see, never a secret: what was committed to stays committed, and what has
been revealed cannot be hidden again. Reports of results are never deleted; one that is undone counts as rejected.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final
from uuid import UUID

from django.db import connection, models
from django.db.models import F, Value
from django.db.models.functions import Cast, JSONArray
from django.utils.translation import gettext as _

from accounts.models import User
from core.formats import kinds
from tournaments.models import (
    Adjustment,
    Announcement,
    DealSet,
    Entry,
    Group,
    Match,
    Member,
    PairRule,
    Player,
    Progression,
    Registration,
    RequestedBye,
    ResultReport,
    Role,
    Round,
    RoundClock,
    Seat,
    Stage,
    StageEntry,
    Tournament,
)

# Per model, by primary key: the values of its columns.
Image = dict[str, dict[int, tuple[Any, ...]]]
# Per model: {"made": [pk], "hash": of those, "gone": {pk: {column: value}}, "changed": {pk: {column: [old, new]}}}.
Changes = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A model whose rows belong to an event. path: from a row to the event; left_out: columns that are not undone."""

    model: type[models.Model]
    path: str
    left_out: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name in images."""
        return self.model.__name__

    @property
    def fields(self) -> list[models.Field[Any, Any]]:
        """The columns of an image, without secrets (which are bytes) and without the key."""
        found = [field for field in self.model._meta.concrete_fields if not field.primary_key]
        return [field for field in found if field.attname not in self.left_out and not _is_bytes(field)]

    @property
    def rows(self) -> models.QuerySet[Any]:
        """Every row there is."""
        # The base manager: `played` of Stage leaves out the stages that were called off, and they are undone, too.
        return self.model._base_manager.all()

    def of(self, event: Tournament) -> models.QuerySet[Any]:
        """Return the event's rows."""
        found = self.rows.filter(**{self.path: event.pk, **_AT_TABLES.get(self.model, {})})
        # Not players of accounts and bots: they play in other events as well, and no act here may change them back.
        return found.filter(user=None, bot=None).distinct() if self.model is Player else found


# Tables without people go on on their own while somebody acts: what workers do there is nobody's act.
_AT_TABLES: Final[dict[type[models.Model], dict[str, None]]] = {
    Match: {"deal_set": None},
    Seat: {"match__deal_set": None},
    ResultReport: {"match__deal_set": None},
}


def _is_bytes(field: models.Field[Any, Any]) -> bool:
    return field.get_internal_type() == "BinaryField"


PRIVATE: Final = frozenset(
    {
        *("uuid", "user_id", "email", "email_key", "name", "club", "reason", "paid_at", "consent_at", "told"),
        *("birth_year", "link"),
        *("language", "zone", "created_at", "confirmed_at"),
    }
)
"""Columns of a registration that are not undone."""
# The rows before anything is drawn; all that is read where bots play.
EVENT_KINDS: Final = (
    Kind(Tournament, "pk", frozenset({"row_version"})),
    Kind(Role, "tournament"),
    Kind(Player, "entries__tournament"),
    Kind(Entry, "tournament"),
    Kind(Stage, "tournament", frozenset({"commitment", "revealed_at", "lots_seed", "draw_seed"})),
    Kind(Progression, "source__tournament"),
    Kind(Announcement, "tournament"),
    # Only where it stands: what its person wrote, and their address, must not be copied into notes.
    Kind(Registration, "tournament", PRIVATE),
    Kind(PairRule, "tournament"),
)
TABLE_KINDS: Final = (
    Kind(Member, "team__tournament"),
    Kind(Group, "stage__tournament"),
    Kind(StageEntry, "stage__tournament"),
    Kind(RequestedBye, "stage__tournament"),
    Kind(Round, "stage__tournament"),
    Kind(RoundClock, "round__stage__tournament"),
    Kind(DealSet, "stage__tournament", frozenset({"revealed_at", "earlier_id"})),
    Kind(Match, "stage__tournament"),
    Kind(Seat, "match__stage__tournament"),
    Kind(Adjustment, "stage_entry__stage__tournament"),
    Kind(ResultReport, "match__stage__tournament"),
)
# In the order in which rows are made again; they are removed in the reverse order.
KINDS: Final = EVENT_KINDS + TABLE_KINDS
# Of a ladder its entries as well: they come and go while it runs.
LADDER_KINDS: Final = (*EVENT_KINDS, *(kind for kind in TABLE_KINDS if kind.model is StageEntry))
# Rows that move to the stage that takes the place of one that is called off.
_OF_STAGES: Final = tuple(kind for kind in KINDS if kind.model in (Progression, RequestedBye, PairRule))
FREE_COPY: Final = 10_000
"""From here on no entry has its `copy`."""
IN_PLAY: Final = (Match.State.PLAYING, Match.State.REPORTED, Match.State.DISPUTED, Match.State.CONFIRMED)


def read(event: Tournament) -> Image:
    """Read the event as it is, in one query. Needs its lock."""
    kinds = KINDS if event.is_of_people else LADDER_KINDS if _is_ladder(event) else EVENT_KINDS
    found: Image = {kind.name: {} for kind in kinds}
    sql, parameters = _statement(kinds, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, [event.pk if each == _THE_EVENT else each for each in parameters])
        for name, pk, row in cursor:
            found[name][pk] = tuple(json.loads(row))
    return found


_THE_EVENT: Final = -1


@cache
def _statement(kinds: tuple[Kind, ...], vendor: str) -> tuple[str, tuple[Any, ...]]:
    """Build the query of `read`, once for each kind of database: building it takes longer than answering it."""
    # A key that no event has stands for the event's, and is replaced when the query is run.
    nowhere = Tournament(pk=_THE_EVENT)
    sql, parameters = _union({kind: kind.of(nowhere) for kind in kinds}).query.sql_with_params()
    return str(sql), tuple(parameters)


def _is_ladder(event: Tournament) -> bool:
    return event.stages.filter(kind__in=kinds(lambda each: each.is_always_open)).exists()


def _union(wanted: Mapping[Kind, models.QuerySet[Any]]) -> models.QuerySet[Any]:
    first, *others = [_as_arrays(kind, rows) for kind, rows in wanted.items()]
    return first.union(*others, all=True)


def _as_arrays(kind: Kind, rows: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Select (kind, key, columns): kinds differ in their columns, so that each row is one text.

    JSON stays text within it.
    """
    text = models.TextField()
    row = JSONArray(*(Cast(each.attname, text) if _is_json(each) else F(each.attname) for each in kind.fields))
    return rows.order_by().values_list(Value(kind.name, text), "pk", Cast(row, text))


def _is_json(field: models.Field[Any, Any]) -> bool:
    return field.get_internal_type() == "JSONField"


def changes_between(before: Image, after: Image) -> Changes:
    """Return the differences, as JSON; models without a difference are left out."""
    found = {kind.name: _changes(kind, before[kind.name], after[kind.name]) for kind in KINDS if kind.name in before}
    return {name: each for name, each in found.items() if each}


def _changes(kind: Kind, old: Mapping[int, tuple[Any, ...]], new: Mapping[int, tuple[Any, ...]]) -> dict[str, Any]:
    made = sorted(new.keys() - old.keys())
    gone = {str(pk): _named(kind, old[pk]) for pk in sorted(old.keys() - new.keys())}
    changed = {
        str(pk): {
            field.attname: [_plain(field, was), _plain(field, now)]
            for field, was, now in zip(kind.fields, old[pk], new[pk], strict=True)
            if was != now
        }
        for pk in sorted(old.keys() & new.keys())
        if old[pk] != new[pk]
    }
    change = {"made": made, "hash": _hash(kind, (new[pk] for pk in made)), "gone": gone, "changed": changed}
    return {name: value for name, value in change.items() if value} if made or gone or changed else {}


def _named(kind: Kind, values: Iterable[Any]) -> dict[str, Any]:
    return {field.attname: _plain(field, value) for field, value in zip(kind.fields, values, strict=True)}


def _plain(field: models.Field[Any, Any], value: Any) -> Any:
    """Convert a column's value to the form of notes, regardless of how the database stores times, keys and truth."""
    if value is None:
        return None
    match field.get_internal_type():
        case "JSONField":
            return json.loads(value)
        case "DateTimeField":
            at = datetime.fromisoformat(value)
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()
        case "UUIDField":
            return str(UUID(value))
        case "BooleanField":
            return bool(value)
    return value


def _hash(kind: Kind, rows: Iterable[tuple[Any, ...]]) -> str:
    # Of rows that were made only the hash is stored: to undo them their keys are enough.
    text = json.dumps([list(_named(kind, row).values()) for row in rows], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def has_moved(changes: Changes) -> bool:
    """Return whether any of it is no longer as the act left it.

    A round's state follows from its tables: it may move on.
    """
    by_kind = {kind: changes[kind.name] for kind in KINDS if kind.name in changes}
    if not by_kind:
        return False
    now: Image = {kind.name: {} for kind in by_kind}
    for name, pk, row in _union({kind: kind.rows.filter(pk__in=_keys(each)) for kind, each in by_kind.items()}):
        now[name][pk] = tuple(json.loads(row))
    return any(_moved(kind, each, now[kind.name]) for kind, each in by_kind.items())


def _keys(change: Mapping[str, Any]) -> list[int]:
    return [*change.get("made", ()), *map(int, change.get("gone", ())), *map(int, change.get("changed", ()))]


def _moved(kind: Kind, change: Mapping[str, Any], now: Mapping[int, tuple[Any, ...]]) -> bool:
    made, gone, changed = change.get("made", []), change.get("gone", {}), change.get("changed", {})
    if any(int(pk) in now for pk in gone) or any(int(pk) not in now for pk in [*made, *changed]):
        return True
    if made and _hash(kind, (now[pk] for pk in made)) != change["hash"]:
        return True
    for pk, pairs in changed.items():
        row = _named(kind, now[int(pk)])
        # A column that is no more (a note of before a migration) counts as moved.
        if any(row.get(column) != new for column, (_old, new) in pairs.items() if not _follows(kind, column)):
            return True
    return False


def _follows(kind: Kind, column: str) -> bool:
    return kind.model is Round and column == "state"


def put_back(changes: Changes, by: User) -> None:
    """Undo it, row by row. Raises ProtectedError, RestrictedError where something else refers to a row."""
    by_kind = {kind.name: changes.get(kind.name, {}) for kind in KINDS}
    # First: the database allows one confirmed report of a match, and an older one may count again below.
    _reject(by_kind["ResultReport"], by)
    for kind in _OF_STAGES:  # first: what would go with a stage that is taken away
        _change_back(kind, by_kind[kind.name].get("changed", {}))
    for kind in reversed(KINDS):
        made = by_kind[kind.name].get("made", [])
        if made and kind.model not in (ResultReport, Player):
            kind.rows.filter(pk__in=made).delete()
    for kind in KINDS:
        _make_again(kind, by_kind[kind.name].get("gone", {}))
    for kind in sorted(KINDS, key=lambda kind: kind.model is Round):  # rounds last: their state follows from tables
        _change_back(kind, by_kind[kind.name].get("changed", {}))
    Player.objects.filter(pk__in=by_kind["Player"].get("made", [])).delete()  # last: a substitute sat on seats till now


def _reject(change: Mapping[str, Any], by: User) -> None:
    """Reject reports: one that is undone no longer counts, and is never deleted."""
    made = ResultReport.objects.filter(pk__in=change.get("made", []))
    made.update(state=ResultReport.State.REJECTED, by=by, reason=_("Undone."))


def _make_again(kind: Kind, gone: Mapping[str, Mapping[str, Any]]) -> None:
    """Insert the same rows with the same keys and addresses."""
    for pk, values in gone.items():
        columns = dict(_read_values(kind, values))
        kind.rows.bulk_create([kind.model(pk=int(pk), **columns)])
        kind.rows.filter(pk=int(pk)).update(**columns)  # times that are set on their own when a row is made


def _change_back(kind: Kind, changed: Mapping[str, Mapping[str, list[Any]]]) -> None:
    if kind.model is Match:  # tables that changed places: a number is free before another table takes it
        moved = [int(pk) for pk, pairs in changed.items() if "table_no" in pairs]
        kind.rows.filter(pk__in=moved).update(table_no=None)
    if kind.model is Registration:  # people who exchanged entries: an entry has one registration at most
        kind.rows.filter(pk__in=[int(pk) for pk, pairs in changed.items() if "entry_id" in pairs]).update(entry=None)
    copies = _set_apart(changed) if kind.model is Entry else {}
    for pk, pairs in sorted(changed.items(), key=_losing_first):
        values = copies.get(pk, {}) | {column: old for column, (old, _new) in pairs.items()}
        if kind.model is Round and "state" in values:
            values["state"] = _state_of(int(pk), str(values["state"]))
        kind.rows.filter(pk=int(pk)).update(**dict(_read_values(kind, values)))


def _set_apart(changed: Mapping[str, Mapping[str, list[Any]]]) -> dict[str, dict[str, Any]]:
    """Free the players that entries exchanged: an event takes a player once by `copy`. Return what it was, by key."""
    rows = Entry.objects.filter(pk__in=[int(pk) for pk, pairs in changed.items() if "player_id" in pairs])
    found = dict(rows.values_list("pk", "copy"))
    for number, pk in enumerate(found):
        Entry.objects.filter(pk=pk).update(copy=FREE_COPY + number)
    return {str(pk): {"copy": copy} for pk, copy in found.items()}


def _losing_first(item: tuple[str, Mapping[str, list[Any]]]) -> tuple[bool, int]:
    """Sort the report that was not confirmed before the one that was: the database allows one confirmed of a match."""
    old = item[1].get("state", [""])[0]
    return old == ResultReport.State.CONFIRMED, int(item[0])


def _state_of(round_id: int, before: str) -> str:
    """Return the state of a round as it was, but "playing" if tables have begun since."""
    is_played = Match.objects.filter(round=round_id, state__in=IN_PLAY).exists()
    early = before in (Round.State.DRAFT, Round.State.PUBLISHED)
    return str(Round.State.PLAYING) if early and is_played else before


def _read_values(kind: Kind, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    fields = {field.attname: field for field in kind.fields}
    for column, value in values.items():
        field = fields[column]
        yield column, value if value is None or _is_json(field) else _target(field).to_python(value)


def _target(field: models.Field[Any, Any]) -> models.Field[Any, Any]:
    """Return the field that a column holds; of a foreign key the one it points to."""
    return field.target_field if isinstance(field, models.ForeignKey) else field
