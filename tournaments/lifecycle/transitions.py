"""Every change of state there is, and the one function that makes them (tournaments.md section 3).

`act` checks role and state, updates `WHERE state=old`, writes the audit event and the outbox row in one transaction.
Two people (or two clicks) that do the same thing at once: the second finds no row to update and is refused.
Changes of many rows at once (queueing, claiming, sweeping) read their states from the same tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.phrasing import listed
from activity.domain_events import DomainEvent
from activity.journal import audit, audit_event, publish
from activity.round_trips import insert
from core.errors import TournamentError
from tournaments.domain_events import matches, stages, tournaments
from tournaments.domain_events.transitions import Transitioned
from tournaments.lifecycle.signals import match_moved
from tournaments.models import Match, Role, Round, Stage, Tournament

Subject = Tournament | Stage | Round | Match

OWNER: Final = frozenset({Role.Kind.OWNER})
ORGANISERS: Final = frozenset({Role.Kind.OWNER, Role.Kind.DIRECTOR})
RULERS: Final = ORGANISERS | {Role.Kind.ARBITER}
SCORERS: Final = RULERS | {Role.Kind.SCORER}
# No role has it: only the system itself, `actor=None`, passes.
SYSTEM: Final[frozenset[Role.Kind]] = frozenset()


@dataclass(frozen=True, slots=True)
class Transition:
    """`verb` leads from any of `sources` to `target`; people need one of `roles`, the system always may.

    event: what is published and written into the audit log; its topic ends with the verb. operators: so may anyone who
    operates the service (`is_staff`).
    """

    event: type[Transitioned]
    sources: tuple[str, ...]
    target: str
    roles: frozenset[Role.Kind] = SYSTEM
    operators: bool = False

    @property
    def verb(self) -> str:
        """The name by which `act` is asked for it."""
        return self.event.topic.partition(".")[2]


T, S, R, M = Tournament.State, Stage.State, Round.State, Match.State
OPEN_MATCHES: Final = tuple(state for state in M if state not in (M.CONFIRMED, M.VOID))

TRANSITIONS: Final[dict[type[Subject], tuple[Transition, ...]]] = {
    Tournament: (
        Transition(tournaments.TournamentPublished, (T.DRAFT,), T.PUBLISHED, ORGANISERS),
        Transition(tournaments.RegistrationOpened, (T.PUBLISHED,), T.REGISTRATION, ORGANISERS),
        Transition(tournaments.TournamentStarted, (T.REGISTRATION,), T.RUNNING, ORGANISERS),
        Transition(tournaments.TournamentPaused, (T.RUNNING,), T.PAUSED, ORGANISERS),
        Transition(tournaments.TournamentResumed, (T.PAUSED,), T.RUNNING, ORGANISERS),
        Transition(tournaments.TournamentFinished, (T.RUNNING,), T.FINISHED, ORGANISERS),
        Transition(tournaments.TournamentArchived, (T.FINISHED,), T.ARCHIVED, OWNER),
        Transition(
            tournaments.TournamentCancelled,
            (T.DRAFT, T.PUBLISHED, T.REGISTRATION, T.RUNNING, T.PAUSED),
            T.CANCELLED,
            OWNER,
        ),
    ),
    Stage: (
        Transition(stages.StageSeeded, (S.PLANNED,), S.SEEDED, ORGANISERS),
        Transition(stages.StageActivated, (S.SEEDED,), S.ACTIVE, ORGANISERS),
        Transition(stages.StageSettled, (S.ACTIVE,), S.SETTLING),
        Transition(stages.StageClosed, (S.SETTLING,), S.CLOSED, ORGANISERS),
        Transition(stages.StageDrawTakenBack, (S.SEEDED, S.ACTIVE), S.PLANNED, ORGANISERS),
        Transition(stages.StageVoided, (S.ACTIVE, S.SETTLING, S.CLOSED), S.VOID, OWNER),
    ),
    Round: (
        Transition(stages.RoundPublished, (R.DRAFT,), R.PUBLISHED, ORGANISERS),
        Transition(stages.RoundBegun, (R.PUBLISHED,), R.PLAYING),
        Transition(stages.RoundCompleted, (R.PLAYING,), R.COMPLETE),
        Transition(stages.RoundLocked, (R.COMPLETE,), R.LOCKED),
        Transition(stages.RoundDrawTakenBack, (R.PUBLISHED,), R.DRAFT, ORGANISERS),
        Transition(stages.RoundUnlocked, (R.LOCKED,), R.COMPLETE, ORGANISERS),
    ),
    Match: (
        Transition(matches.MatchMadeReady, (M.PENDING,), M.READY),
        Transition(matches.MatchesQueued, (M.READY,), M.QUEUED),
        Transition(matches.MatchClaimed, (M.QUEUED,), M.CLAIMED),
        Transition(matches.MatchRequeued, (M.CLAIMED,), M.QUEUED),
        # A worker's result, or the record of a match that people have played on this site.
        Transition(matches.MatchConfirmed, (M.CLAIMED, M.CALLED, M.PLAYING), M.CONFIRMED),
        Transition(matches.MatchQuarantined, (M.CLAIMED,), M.QUARANTINED),
        Transition(matches.MatchRetried, (M.QUARANTINED,), M.QUEUED, ORGANISERS, operators=True),
        Transition(matches.MatchCalled, (M.READY,), M.CALLED, ORGANISERS),
        Transition(matches.MatchBegun, (M.CALLED,), M.PLAYING, SCORERS),
        Transition(matches.ResultReported, (M.PLAYING,), M.REPORTED, SCORERS),
        Transition(matches.ResultDisputed, (M.REPORTED,), M.DISPUTED, SCORERS),
        Transition(matches.ResultAccepted, (M.REPORTED, M.DISPUTED), M.CONFIRMED, SCORERS),
        Transition(matches.DisputeRuled, (M.DISPUTED,), M.CONFIRMED, RULERS),
        Transition(matches.MatchVoided, OPEN_MATCHES, M.VOID, RULERS),
        Transition(matches.MatchTakenOut, (*OPEN_MATCHES, M.CONFIRMED), M.VOID, RULERS),
    ),
}
"""The transitions of bots' matches, and of tables where people play (called to ruled). Somebody at a table acts as
the system: the signed address of its slip is what lets them (`scores.actions`).
"""

# Codes are part of the API: the state is stored as "registration", its code has always said "open".
ALREADY: Final = {T.REGISTRATION: "open"}


def transition(model: type[Subject], verb: str) -> Transition:
    """Return the transition of that name. A KeyError is a defect of the service."""
    for found in TRANSITIONS[model]:
        if found.verb == verb:
            return found
    raise KeyError(f"{model.__name__} has no {verb}")


def act(
    subject: Subject,
    verb: str,
    actor: User | None,
    *,
    expected_version: int | None = None,
    reason: str = "",
    changes: Mapping[str, object] | None = None,
    payload: Mapping[str, object] | None = None,
    later: list[DomainEvent] | None = None,
) -> None:
    """Do `verb` to `subject` and refresh it. actor: None is the system.

    expected_version: the tournament's `row_version` that the person saw; another one is refused.
    changes: further columns of the same UPDATE. payload: goes into audit and outbox with the new state.
    later: takes the events to publish, for a caller whose transaction goes on and publishes them all at its end.
    Raises TournamentError "tournament.not_organiser", "<kind>.already_<state>", "<kind>.wrong_state",
    "tournament.changed".
    """
    found = transition(type(subject), verb)
    require_role(tournament_of(subject), actor, found, verb)
    # The update, its audit event and its outbox row are one transaction: a process that dies leaves all of them or
    # none.
    with transaction.atomic():
        before = subject.state
        if not _update(subject, found, expected_version, changes or {}):
            raise _refusal(subject, found, expected_version)
        after = {"state": str(found.target), **(payload or {}), **({"reason": reason} if reason else {})}
        notes = _write_down(subject, found, actor, before, after)
        # Publishing locks the rows of the channels, for which everybody in the event waits: a longer transaction does
        # it last.
        if later is None:
            publish(*notes)
        else:
            later += notes
        if isinstance(subject, Match) and subject.deal_set_id is None:
            match_moved.send(sender=Match, match=subject, state=str(found.target))
    subject.refresh_from_db()


def act_on_rounds(rounds: Sequence[Round], verb: str, later: list[DomainEvent]) -> None:
    """Apply `verb` to rounds of one event as the system does, in two statements however many there are.

    later: as of `act`. Raises TournamentError "round.wrong_state" if one of them is not in a state for it any more.
    """
    found = transition(Round, verb)
    if not rounds:
        return
    rows = Round.objects.filter(pk__in=[row.pk for row in rounds], state__in=found.sources)
    # Counted, not looked up before: a round that another process moved meanwhile is not updated, and the caller rolls
    # back.
    if rows.update(state=found.target) != len(rounds):
        raise _refusal(rounds[0], found, None)
    channel, after = tournament_of(rounds[0]).channel, {"state": str(found.target)}
    # One insert for all: a correction may lock hundreds of rounds of a league.
    insert(
        [
            audit_event(found.event, label(row), actor=None, channel=channel, before={"state": row.state}, after=after)
            for row in rounds
        ]
    )
    later += [found.event.of(channel, {"subject": label(row), **after}) for row in rounds]
    # The rows in memory follow by hand; reading them again would be a query each.
    for row in rounds:
        row.state = found.target


def require_possible(subject: Subject, verb: str, actor: User | None, *, expected_version: int | None = None) -> None:
    """Refuse early what `act` would refuse now, before work is put into it. Refreshes the subject."""
    found = transition(type(subject), verb)
    require_role(tournament_of(subject), actor, found, verb)
    subject.refresh_from_db()
    outdated = isinstance(subject, Tournament) and expected_version not in (None, subject.row_version)
    if subject.state not in found.sources or outdated:
        raise _refusal(subject, found, expected_version)


def _update(subject: Subject, found: Transition, version: int | None, changes: Mapping[str, object]) -> bool:
    # The state in WHERE is the lock: of two at once the database lets one change the row.
    fields: dict[str, object] = {"state": found.target, **changes}
    if not isinstance(subject, Tournament):
        rows = type(subject)._default_manager.filter(pk=subject.pk, state__in=found.sources)
        return bool(rows.update(**fields))
    events = Tournament.objects.filter(pk=subject.pk, state__in=found.sources)
    if version is not None:
        events = events.filter(row_version=version)
    # A tournament also counts: a form that was loaded before carries the number it saw.
    return bool(events.update(row_version=F("row_version") + 1, **fields))


def _write_down(
    subject: Subject, found: Transition, actor: User | None, before: str, after: dict[str, object]
) -> list[DomainEvent]:
    event, channel = found.event, tournament_of(subject).channel
    audit(event, label(subject), actor=actor, channel=channel, before={"state": before}, after=after)
    events: list[DomainEvent] = [event.of(channel, {"subject": label(subject), **after})]
    if isinstance(subject, Match):
        events.append(event.of(subject.channel, after))
    return events


def kind(subject: Subject) -> str:
    """Return the first word of codes and labels: tournament, stage, round or match."""
    return type(subject).__name__.lower()


def label(subject: Subject) -> str:
    """Return the name that audit events use: "match:<uuid>"; a round by its stage and number."""
    if isinstance(subject, Round):
        return f"round:{subject.stage.uuid}/{subject.number}"
    return f"{kind(subject)}:{subject.uuid}"


def tournament_of(subject: Subject) -> Tournament:
    """Return the tournament it belongs to."""
    if isinstance(subject, Tournament):
        return subject
    return subject.tournament if isinstance(subject, Stage) else subject.stage.tournament


def roles_of(tournament: Tournament, user: User | None) -> frozenset[str]:
    """Return the roles a person has in a tournament; a stranger or nobody has none."""
    if user is None or not user.is_authenticated:
        return frozenset()
    return frozenset(Role.objects.filter(tournament=tournament, user=user).values_list("role", flat=True))


def require_role(tournament: Tournament, actor: User | None, found: Transition, verb: str) -> None:
    """Raise TournamentError "tournament.not_organiser" unless `actor` is the system or has a role for it."""
    if actor is None or (found.operators and actor.is_staff):
        return
    may(tournament, actor, found.roles, verb)


def may(tournament: Tournament, actor: User, wanted: frozenset[Role.Kind], verb: str) -> None:
    """Raise TournamentError "tournament.not_organiser" unless the person has one of these roles there.

    And "tournament.imported" where the event is a copy from a file.
    """
    if roles_of(tournament, actor) & wanted:
        # After the role: a stranger learns nothing about a copy that they may not see.
        if tournament.is_copy:
            message = _("This is a copy of an event from a file: it cannot be continued or changed.")
            raise TournamentError(message, code="tournament.imported", extra={"verb": verb})
        return
    needed = listed(sorted(str(Role.Kind(role).label) for role in wanted)) or _("nobody: it happens automatically")
    message = _("Only these roles can do this in “%(name)s”: %(roles)s. Ask the owner for the role.")
    raise TournamentError(
        message % {"name": tournament.name, "roles": needed}, code="tournament.not_organiser", extra={"verb": verb}
    )


def _refusal(subject: Subject, found: Transition, expected_version: int | None) -> TournamentError:
    # Read again: the refusal names the state that the faster one has left.
    subject.refresh_from_db()
    state = subject.state
    extra: dict[str, object] = {"state": state, "verb": found.verb}
    if state == found.target:
        word = ALREADY.get(T(state), state) if isinstance(subject, Tournament) else state
        message = _("It is already %(state)s: somebody else (or a second click) was faster. Nothing was done twice.")
        code = f"{kind(subject)}.already_{word}"
        return TournamentError(message % {"state": type(subject).State(state).label}, code=code, extra=extra)
    # The state is right, so it was the version that did not match.
    if state in found.sources and expected_version is not None:
        message = _("Somebody changed the event in the meantime. Reload the page, check it and try again.")
        return TournamentError(message, code="tournament.changed", extra=extra)
    allowed = listed(type(subject).State(source).label for source in found.sources)
    message = _(
        "This requires the state “%(allowed)s”, but the current state is “%(state)s”. Reload the page to "
        "see what is possible."
    )
    shown = {"allowed": allowed, "state": subject.get_state_display()}
    return TournamentError(message % shown, code=f"{kind(subject)}.wrong_state", extra=extra)


def possible_verbs(tournament: Tournament, user: User | None) -> tuple[str, ...]:
    """Return what this person may do with the tournament in its present state, in the order of a tournament's life."""
    roles = roles_of(tournament, user) if not tournament.is_copy else frozenset()
    return tuple(
        found.verb for found in TRANSITIONS[Tournament] if tournament.state in found.sources and roles & found.roles
    )
