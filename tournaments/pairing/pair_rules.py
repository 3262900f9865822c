"""Rules about two entries of a Swiss: never together, not in the first rounds, together in one round.

A draw keeps them before everything else; what cannot be kept is said in the preview (`problems_in`). Organisers alone
see whom a rule is about and why. Two teams whose members sit apart have no such rules: their boards meet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from core.formats.model import Constraint, ConstraintKind, Plan
from core.printable import is_printable
from tournaments.lifecycle.values import bad_value
from tournaments.models import Entry, PairRule, Stage, Tournament
from tournaments.pairing.constraints_actions import locked_for_draws, record_change
from tournaments.undo.recorder import undoable

K = PairRule.Kind
MAX_RULES: Final = 200
MAX_ROUND: Final = 64
MAX_REASON: Final = 120


def rules_in(event: Tournament, stage: Stage | None = None) -> QuerySet[PairRule]:
    """Return the rules of an event, with the people; those that hold in a stage."""
    rows = PairRule.objects.filter(tournament=event).select_related("one__player", "other__player", "stage")
    return rows if stage is None else rows.filter(Q(stage=None) | Q(stage=stage))


def constraints_for(stage: Stage, entries: Collection[str]) -> tuple[Constraint, ...]:
    """Return the rules as the planner of a stage wants them; those it cannot keep are left out. One query."""
    if not stage.format.takes_forbidden_pairs or stage.tournament.boards:
        return ()
    found = []
    for rule in rules_in(stage.tournament, stage):
        two = tuple(sorted((str(rule.one.uuid), str(rule.other.uuid))))
        if set(two) <= set(entries) and is_kept_by(stage, rule.kind):
            found.append(_constraint(rule, two))
    # Sorted: the same rules give the same draw in any order of making them.
    return tuple(sorted(found, key=lambda item: (item.kind, item.entries, item.first, item.last)))


def _constraint(rule: PairRule, two: tuple[str, ...]) -> Constraint:
    if rule.kind == K.TOGETHER:
        return Constraint(ConstraintKind.TOGETHER, two, first=rule.round_number, last=rule.round_number)
    return Constraint(ConstraintKind.FORBID, two, wish="rule", last=rule.round_number)


def is_kept_by(stage: Stage, kind: str) -> bool:
    """Return whether the format of a stage can keep a rule of this kind. FIDE's rules seat nobody together."""
    if stage.tournament.boards:
        return False
    return stage.format.takes_draw_rules or (stage.format.takes_forbidden_pairs and kind != K.TOGETHER)


def problems_in(stage: Stage, plan: Plan) -> Iterator[str]:
    """Yield in words which rules a round breaks."""
    for rule in rules_in(stage.tournament, stage):
        two = {str(rule.one.uuid), str(rule.other.uuid)}
        seated = {entry for pod in plan.pods for entry in pod.seats}
        meet = any(two <= set(pod.seats) for pod in plan.pods)
        shown = {"one": rule.one.player.name, "other": rule.other.player.name}
        if not two <= seated | set(plan.byes):
            continue
        if rule.kind == K.TOGETHER and rule.round_number == plan.round and not meet:
            yield _("%(one)s and %(other)s should sit together in this round, but do not.") % shown
        elif rule.kind == K.NEVER and meet:
            yield _("%(one)s and %(other)s should never meet, but do in this round.") % shown
        elif rule.kind == K.LATER and plan.round <= rule.round_number and meet:
            shown |= {"n": str(rule.round_number + 1)}
            yield _("%(one)s and %(other)s should not meet before round %(n)s, but do.") % shown


