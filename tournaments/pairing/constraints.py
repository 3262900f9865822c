"""Wishes of an organiser for draws: pairs kept apart, fixed tables, the seeding of a stage.

Stored in columns of the event (`models/settings.py`), of its entries and of its stages. Seeds and tables are written
into stages and plans when they are drawn, so only the pairs kept apart are read again later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from core.formats.model import Constraint, ConstraintKind, Plan, Reason
from core.formats.rotation.figures import sides_at
from engine.words import gettext_noop
from tournaments.models import Stage, StageEntry, Tournament

ENTERED: Final = Stage.Seeding.ENTERED.value
DRAW: Final = Stage.Seeding.DRAW.value
HAND: Final = Stage.Seeding.HAND.value
RATING: Final = Stage.Seeding.RATING.value
SEEDINGS: Final = tuple(Stage.Seeding.values)
LEADERS: Final = 1
SAME_CLUB: Final = gettext_noop("Club mates kept apart where possible (clubs concerned: %(clubs)d).")
NOT_PARTNERS: Final = gettext_noop(
    "Club mates do not become partners if it can be avoided (clubs concerned: %(clubs)d)."
)
TOGETHER: Final = gettext_noop("Both are from “%(club)s”: no better draw keeps them apart.")
LEADING: Final = gettext_noop("Both are from “%(club)s”: the leaders meet, even if they are club mates.")


def fixed_tables(event: Tournament) -> dict[str, int]:
    """Return table numbers that are fixed, by entry. One query."""
    rows = event.entries.filter(fixed_table__isnull=False).order_by("pk").values_list("uuid", "fixed_table")
    return {str(entry): table for entry, table in rows if table is not None}


def separates_clubs(event: Tournament) -> bool:
    """Return whether club mates are kept apart."""
    return event.apart == Tournament.Apart.CLUB


def leaders_meet(event: Tournament) -> int:
    """Return in how many of the last rounds of Swiss tables the leaders sit at one table."""
    return LEADERS if event.leaders is None else event.leaders


def pairs_of(event: Tournament) -> tuple[tuple[str, str], ...]:
    """Return pairs that are kept apart (couples): entries by UUID, in the order in which it was wished."""
    return tuple((str(one), str(other)) for one, other in event.separated_pairs)


def pair_constraints(stage: Stage, entries: Iterable[str]) -> tuple[Constraint, ...]:
    """Return one wish for every two of these entries that are kept apart, if the planner of the stage takes wishes."""
    if not stage.format.honours_clubs:
        return ()
    here = set(entries)
    wanted = (tuple(sorted(two)) for two in pairs_of(stage.tournament) if here.issuperset(two))
    # Sorted twice, within a pair and among pairs: planners try wishes in order, and the same wishes give the same draw.
    return tuple(Constraint(ConstraintKind.SEPARATE, two, wish="pair") for two in sorted(wanted))


@dataclass(frozen=True, slots=True)
class Seeding:
    """The seeding of a stage. hand: entries, the first first. ratings: of those who have one."""

    by: str = ENTERED
    hand: tuple[str, ...] = ()
    ratings: Mapping[str, float] = field(default_factory=dict)


def seeding_of(stage: Stage) -> Seeding:
    """Return how the organiser wants the stage seeded."""
    return Seeding(stage.seeding, tuple(stage.seeding_order), stage.seeding_ratings)


def club_constraints(clubs: Iterable[tuple[str, str]]) -> tuple[Constraint, ...]:
    """Return one wish for every club of several. clubs: (entry, club)."""
    members: dict[str, list[str]] = {}
    for entry, club in clubs:
        # Clubs are typed by hand: spaces and capitals do not make another club.
        if name := " ".join(club.split()).casefold():
            members.setdefault(name, []).append(entry)
    return tuple(
        Constraint(ConstraintKind.SEPARATE, tuple(sorted(own)), wish="club")
        for _name, own in sorted(members.items())
        if len(own) > 1
    )


def clubs_in(stage: Stage) -> list[tuple[str, str]]:
    """Return (entry, club) of everybody in a stage. One query; none where clubs do not matter."""
    if not separates_clubs(stage.tournament) or not stage.format.honours_clubs:
        return []
    rows = StageEntry.objects.filter(stage=stage).exclude(entry__player__club="").order_by("seed")
    return [(str(uuid), club) for uuid, club in rows.values_list("entry__uuid", "entry__player__club")]


def explained(plans: Sequence[Plan], clubs: Sequence[tuple[str, str]]) -> tuple[Plan, ...]:
    """Add to the plans what keeping club mates apart came to, round by round and table by table."""
    constraints = club_constraints(clubs)
    if not constraints:
        return tuple(plans)
    return tuple(_explained(plan, _club_reason(plan, len(constraints)), dict(clubs)) for plan in plans)


def _club_reason(plan: Plan, clubs: int) -> Reason:
    """Explain it; where partners change, club mates may meet: only partners they are not."""
    text = NOT_PARTNERS if any(pod.sides for pod in plan.pods) else SAME_CLUB
    return Reason("apart.club", text, (("clubs", clubs),))


def _explained(plan: Plan, general: Reason, clubs: Mapping[str, str]) -> Plan:
    pods = []
    for pod in plan.pods:
        parts = sides_at(pod) if pod.sides else [pod.seats]
        shared = next(filter(None, (_shared(part, clubs) for part in parts)), "")
        text = LEADING if any(reason.code == "pods.leaders" for reason in pod.why) else TOGETHER
        why = (*pod.why, Reason("apart.together", text, (("club", shared),))) if shared else pod.why
        pods.append(replace(pod, why=why))
    return replace(plan, pods=tuple(pods), reasons=(*plan.reasons, general))


def _shared(entries: Sequence[str], clubs: Mapping[str, str]) -> str:
    """Return the first club that two of these have."""
    names = [" ".join(clubs[entry].split()) for entry in entries if entry in clubs]
    keys = [name.casefold() for name in names]
    return next((name for name in names if keys.count(name.casefold()) > 1), "")


def in_order(entries: Sequence[str], rule: Seeding, *, lots: str) -> list[str]:
    """Sort entries in the order of their seeds. entries: as they come (by rank; by seed and arrival).

    lots: the published seed of the draw. An entry without a rating, or not named in an order set by hand, comes after
    all others, as they come.
    """
    if rule.by == DRAW:
        # Sorted first: the lots depend on the entries and the seed, not on the order in which they arrived.
        drawn = sorted(entries)
        Random(f"{lots}/seeds").shuffle(drawn)
        return drawn
    if rule.by == HAND:
        at = {entry: place for place, entry in enumerate(rule.hand)}
        return sorted(entries, key=lambda entry: at.get(entry, len(at)))
    if rule.by == RATING:
        known = rule.ratings
        return sorted(entries, key=lambda entry: (entry not in known, -known.get(entry, 0.0)))
    return list(entries)
