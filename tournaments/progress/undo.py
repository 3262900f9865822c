"""Undo of the last thing an organiser did: one button. It is a new act with a line of its own, never an erasure.

Acts are undone in the reverse order, each once; an undo is not undone but done again. Progress since then at the
tables concerned, or anything another organiser did, is a refusal ("undo.moved"): look again, then decide.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, F, ProtectedError, Q, RestrictedError
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from bots.models import AuditEvent
from core.errors import TournamentError
from engine.deck import commitment
from tournaments.domain_events.matches import ActUndone, MatchUndone
from tournaments.domain_events.stages import RoundPublished, StageActivated, StageClosed, StageSecretRenewed
from tournaments.domain_events.tournaments import UndoNoteWritten
from tournaments.lifecycle.transitions import SCORERS, label, may, roles_of
from tournaments.models import DealSet, EarlierSecret, Match, Role, Stage, Standing, Tournament
from tournaments.pairing import plans
from tournaments.progress import derive
from tournaments.progress.draws import flow
from tournaments.progress.run import make_secrets
from tournaments.standings import ledger_cache, store
from tournaments.undo import row_images as rows
from tournaments.undo import words
from tournaments.undo.belongings import return_belongings
from tournaments.undo.recorder import lock_event, undo_subject


@dataclass(frozen=True, slots=True)
class Undoable:
    """An act that could be undone.

    id: of its note; why_not: in words, empty if it can be undone; until: when, in words.

    changes: the rows it changed, empty for what is never undone.
    """

    id: int
    act: str
    what: str
    by: User | None
    at: datetime
    roles: frozenset[str]
    why_not: str
    until: str
    changes: rows.Changes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Shift:
    """A row of a stage's table, as it is and as it would be; None: not in it."""

    name: str
    rank_now: int | None
    rank_then: int | None


@dataclass(frozen=True, slots=True)
class Preview:
    """Preview of an undo: states that go back, and how the table moves."""

    undoable: Undoable
    lines: tuple[str, ...]
    shifts: tuple[Shift, ...]


def last_undoable(tournament: Tournament) -> Undoable | None:
    """Return the last act that is not undone yet; None if nothing was done. One query, no matter what was done."""
    undone = AuditEvent.objects.filter(subject=f"tournament:{tournament.uuid}", verb=ActUndone.topic)
    # `after` is JSON: the key comes out as text on one database and as a number on the other, so it is cast.
    ids = undone.annotate(note=Cast(KeyTextTransform("undone", "after"), BigIntegerField())).values("note")
    notes = AuditEvent.objects.filter(subject=undo_subject(tournament), verb=UndoNoteWritten.topic).exclude(pk__in=ids)
    note = notes.select_related("actor").order_by("-pk").first()
    return _undoable(note) if note is not None else None


def _undoable(note: AuditEvent) -> Undoable:
    after: dict[str, Any] = note.after
    act = str(after["act"])
    return Undoable(
        note.pk,
        act,
        words.words_of(act, after["about"]),
        note.actor,
        note.at,
        frozenset(after["roles"]),
        words.why_never(act) if after["never"] else "",
        "" if after["never"] else words.until_of(act),
        note.before.get("rows", {}),
    )


def offered(tournament: Tournament, user: User | None, own_roles: frozenset[str] | None = None) -> Undoable | None:
    """Return what this person is offered to undo, or why it cannot be undone (any more); None if it was never theirs.

    own_roles: their roles there, where they are known already.
    """
    roles = roles_of(tournament, user) if own_roles is None else own_roles
    found = last_undoable(tournament) if roles else None
    if found is None or not roles & found.roles:
        return None
    if found.why_not or not _is_stale(tournament, found):
        return found
    return replace(found, why_not=_("Something has happened since, so you cannot undo it any more."))


def _is_stale(tournament: Tournament, found: Undoable) -> bool:
    """Return whether undoing it would be refused as "undo.moved". One query, in a mixed event two."""
    return rows.has_moved(found.changes) or _went_on(tournament, found)


