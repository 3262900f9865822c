"""The reasons of rounds in which partners change: of a table, and of the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from core.formats.model import Certificate, Constraint, Pod, Reason, Rotation
from core.formats.rotation.figures import opponents_in, partners_in
from engine.words import gettext_noop

NEW = gettext_noop("Nobody here has had this partner before.")
AGAIN = gettext_noop("%(again)d of %(pairs)d pairs of partners here were partners before: no better draw was found.")
FRESH = gettext_noop("Nobody has met an opponent of this table before.")
MET = gettext_noop("%(fresh)d of %(pairs)d pairs of opponents are new; no pair meets more than %(most)d times.")
APART = gettext_noop("Two people who should be kept apart are partners here: every other draw was worse.")
EXACT = gettext_noop("An exact design for %(people)d people and %(rounds)d rounds.")
PARTNERS = gettext_noop("Repeated partnerships in %(rounds)d rounds: %(repeats)d; fewer than %(bound)d are impossible.")
PARTNERS_BEST = gettext_noop("Repeated partnerships in %(rounds)d rounds: %(repeats)d; fewer are impossible.")
OPPONENTS = gettext_noop(
    "Repeated meetings of opponents in %(rounds)d rounds: %(repeats)d; fewer than %(bound)d are impossible."
)
OPPONENTS_BEST = gettext_noop("Repeated meetings of opponents in %(rounds)d rounds: %(repeats)d; fewer are impossible.")
SITTING_OUT = gettext_noop(
    "Byes: %(byes)d, because %(entries)d people do not fill tables of %(seats)d; nobody has a second bye"
    " before everybody has had one."
)


def pairs_apart(constraints: Sequence[Constraint]) -> frozenset[tuple[str, str]]:
    """Return the pairs that are to be kept apart."""
    return frozenset(two for item in constraints for two in combinations(sorted(set(item.entries)), 2))


def why(pod: Pod, before: Iterable[Pod], apart: frozenset[tuple[str, str]]) -> tuple[Reason, ...]:
    """Return the reasons why these sit together. before: the tables of all earlier rounds; apart: `pairs_apart`."""
    earlier = list(before)
    mine, theirs = partners_in([pod]), opponents_in([pod])
    partnered, opposed = partners_in(earlier), opponents_in(earlier)
    reasons = [_of_partners(mine, partnered), _of_opponents(theirs, opposed)]
    if apart & mine.keys():
        reasons.append(Reason("rotation.apart", APART))
    return tuple(reasons)


def _of_partners(mine: Counter[tuple[str, str]], before: Counter[tuple[str, str]]) -> Reason:
    again = sum(before[two] > 0 for two in mine)
    if not again:
        return Reason("rotation.new", NEW)
    return Reason("rotation.again", AGAIN, (("again", again), ("pairs", len(mine))))


def _of_opponents(theirs: Counter[tuple[str, str]], before: Counter[tuple[str, str]]) -> Reason:
    fresh = sum(before[two] == 0 for two in theirs)
    if fresh == len(theirs):
        return Reason("rotation.fresh", FRESH)
    most = 1 + max(before[two] for two in theirs)
    return Reason("rotation.met", MET, (("fresh", fresh), ("pairs", len(theirs)), ("most", most)))


def about_round(whole: Rotation, pods: Sequence[Pod], byes: Sequence[str]) -> tuple[Reason, ...]:
    """Return what is proved about all rounds that are planned, and who sits out."""
    people = len(byes) + sum(len(pod.seats) for pod in pods)
    reasons = list(about(whole, people))
    if byes:
        seats = len(pods[0].seats)
        shown = (("byes", len(byes)), ("entries", people), ("seats", seats))
        reasons.append(Reason("rotation.byes", SITTING_OUT, shown))
    return tuple(reasons)


def about(whole: Rotation, people: int) -> tuple[Reason, ...]:
    """Return the certificate in words."""
    reasons = [
        _proved("rotation.partners", whole.partners, whole.rounds, PARTNERS, PARTNERS_BEST),
        _proved("rotation.opponents", whole.opponents, whole.rounds, OPPONENTS, OPPONENTS_BEST),
    ]
    if whole.partners.method == "design" and whole.partners.is_optimal and whole.opponents.is_optimal:
        reasons.insert(0, Reason("rotation.exact", EXACT, (("people", people), ("rounds", whole.rounds))))
    return tuple(reasons)


def _proved(code: str, what: Certificate, rounds: int, text: str, best: str) -> Reason:
    figures = (("rounds", rounds), ("repeats", what.repeats))
    if what.is_optimal:
        return Reason(code, best, figures)
    return Reason(code, text, (*figures, ("bound", what.bound)))
