"""Notes of organisers' acts, so that they can be undone: `@undoable` around a service writes down what it changed.

The note is an audit event of its own, for operators alone: readers have the act's own lines. One act is noted once,
however many services it calls. While it is done nobody else writes to the event, so the note holds this act alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from django.db import transaction

from accounts.models import User
from activity.journal import audit
from tournaments.domain_events.tournaments import UndoNoteWritten
from tournaments.lifecycle import locks
from tournaments.lifecycle.signals import act_abandoned
from tournaments.lifecycle.transitions import ORGANISERS, OWNER, RULERS, roles_of
from tournaments.models import Adjustment, Entry, Match, Role, Round, Stage, Tournament
from tournaments.undo import row_images

P = ParamSpec("P")
R = TypeVar("R")
# Every service that is noted, "capability.module.function", and its act.
UNDOABLE: Final[dict[str, str]] = {}
_inside: ContextVar[bool] = ContextVar("inside an act that is noted", default=False)


@dataclass(frozen=True, slots=True)
class Act:
    """An act for the note. name: of the words; roles: those that may undo it, which are those that may do it.

    never: of events of bots it is not undone, and the words say why (`undo.words`).
    """

    name: str
    roles: frozenset[Role.Kind]
    never: bool = False
    never_of_bots: bool = False


def undoable(
    name: str,
    roles: frozenset[Role.Kind] = ORGANISERS,
    *,
    never: bool = False,
    never_of_bots: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Note what a service changes in an event. Its arguments name the event and who acts (`by` or `actor`).

    never: it is not undone at all, and nothing before it can be undone either; never_of_bots: the same where bots play.
    People at a table, and owners of bots, are not organisers: what they do is not noted.
    """
    act = Act(name, roles, never, never_of_bots)

    def around(service: Callable[P, R]) -> Callable[P, R]:
        UNDOABLE[f"{service.__module__.removeprefix('tournaments.')}.{service.__name__}"] = name

        @wraps(service)
        def noted(*args: P.args, **given: P.kwargs) -> R:
            by, event = _who(given), event_of(given)
            # A service that an act calls is a part of the act: one note, whose images span all of it.
            if _inside.get() or by is None or event is None or not roles_of(event, by):
                return service(*args, **given)
            return _recorded(act, event, by, given, lambda: service(*args, **given))

        return noted

    return around


def _who(given: Mapping[str, Any]) -> User | None:
    actor = given.get("actor")
    found = given.get("by") if actor is None else actor.user
    return found if isinstance(found, User) else None


def event_of(given: Mapping[str, Any]) -> Tournament | None:
    """Return the event that a service's arguments are about."""
    for value in given.values():
        if isinstance(value, Tournament):
            return value
        if isinstance(value, Stage | Entry):
            return value.tournament
        if isinstance(value, Round | Match):
            return value.stage.tournament
        if isinstance(value, Adjustment):
            return value.stage_entry.stage.tournament
    return None


def _recorded(act: Act, event: Tournament, by: User, given: Mapping[str, Any], do: Callable[[], R]) -> R:
    if act.never or (act.never_of_bots and event.has_bots):
        return _only_named(act, event, by, given, do)
    token, stages = _inside.set(True), list(event.stages.values_list("uuid", flat=True))
    try:
        with transaction.atomic():
            # Held before the first image: nothing that somebody else does can end up in this note.
            lock_event(event)
            before = row_images.read(event)
            result = do()
            changes = row_images.changes_between(before, row_images.read(event))
            if changes:
                _write(act, event, by, given, changes)
            return result
    # BaseException: also a worker that is told to stop in the middle must not leave its ledgers behind.
    except BaseException:
        act_abandoned.send(sender=Stage, stages=stages)  # what was cached of it is not stored
        raise
    finally:
        _inside.reset(token)


def _only_named(act: Act, event: Tournament, by: User, given: Mapping[str, Any], do: Callable[[], R]) -> R:
    """Write a note without rows, because it cannot be undone; nothing is locked or read for it."""
    token = _inside.set(True)
    try:
        result = do()
    finally:
        _inside.reset(token)
    _write(act, event, by, given, {})
    return result


def lock_event(event: Tournament) -> None:
    """Lock the event until the transaction ends: against phones, folds and entries."""
    # The order of locks in an event: this one, its row, rows of matches, and last the channels.
    if event.is_of_people:
        locks.lock_standings(event)
    # no_key: rows that point at the event can still be inserted, e.g. by workers that record a result.
    Tournament.objects.select_for_update(no_key=True).get(pk=event.pk)


def _write(act: Act, event: Tournament, by: User, given: Mapping[str, Any], changes: row_images.Changes) -> None:
    never = act.never or (act.never_of_bots and event.has_bots)
    after = {
        "act": act.name,
        "about": _about(given, changes),
        "roles": sorted(_needed(act, given, changes)),
        "never": never,
    }
    audit(UndoNoteWritten, undo_subject(event), actor=by, before={} if never else {"rows": changes}, after=after)


def undo_subject(event: Tournament) -> str:
    """Return the subject that the notes of an event are filed under."""
    return f"undo:{event.uuid}"


def _needed(act: Act, given: Mapping[str, Any], changes: row_images.Changes) -> frozenset[Role.Kind]:
    """Return who may undo it: those who could do it.

    Only owners touch owners and directors; disputes are for arbiters.
    """
    if given.get("role") in (Role.Kind.OWNER, Role.Kind.DIRECTOR):
        return OWNER
    matches = changes.get("Match", {}).get("changed", {}).values()
    is_ruling = any(pairs.get("state", [""])[0] == Match.State.DISPUTED for pairs in matches)
    return act.roles & RULERS if is_ruling else act.roles


def _about(given: Mapping[str, Any], changes: row_images.Changes) -> dict[str, Any]:
    """Return what the words of the act name."""
    found: dict[str, Any] = {}
    for value in given.values():
        if isinstance(value, Match):
            found |= {"table": value.table_no, "round": value.round.number if value.round else 1}
        elif isinstance(value, Round):
            found["round"] = value.number
        elif isinstance(value, Entry):
            found["name"] = value.player.name
        elif isinstance(value, Adjustment):
            found |= {"name": value.stage_entry.entry.player.name, "units": value.units}
    texts = ("username", "role", "name", "units")
    found |= {key: str(given[key])[:60] for key in texts if isinstance(given.get(key), str)}
    for name in ("Entry", "Round", "Match"):
        change = changes.get(name, {})
        found[f"n_{name.lower()}"] = len(change.get("made", ())) or len(change.get("changed", ()))
    return found