def preview(*, tournament: Tournament, by: User) -> Preview:
    """Undo it, look, and roll all of it back. Raises what `undo` raises."""
    stages = list(tournament.stages.values_list("uuid", flat=True))
    before = _ranks(tournament)
    with _refusing(), transaction.atomic():
        found = _checked(tournament, by, None)
        lines = tuple(words.lines_of(found.changes))
        _put_back(tournament, found.changes, by)
        after = _ranks(tournament)
        transaction.set_rollback(True)
    ledger_cache.discard(stages)  # what they have folded came to nothing
    tournament.refresh_from_db()
    moved = [key for key in before | after if before.get(key) != after.get(key)]
    return Preview(found, lines, tuple(Shift(key[1], before.get(key), after.get(key)) for key in moved))


def _ranks(tournament: Tournament) -> dict[tuple[int, str], int]:
    """Return, by stage and name, the rank now."""
    shown = Standing.objects.filter(stage__tournament=tournament, after_round=store.NOW)
    listed = shown.order_by("stage__order", "row").values_list("stage__order", "entry__player__name", "rank")
    return {(stage, name): rank for stage, name, rank in listed}


def undo(*, tournament: Tournament, by: User, seen: int) -> Undoable:
    """Undo the last act. seen: the id that the person was shown. All of it or nothing.

    Raises TournamentError "undo.nothing", "undo.already_undone" (a second click), "undo.moved" (something was done
    since), "undo.never" (with what to do instead), "undo.kept", "tournament.not_organiser".
    """
    stages = list(tournament.stages.values_list("uuid", flat=True))
    try:
        with _refusing(), transaction.atomic():
            found = _checked(tournament, by, seen)
            touched = _matches(found.changes)
            renewed = _put_back(tournament, found.changes, by)
            after = {"undone": found.id, "act": found.act, "reason": found.what}
            audit(ActUndone, f"tournament:{tournament.uuid}", actor=by, channel=tournament.channel, after=after)
            tables = (MatchUndone(each) for each in touched)
            publish(ActUndone(tournament.channel, act=found.act, matches=touched), *tables, *renewed)
    # Also after a success: the ledgers were written on top of rows that are other ones now.
    finally:
        ledger_cache.discard(stages)
    tournament.refresh_from_db()
    return found


@contextmanager
def _refusing() -> Iterator[None]:
    """Translate refusals of the database: rows that something else refers to cannot be taken away."""
    try:
        yield
    except (ProtectedError, RestrictedError) as referred:
        message = _(
            "Results of its tables are already entered, so you cannot undo the draw. Cancel those tables instead."
        )
        raise TournamentError(message, code="undo.kept") from referred
    # Another row took the place meanwhile (a table number, a seat): somebody went on since.
    except IntegrityError as taken:
        raise _moved() from taken


def _checked(tournament: Tournament, by: User, seen: int | None) -> Undoable:
    """Return what is undone now, with the event locked; or raise why it is not."""
    may(tournament, by, SCORERS, "undo")  # before anything is said of what was done
    lock_event(tournament)
    tournament.refresh_from_db()
    found = last_undoable(tournament)
    # The id of the note names the act: a second click, or an act of somebody else, has another one.
    if seen is not None and (found is None or found.id != seen):
        raise _other(tournament, seen)
    if found is None:
        message = _("There is nothing to undo.")
        raise TournamentError(message, code="undo.nothing")
    may(tournament, by, frozenset(Role.Kind(role) for role in found.roles), "undo")
    if found.why_not:
        raise TournamentError(found.why_not, code="undo.never", extra={"act": found.act})
    if _is_stale(tournament, found):
        raise _moved()
    return found


def _went_on(tournament: Tournament, found: Undoable) -> bool:
    """Return whether a round or a stage has followed on its own since, as it does where bots play among people."""
    alone = AuditEvent.objects.filter(channel=tournament.channel, actor=None, pk__gt=found.id)
    return (
        tournament.is_mixed
        and alone.filter(verb__in=(RoundPublished.topic, StageActivated.topic, StageClosed.topic)).exists()
    )


def _other(tournament: Tournament, seen: int) -> TournamentError:
    undone = AuditEvent.objects.filter(
        subject=f"tournament:{tournament.uuid}", verb=ActUndone.topic, after__undone=seen
    )
    if undone.exists():
        message = _("It is already undone: somebody else (or a second click) was faster. Nothing was undone twice.")
        return TournamentError(message, code="undo.already_undone")
    return _moved()


def _moved() -> TournamentError:
    message = _("Something has happened since, so you cannot undo this as it was shown. Check the current state.")
    return TournamentError(message, code="undo.moved")


