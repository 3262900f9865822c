"""From rows to planners: a stage's shape, its entrants, the rounds so far and how their matches ended.

Everything is read from what is stored, so the same round is drawn whoever draws it, and however often.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final

from engine.game import Ruleset as Rules
from tournaments.formats import FORMATS, schedule
from tournaments.formats.elimination import places
from tournaments.formats.elimination.stage import Elimination
from tournaments.formats.lives import Lives, left
from tournaments.formats.model import Entrant, Finished, Plan, Seats, Shape
from tournaments.interchange.progress import ends_of
from tournaments.jobs.results import spec_for
from tournaments.models import Entry, Round, Stage, StageEntry
from tournaments.standings.model import BYE_POLICIES, MatchResult

LOOKING: Final = tuple(sorted(kind for kind, found in FORMATS.items() if found.needs_results))
"""Kinds whose next round follows from results."""
PLACING: Final = tuple(kind for kind, found in FORMATS.items() if isinstance(found, Elimination | Lives))
"""Kinds in which the places follow from who went out when."""


@dataclass(frozen=True, slots=True)
class Course:
    """A stage so far, as planners see it. entrants by seed; history: every round that was drawn."""

    entrants: tuple[Entrant, ...]
    history: tuple[Plan, ...]
    finished: tuple[Finished, ...]


def rules_of(stage: Stage) -> Rules:
    """The stage's ruleset as the engine has it."""
    return Rules.from_json(json.loads(stage.ruleset.canonical))


def rng_seed(stage: Stage, mix: bytes) -> str:
    """The seed of a stage's draws. mix: the entrants' nonces."""
    return hmac.new(bytes(stage.secret or b""), b"plan/1\0" + mix, hashlib.sha256).hexdigest()


def seed_of(stage: Stage) -> str:
    """The seed of every draw of a stage that has been seeded."""
    return rng_seed(stage, bytes(stage.mix or b""))


def shape_of(stage: Stage) -> Shape:
    """What the stage asks of its format. A side that shares a pile counts as one seat."""
    sides = len(set(rules_of(stage).sides(stage.seats_pref)))
    in_teams = sides < stage.seats_pref
    seats = (sides, sides, sides) if in_teams else (stage.seats_min, stage.seats_pref, stage.seats_max)
    bye = Fraction(BYE_POLICIES[stage.bye_policy].place)
    return Shape(Seats(*seats), stage.rounds_planned, bye, (), stage.advance, stage.third_place)


def plans_of(stage: Stage, shape: Shape, course: Course, seed: str) -> tuple[Plan, ...]:
    """The rounds that can be drawn now. Raises the planners' own FormatError."""
    return tuple(
        schedule(
            stage.kind,
            course.entrants,
            shape.rounds,
            shape.seats,
            seed,
            history=course.history,
            finished=course.finished,
            bye=shape.bye,
            advance=shape.advance,
            third_place=shape.third_place,
        )
    )


def history_of(stage: Stage, up_to: int = 0) -> tuple[Plan, ...]:
    """The rounds that were drawn, up to a round (0: all)."""
    rounds = Round.objects.filter(stage=stage).order_by("number")
    rows = rounds.filter(number__lte=up_to) if up_to else rounds
    return tuple(Plan.from_json(document) for document in rows.values_list("plan", flat=True))


def entrants_of(stage: Stage, scores: Mapping[str, Fraction]) -> tuple[Entrant, ...]:
    """Everybody who is or was in the stage; those who cannot be drawn any more are not active."""
    rows = StageEntry.objects.filter(stage=stage).select_related("entry__bot_version").order_by("seed")
    return tuple(
        Entrant(
            entry=str(row.entry.uuid),
            seed=row.seed,
            is_active=row.left_round is None and may_be_drawn(row.entry),
            score=scores.get(str(row.entry.uuid), Fraction(0)),
            joined=row.joined_round,
        )
        for row in rows
    )


def may_be_drawn(entry: Entry) -> bool:
    """Nothing new is drawn for who has left, nor for a version that is benched (tournaments.md section 9)."""
    if entry.state != Entry.State.ACTIVE:
        return False
    return entry.bot_version is None or entry.bot_version.benched_at is None


def placement(stage: Stage, history: Sequence[Plan], results: Sequence[MatchResult]) -> dict[str, int] | None:
    """The best place each entry can still have, where the stage is a bracket or goes by lives; None elsewhere."""
    found: Any = FORMATS[stage.kind]
    if stage.kind not in PLACING or not history:
        return None
    shape = shape_of(stage)
    entrants = entrants_of(stage, {})
    finished = ends_of(history, results, spec_for(stage))
    if isinstance(found, Lives):
        return {entry: best for entry, best, _worst in left(entrants, shape, history, finished).places()}
    bracket, _waiting = found.bracket(entrants, shape, history, finished, (), Random(seed_of(stage)))
    return dict.fromkeys(bracket.entries, 1) | {item.entry: item.best for item in places(bracket)}