@undoable("pair_rule")
def add_pair_rule(
    *,
    tournament: Tournament,
    by: User,
    kind: str,
    one: str,
    other: str,
    round_number: int = 0,
    stage: Stage | None = None,
    reason: str = "",
) -> PairRule:
    """Make a rule about two entries (UUIDs), from the next draw on. Made twice it is one rule, with the newer reason.

    kind: "never", "later" (not in the first `round_number` rounds) or "together" (in round `round_number`). stage None:
    in every stage. Raises TournamentError "tournament.not_organiser", "wishes.over", "tournament.bad_pair_rule",
    "wishes.bad_round", "wishes.bad_reason", "wishes.same", "wishes.unknown_entry", "wishes.contrary",
    "wishes.too_many".
    """
    _validate(kind, one, other, round_number, reason)
    with transaction.atomic():
        event = locked_for_draws(tournament, by)
        named = {str(row.uuid): row for row in _entries(event)}
        if not {one, other} <= named.keys():
            message = _("Somebody in this list is no longer entered. Reload the page.")
            raise TournamentError(message, code="wishes.unknown_entry")
        first, second = sorted((named[one], named[other]), key=lambda entry: entry.pk)
        same: dict[str, Any] = {"tournament": event, "stage": stage, "kind": kind, "one": first, "other": second}
        same["round_number"] = 0 if kind == K.NEVER else round_number
        _refuse_contrary(event, stage, kind, first, second, round_number)
        if not PairRule.objects.filter(**same).exists() and event.pair_rules.count() >= MAX_RULES:
            message = _("There are %(most)s rules about pairs, which is the limit. Remove one first.")
            raise TournamentError(message % {"most": MAX_RULES}, code="wishes.too_many")
        rule, _made = PairRule.objects.update_or_create(**same, defaults={"reason": reason.strip()})
        _record(event, by, rule, is_on=True)
    return rule


@undoable("pair_rule")
def remove_pair_rule(*, tournament: Tournament, by: User, rule: int) -> None:
    """Remove a rule (its key); twice changes nothing. Raises "tournament.not_organiser", "wishes.over"."""
    with transaction.atomic():
        event = locked_for_draws(tournament, by)
        found = rules_in(event).filter(pk=rule).first()
        if found is not None:
            _record(event, by, found, is_on=False)
            found.delete()


def _validate(kind: str, one: str, other: str, round_number: int, reason: str) -> None:
    if kind not in K.values:
        raise bad_value("pair_rule", kind, tuple(K.values))
    if kind != K.NEVER and not 1 <= round_number <= MAX_ROUND:
        message = _("Enter a round from 1 to %(most)s.") % {"most": MAX_ROUND}
        raise TournamentError(message, code="wishes.bad_round", extra={"field": "round_number"})
    if one == other:
        raise TournamentError(_("Choose two different people."), code="wishes.same", extra={"field": "other"})
    if len(reason) > MAX_REASON or not is_printable(reason):
        message = _("Enter a reason of up to %(most)s printable characters.") % {"most": MAX_REASON}
        raise TournamentError(message, code="wishes.bad_reason", extra={"field": "reason"})


def _entries(event: Tournament) -> Sequence[Entry]:
    return list(Entry.objects.filter(tournament=event).select_related("player"))


def _refuse_contrary(
    event: Tournament, stage: Stage | None, kind: str, one: Entry, other: Entry, round_number: int
) -> None:
    """Refuse two rules about one pair that no round can keep."""
    for rule in PairRule.objects.filter(tournament=event, one=one, other=other).exclude(kind=kind):
        if None not in (rule.stage_id, stage) and stage is not None and rule.stage_id != stage.pk:
            continue
        kinds = {rule.kind: rule.round_number, kind: round_number}
        meets = kinds.get(K.TOGETHER)
        if meets is not None and (K.NEVER in kinds or meets <= kinds.get(K.LATER, 0)):
            message = _("Another rule says the contrary about these two. Remove it first.")
            raise TournamentError(message, code="wishes.contrary")


def _record(event: Tournament, by: User, rule: PairRule, *, is_on: bool) -> None:
    # Without the reason: the log is read by more people than the rule.
    details = {"names": [rule.one.player.name, rule.other.player.name], "kind": rule.kind, "on": is_on}
    record_change(event, by, "pair_rules", {**details, "round": rule.round_number})
