"""The judge of a comparison: its deal sets one by one, in the order in which they were made, until the test decides.

The first deal set that is not over holds up all that come after it, so what decides does not depend on which match ends
first; and what was judged is not judged again, so nothing that comes late can change it. A deal set of which a leg is
held for review or was called off does not count and is passed over for good: our own faults are nobody's. A leg that a
bot forfeited counts as lost for it (tournaments.md section 9), and is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from core.statistics import Hypotheses, Leg, Model, Outcome, Running, Verdict, estimate, score_of_legs, unit_of
from core.statistics.sprt import Moments
from core.statistics.units import Unit, place_share
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Challenge, ChallengeSet, DealSet, Match, Seat, Stage

PASSED_OVER: Final = (Match.State.VOID, Match.State.QUARANTINED)
BATCH_SIZE: Final = 500
VERDICTS: Final = {Verdict.H1: Challenge.State.STRONGER, Verdict.H0: Challenge.State.NOT_STRONGER}


@dataclass(frozen=True, slots=True)
class Played:
    """One match as the test sees it. forfeits: seats that forfeited, of the candidate and of the reference."""

    leg: Leg
    candidate_forfeits: int
    reference_forfeits: int


@dataclass(slots=True)
class _Course:
    """A judgement under way: the test, and the rows to be written."""

    challenge: Challenge
    running: Running
    rows: list[ChallengeSet] = field(default_factory=list)


def evaluate(stage: Stage) -> bool:
    """Judge what is over by now. Returns whether anything was. Needs the event's lock."""
    challenge = Challenge.objects.select_related("candidate", "reference").get(stage=stage)
    if challenge.state != Challenge.State.RUNNING:
        return False
    course = _Course(challenge, running_of(challenge, unit_for(stage)))
    while _evaluate_some(course, stage):
        pass
    if not course.rows:
        return False
    # In the transaction that stores `upto`: a process that dies leaves neither, and the next one judges the same again.
    ChallengeSet.objects.bulk_create(course.rows, batch_size=BATCH_SIZE)
    found = estimate(course.running)
    challenge.estimate = [found.score, found.low, found.high] if found else []
    challenge.save()
    return True


def unit_for(stage: Stage) -> Unit:
    """Return the unit that the test counts."""
    sides = sides_of(stage)
    return unit_of(sides, legs_for(sides))


def sides_of(stage: Stage) -> int:
    """Return how many sides sit at its tables."""
    return len(set(rules_of(stage).sides(stage.seats_pref)))


def legs_for(sides: int) -> int:
    """Return how often a deal set is played: by each version once alone in every seat. At two sides both is one."""
    return 2 if sides == 2 else 2 * sides


def running_of(challenge: Challenge, unit: Unit) -> Running:
    """Return the test as far as it was judged."""
    moments = Moments(challenge.judged, challenge.mean, challenge.squares)
    return Running(hypotheses_of(challenge), unit, list(challenge.counts), moments)


def hypotheses_of(challenge: Challenge) -> Hypotheses:
    """Return the hypotheses: a difference in logistic Elo, as the score of a deal set that it expects."""
    return Hypotheses(challenge.elo0, challenge.elo1, challenge.alpha, challenge.beta, Model.LOGISTIC)


def _evaluate_some(course: _Course, stage: Stage) -> bool:
    """Judge the next deal sets. Returns whether there may be more to judge."""
    later = DealSet.objects.filter(stage=stage, pk__gt=course.challenge.upto).order_by("pk")
    numbers = list(later.values_list("pk", flat=True)[:BATCH_SIZE])
    matches = Match.objects.filter(deal_set__in=numbers)
    states: dict[int | None, list[str]] = defaultdict(list)
    for number, state in matches.values_list("deal_set", "state"):
        states[number].append(state)
    finished = {number for number in numbers if all(state == Match.State.CONFIRMED for state in states[number])}
    played = played_of(course.challenge, matches.filter(deal_set__in=finished))
    for number in numbers:
        # The first one that is open ends it, even if later ones are done: the order must not depend on who is faster.
        if _is_open(states[number]):
            return False
        _put(course, number, played[number] if number in finished else ())
        # Decided in the middle of a batch: what is played beyond it counts for nothing.
        if course.challenge.state != Challenge.State.RUNNING:
            return False
    return len(numbers) == BATCH_SIZE


def _is_open(states: Sequence[str]) -> bool:
    return any(state != Match.State.CONFIRMED and state not in PASSED_OVER for state in states)


