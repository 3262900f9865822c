"""Requests for an event, from a form, the API or the demo: its stages and the ways between them. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """One stage of a chain. seats 0: as in the first; clock "": as of the event; scoring "": the preset's own.

    groups: how many groups play among themselves. waits: the organiser draws it; else it begins as soon as it can.
    flows: each match of a bracket is drawn once its sides are known, not with its whole round. where, site_clock "" and
    admits_programs None: as of the event. Everything else as of `EventPlan`.
    """

    kind: str
    seats: int = 0
    rounds: int = 1
    advance: int = 1
    third_place: bool = False
    consolation: bool = False
    scoring: str = ""
    legs: str = "single"
    tie_breaks: tuple[str, ...] | None = None
    bye_policy: str = "half"
    clock: str = ""
    figures: Mapping[str, object] = field(default_factory=dict)
    seats_min: int | None = None
    seats_max: int | None = None
    groups: int = 1
    waits: bool = False
    flows: bool = False
    name: str = ""
    ends_at: datetime | None = None
    where: str = ""
    site_clock: str = ""
    admits_programs: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancementPlan:
    """Places first to last of each group of stage `source` go on to stage `target` (numbers from 1).

    most: at most that many, by place and then by what they won. by: "rank" or "draw"; carry: "none", "half", "full".
    """

    source: int
    target: int
    first: int = 1
    last: int
    most: int | None = None
    by: str = "rank"
    carry: str = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """A request for one tournament, with its first stage and what follows it, from the form, the API or the demo.

    preset: an id of `engine.games.PRESETS`; options: what differs from it, {id: value}. Both hold for all stages.
    seats: players at a table, as many as the game allows; seats_min, seats_max: what a table may shrink or grow to when
    the entries do not divide (default: one less and one more as far as the game goes; exactly `seats` with teams, at a
    round robin and in a bracket of two seats).
    kind: a stage kind (`core.formats.FORMATS`); rounds: how many; for a round robin how many cycles, for lives
    how many of them, in a bracket of no meaning, in a ladder deal sets for each entry (0: any number).
    ends_at: of a ladder. advance: how many of a table go on (elimination) or keep their life.
    third_place: a match of the beaten semifinalists; consolation: a knock-out of those who lose in the first round
    (both of single elimination at two sides).
    clock: a name of `bots.runner.spec.CLOCKS`, or "custom" with `figures` (those left out are the standard's).
    scoring: "" takes the preset's own. tie_breaks: what tells equals apart, in order, and nothing else; None: what is
    proposed for the scoring (`standings.ranking`). entries_close_at: None = when the organiser starts it.
    starts_at, venue: when and where people are to come; only said, nothing begins on its own.
    who: "bots" on workers, "people" at tables (each deal once), or "both" in one field. draws: of "both", "organiser"
    draws rounds and stages, else ("") they follow on their own. partners: where people share a side, "entered"
    (they come as teams), "drawn" (by lot, on the day) or "" (a name stands for a whole side).
    boards: how many boards a team has whose members sit apart (0: nobody does); team_score: how boards make its score
    ("sum", "best" with `team_best` of a round, "boards", "meetings"; `events.team_rules`).
    round_minutes: at tables, how long a round is, from its call on; None: no clock.
    where: "hall", at tables whose results people report, or "site", on this site; site_clock: of its tables there,
    "live" or "days"; admits_programs: whether remote programs may be entered there.
    apart: "club" keeps club mates apart. age_gap: years between the ages of partners (0: no rule). seeding: of
    the first stage, by lots ("draw") or as they are entered ("").
    groups, stage_name: of the first stage. then: the stages after it, in order; ways: the ways from stage to stage.
    """

    name: str
    preset: str
    who: str = "bots"
    draws: str = ""
    partners: str = ""
    boards: int = 0
    team_score: str = ""
    team_best: int = 0
    round_minutes: int | None = None
    apart: str = ""
    age_gap: int = 0
    seeding: str = ""
    seats: int = 4
    options: Mapping[str, object] = field(default_factory=dict)
    kind: str = "tables"
    rounds: int = 1
    advance: int = 1
    third_place: bool = False
    consolation: bool = False
    flows: bool = False
    scoring: str = ""
    legs: str = "single"
    tie_breaks: tuple[str, ...] | None = None
    bye_policy: str = "half"
    clock: str = "standard"
    figures: Mapping[str, object] = field(default_factory=dict)
    seats_min: int | None = None
    seats_max: int | None = None
    description: str = ""
    visibility: str = "public"
    time_zone: str = "UTC"
    min_entries: int = 2
    max_entries: int = 64
    entries_per_owner: int = 2
    entries_close_at: datetime | None = None
    starts_at: datetime | None = None
    venue: str = ""
    ends_at: datetime | None = None
    where: str = "hall"
    site_clock: str = "live"
    admits_programs: bool = False
    groups: int = 1
    stage_name: str = ""
    then: tuple[StagePlan, ...] = ()
    ways: tuple[AdvancementPlan, ...] = ()

    @property
    def first(self) -> StagePlan:
        """The first stage as one of the chain."""
        return StagePlan(
            kind=self.kind,
            seats=self.seats,
            rounds=self.rounds,
            ends_at=self.ends_at,
            advance=self.advance,
            third_place=self.third_place,
            consolation=self.consolation,
            flows=self.flows,
            scoring=self.scoring,
            legs=self.legs,
            tie_breaks=self.tie_breaks,
            bye_policy=self.bye_policy,
            clock=self.clock,
            figures=self.figures,
            seats_min=self.seats_min,
            seats_max=self.seats_max,
            groups=self.groups,
            name=self.stage_name,
            where=self.where,
            site_clock=self.site_clock,
            admits_programs=self.admits_programs,
        )

    @property
    def stages(self) -> tuple[StagePlan, ...]:
        """Every stage, what it takes from the event filled in."""
        return (self.first, *(self._filled(stage) for stage in self.then))

    def _filled(self, stage: StagePlan) -> StagePlan:
        # Only what was left out: 0 seats, no clock and no place are no values of their own.
        return replace(
            stage,
            seats=stage.seats or self.seats,
            clock=stage.clock or self.clock,
            figures=stage.figures if stage.clock else self.figures,
            where=stage.where or self.where,
            site_clock=stage.site_clock or self.site_clock,
            admits_programs=self.admits_programs if stage.admits_programs is None else stage.admits_programs,
        )
