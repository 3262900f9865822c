"""The whole event, run after run: stages in their order, those who go on, and the effort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from core.formats.errors import FormatError
from core.formats.progression import Carry, Finisher, Seeded, apart, check, select
from core.simulation.flowing import flowing_ends, minutes_by_round
from core.simulation.model import Course, Pace, Part, Rehearsal
from core.simulation.people import names, sitting, strengths
from core.simulation.playing import Drawn, GroupPlayed, brought, play_group
from core.simulation.report import report
from core.simulation.runs import PartPlayed, Place, Run
from core.standings.model import Adjustment

RUNS = 200


def rehearse(
    course: Course, *, runs: int = RUNS, seed: str = "rehearsal", heartbeat: Callable[[int], bool] | None = None
) -> Rehearsal:
    """Play the event `runs` times. The same for the same seed.

    heartbeat: asked after each run, with how many are done, whether to go on; what was played until then is told.

    Raises FormatError "rehearsal.start" unless exactly one part has no way in, "rehearsal.runs", and all that the
    planners and `check` raise.
    """
    if runs < 1:
        raise FormatError("a rehearsal needs at least one run", code="rehearsal.runs")
    order = check([part.name for part in course.parts], course.ways)
    fed = {rule.target for rule in course.ways}
    starts = [part.name for part in course.parts if part.name not in fed]
    if len(starts) != 1 or len(order) != len(course.parts):
        message = f"one stage has to be where everybody starts, here {', '.join(starts) or 'none'}; name stages once"
        raise FormatError(message, code="rehearsal.start")
    # Rounds that depend on no result are drawn once, for all runs.
    drawn = Drawn(seed)
    rng = Random(seed)
    played: list[Run] = []
    while len(played) < runs:
        # Each run has a generator of its own, seeded from one: stopping early leaves the runs before as they are.
        played.append(_run(course, order, drawn, Random(rng.getrandbits(64))))
        if heartbeat is not None and not heartbeat(len(played)):
            break
    return report(course, order, played)


def _run(course: Course, order: Sequence[str], drawn: Drawn, rng: Random) -> Run:
    run = Run(strengths(course.entries, course.strengths, rng))
    parts = {part.name: part for part in course.parts}
    for name in order:
        run.parts[name] = _play(course, parts[name], _seeded(course, run, name, rng), run, drawn, rng)
    return run


def _seeded(course: Course, run: Run, name: str, rng: Random) -> list[tuple[Seeded, str]]:
    """Return who plays a stage, and from which one each comes."""
    rules = sorted((rule for rule in course.ways if rule.target == name), key=lambda rule: rule.order)
    out: list[tuple[Seeded, str]] = []
    lots = f"{rng.getrandbits(64):016x}"
    for rule in rules:
        found = select(run.parts[rule.source].rows, rule, lots=lots, from_seed=len(out) + 1, ratings=run.own)
        out += [(item, rule.source) for item in found.seeded]
    if rules:
        return out
    return [(Seeded(entry, seed, "", seed, Carry.NONE), "") for seed, entry in enumerate(run.own, start=1)]


def _play(
    course: Course, part: Part, field_: Sequence[tuple[Seeded, str]], run: Run, drawn: Drawn, rng: Random
) -> PartPlayed:
    """Play all groups of a stage side by side."""
    source = {item.entry: (item, before) for item, before in field_}
    played: list[GroupPlayed] = []
    rows: list[Finisher] = []
    places: dict[str, Place] = {}
    for number, members in enumerate(apart([item for item, _ in field_], part.groups), start=1):
        local = dict(zip(names(len(members)), (member.entry for member in members), strict=True))
        own = {place: run.own[entry] for place, entry in local.items()}
        carry = _carried(local, source, run)
        group = play_group(part, own, course.scores, drawn, rng, carry)
        played.append(group)
        rows += [Finisher(local[row.entry], row.rank, f"group {number}", row.value) for row in group.rows]
        places |= {entry: Place(group.table, place) for place, entry in local.items()}
    result = PartPlayed(len(field_), played, [], rows, places)
    if part.flows:
        result.pace = _flowing(played, course.pace, rng)
    else:
        result.pace = [sitting(tables, course.pace, rng) for tables in result.tables]
    return result


def _flowing(played: Sequence[GroupPlayed], pace: Pace, rng: Random) -> list[float]:
    """Return the minutes of each round of a stage whose matches start one by one, all groups in one hall."""
    ends = flowing_ends([group.waits for group in played], pace, rng)
    turns = range(max(len(group.labels) for group in played))
    rounds = [
        [(n, label) for n, group in enumerate(played) if turn < len(group.labels) for label in group.labels[turn]]
        for turn in turns
    ]
    return minutes_by_round(rounds, ends)


def _carried(local: dict[str, str], source: dict[str, tuple[Seeded, str]], run: Run) -> list[Adjustment]:
    out = []
    for place, entry in local.items():
        item, before = source[entry]
        if before:
            origin = run.parts[before].books[entry]
            if line := brought(place, item.carry, origin.table, origin.name):
                out.append(line)
    return out