def _matches(changes: rows.Changes) -> list[str]:
    """Return the live channels of the tables that are touched, themselves or by what is reported of them."""
    keys, reports = _keys(changes, "Match"), _keys(changes, "ResultReport")
    rows = Match.objects.filter(Q(pk__in=keys) | Q(reports__in=reports)).distinct()
    return [match.channel for match in rows.only("uuid")]


def _keys(changes: rows.Changes, model: str) -> list[int]:
    change = changes.get(model, {})
    return [*change.get("made", ()), *map(int, change.get("changed", ()))]


def _put_back(tournament: Tournament, changes: rows.Changes, by: User) -> list[DomainEvent]:
    """Put the rows back. Returns further events to publish: secrets that became public are followed by new ones."""
    # Before the rows: with an entry that was made its links go.
    return_belongings(tournament, changes.get("Entry", {}).get("changed", {}), by)
    # Rows first, then what is derived from them.
    rows.put_back(changes, by)
    # Forms that were loaded before the undo are refused, as after any other change.
    Tournament.objects.filter(pk=tournament.pk).update(row_version=F("row_version") + 1)
    tournament.refresh_from_db()
    # A stage that comes back has no secret any more: notes hold none.
    if tournament.state not in (Tournament.State.DRAFT, Tournament.State.PUBLISHED):
        make_secrets(tournament)
    renewed = rotate_secrets(tournament)
    if tournament.is_of_people:
        _fold(tournament)
    return renewed


def _fold(tournament: Tournament) -> None:
    """Recalculate standings and rounds. Tables of what is not drawn, or not complete any more, go."""
    shown = Standing.objects.filter(stage__tournament=tournament)
    shown.filter(stage__state__in=(Stage.State.PLANNED, Stage.State.SEEDED)).delete()
    for stage in tournament.stages.exclude(state=Stage.State.PLANNED).select_related("tournament", "ruleset"):
        complete = stage.rounds.filter(state__in=store.COMPLETE).values_list("number", flat=True)
        Standing.objects.filter(stage=stage).exclude(after_round__in=[store.NOW, *complete]).delete()
        flow.drop_misplaced(stage)
        derive.recalculate(stage, everything=True)
    # Nobody is called: the call that is undone here would be made again at once.
    derive.refresh(tournament, calls=False)


def rotate_secrets(tournament: Tournament) -> list[DomainEvent]:
    """Give every stage that goes on although its secret is public a new one. Returns the events to publish.

    Brackets are drawn as a whole at the start, so they go on by the draw that they have; lots go on to be drawn from
    the first commitment, or else tied entries would change places. A secret that was shown cannot be hidden again, and
    it proves what was drawn until then, so it is kept and shown. Needs the event's lock and a transaction.
    """
    shown = tournament.stages.exclude(revealed_at=None).exclude(state=Stage.State.CLOSED).exclude(secret=None)
    return [_renew(stage) for stage in shown.select_related("tournament", "ruleset").order_by("order")]


def _renew(stage: Stage) -> DomainEvent:
    channel, before = stage.tournament.channel, stage.commitment
    assert stage.revealed_at is not None
    # Written down before it is replaced: it proves the decks that were made from it.
    earlier = EarlierSecret.objects.create(
        stage=stage,
        number=stage.earlier_secrets.count() + 1,
        secret=stage.secret,
        commitment=before,
        revealed_at=stage.revealed_at,
    )
    # Deal sets of still earlier secrets keep theirs (`earlier=None` are those of the one that goes now).
    DealSet.objects.filter(stage=stage, earlier=None).update(earlier=earlier)
    if stage.format.is_bracket:
        stage.draw_seed = plans.seed_of(stage)
    # The first commitment of all, also when a second signature is undone.
    stage.lots_seed = stage.lots_seed or before
    stage.secret = secrets.token_bytes(32)
    stage.commitment, stage.revealed_at = commitment(bytes(stage.secret)), None
    stage.save(update_fields=["secret", "commitment", "revealed_at", "draw_seed", "lots_seed"])
    after = {"commitment": stage.commitment, "stage": stage.order}
    audit(StageSecretRenewed, label(stage), actor=None, channel=channel, before={"commitment": before}, after=after)
    return StageSecretRenewed(channel, commitment=stage.commitment, stage=stage.order)