def played_of(challenge: Challenge, matches: QuerySet[Match]) -> Mapping[int, list[Played]]:
    """Return finished matches by their deal set, as the test sees them. One query."""
    rows = Seat.objects.filter(match__in=matches).order_by("match__leg", "index")
    columns = ("match__deal_set", "match", "side", "place", "bot_version", "outcome")
    by_match: dict[tuple[int, int], list[tuple[int, int, bool, bool]]] = defaultdict(list)
    for deal_set, match, side, place, version, outcome in rows.values_list(*columns):
        is_candidate = version == challenge.candidate_id
        by_match[deal_set or 0, match].append((side, place or 0, is_candidate, outcome == Seat.Outcome.FORFEIT))
    found: dict[int, list[Played]] = defaultdict(list)
    for (deal_set, _match), seats in by_match.items():
        found[deal_set].append(_played(seats))
    return found


def _played(seats: Sequence[tuple[int, int, bool, bool]]) -> Played:
    """Build it from seats as (side, place, True if the candidate's, True if it forfeited)."""
    places = {side: place for side, place, _own, _forfeit in seats}
    whose = {side: own for side, _place, own, _forfeit in seats}
    own = [side for side in sorted(whose) if whose[side]]
    others = [side for side in sorted(whose) if not whose[side]]
    # One of the two versions sits alone against copies of the other; at two sides the candidate is taken as the lone
    # one.
    is_candidate = len(own) == 1
    return Played(
        leg=Leg(tuple(places[side] for side in sorted(places)), own[0] if is_candidate else others[0], is_candidate),
        candidate_forfeits=sum(forfeit for _side, _place, mine, forfeit in seats if mine),
        reference_forfeits=sum(forfeit for _side, _place, mine, forfeit in seats if not mine),
    )


def _put(course: _Course, number: int, played: Sequence[Played]) -> None:
    challenge, row = course.challenge, ChallengeSet(challenge=course.challenge, deal_set_id=number)
    challenge.upto = number
    if played:
        score = score_of_legs([each.leg for each in played])
        outcome = course.running.add(score)
        _count(course, score, outcome, played)
        # The distance of a score (0 to 1) from one half, in thousandths of the largest.
        row.score, row.weight = str(score), round(abs(score - Fraction(1, 2)) * 2000)
        row.candidate_forfeits = sum(each.candidate_forfeits for each in played)
        row.reference_forfeits = sum(each.reference_forfeits for each in played)
        challenge.candidate_forfeits += row.candidate_forfeits
        challenge.reference_forfeits += row.reference_forfeits
        if outcome.is_decided:
            decide(challenge, VERDICTS[outcome.verdict], Challenge.Reason.BOUND)
    else:
        challenge.skipped += 1
    row.llr, row.number = challenge.llr, challenge.judged + challenge.skipped
    course.rows.append(row)


def _count(course: _Course, score: Fraction, outcome: Outcome, played: Sequence[Played]) -> None:
    challenge, moments = course.challenge, course.running.moments
    challenge.judged, challenge.mean, challenge.squares = moments.count, moments.mean, moments.squares
    challenge.counts, challenge.llr = list(course.running.counts), outcome.llr
    sides = len(played[0].leg.places)
    split = challenge.split or [[0, 0, 0, 0] for _side in range(sides)]
    for each in played:
        at = 0 if each.leg.is_candidate else 2
        # The share of beaten sides in halves, an exact integer: sums of floats would drift.
        points = place_share(each.leg.places, each.leg.lone) * 2 * (sides - 1)
        split[each.leg.lone][at] += int(points)
        split[each.leg.lone][at + 1] += 1
    challenge.split = split


def decide(challenge: Challenge, state: str, reason: str) -> None:
    """Note the end of a test (not saved)."""
    challenge.state, challenge.reason, challenge.decided_at = state, reason, timezone.now()


def differences(stage: Stage) -> list[str]:
    """Describe where the stored figures differ from the deal sets that were judged: empty when all is well."""
    challenge = Challenge.objects.get(stage=stage)
    running = Running(hypotheses_of(challenge), unit_for(stage))
    wrong = []
    for row in challenge.sets.order_by("number"):
        if row.score:
            running.add(Fraction(row.score))
        played = played_of(challenge, Match.objects.filter(deal_set=row.deal_set_id, state=Match.State.CONFIRMED))
        computed = str(score_of_legs([each.leg for each in played[row.deal_set_id]])) if row.score else ""
        # llr is a sum of logarithms: the last digits may differ from one machine to the next.
        if row.score != computed or abs(row.llr - running.outcome.llr) > 1e-9:
            wrong.append(f"{challenge}: deal set {row.number}")
    stored = (challenge.judged, list(challenge.counts), round(challenge.llr, 9))
    if stored != (running.moments.count, running.counts, round(running.outcome.llr, 9)):
        wrong.append(f"{challenge}: its figures")
    return wrong
