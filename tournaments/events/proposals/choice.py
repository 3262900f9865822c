"""Proposals for a question: of each format as many rounds and deals as the time allows, and what fits first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.errors import TournamentError
from core.simulation import Forecast
from engine.games import PRESETS, option_table, ruleset
from tournaments.events.proposals.candidates import Candidate, candidates
from tournaments.events.proposals.estimates import deals_of, forecast_of, pace_of
from tournaments.events.proposals.question import Question, check_question
from tournaments.events.shapes import read_rules
from tournaments.events.validation import validate_plan
from tournaments.lifecycle.event_plan import EventPlan

MAX_PROPOSALS: Final = 5
DEALS: Final = (12, 10, 8, 6, 5, 4, 3)
"""Lengths of a match that are tried, where the rules leave it open."""
ENOUGH_DEALS: Final = 4
"""Deals below which chance decides too much: before that, rounds are given up."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A format with its plan and the time it takes. fits: nine of ten such evenings end in time."""

    key: str
    candidate: Candidate
    plan: EventPlan
    forecast: Forecast
    deals: int
    fits: bool


def proposals(question: Question) -> list[Proposal]:
    """Return up to five formats, those that fit into the time first. Raises what `check_question` raises."""
    check_question(question)
    found = [made for each in candidates(question) if (made := _proposal(question, each)) is not None]
    # Stable: among those that fit the usual choice stays first; of the others what ends soonest.
    found.sort(key=lambda made: (not made.fits, 0.0 if made.fits else made.forecast.hours[1]))
    return found[:MAX_PROPOSALS]


def _proposal(question: Question, candidate: Candidate) -> Proposal | None:
    """Return a format with as much play as fits; with the least that makes sense if nothing does."""
    last = None
    for rounds, deals in _lengths(question, candidate):
        plan = _with_deals(candidate.make(rounds), deals)
        rules = read_rules(plan)
        pace = pace_of(
            rules, deal_minutes=question.deal_minutes, change=question.change_minutes, tables=question.tables
        )
        found = forecast_of(plan, question.entries, pace)
        if found is None:
            return None
        last = Proposal(candidate.key, candidate, plan, found, deals_of(rules), found.hours[1] <= question.hours)
        if last.fits:
            break
    sound = _sound(last.plan, question.entries) if last else None
    return replace(last, plan=sound) if last and sound else None


def _lengths(question: Question, candidate: Candidate) -> Iterator[tuple[int, int]]:
    """Yield (rounds, deals) from the longest evening to the shortest: whole matches, then fewer deals, then fewer
    rounds.
    """
    few, usual, many = candidate.rounds
    whole = deals_of(ruleset(question.preset))
    if not _is_open(question.preset):
        yield from ((rounds, 0) for rounds in range(many, few - 1, -1))
        return
    lengths = [deals for deals in DEALS if deals < whole]
    yield from ((rounds, whole) for rounds in range(many, usual - 1, -1))
    enough = [deals for deals in lengths if deals >= ENOUGH_DEALS]
    yield from ((rounds, deals) for rounds in range(usual, few - 1, -1) for deals in enough)
    yield from ((rounds, deals) for rounds in range(usual, few - 1, -1) for deals in lengths if deals < ENOUGH_DEALS)


def _is_open(preset: str) -> bool:
    """Return whether an organiser may choose how many deals a match has."""
    return any(info.id == "rounds" for info in option_table(PRESETS[preset].game))


def _with_deals(plan: EventPlan, deals: int) -> EventPlan:
    """Return the plan with matches of that many deals; 0: as the rules have it."""
    if not deals or deals == deals_of(ruleset(plan.preset)):
        return plan
    return replace(plan, options={**plan.options, "rounds": deals})


def _sound(plan: EventPlan, entries: int) -> EventPlan | None:
    """Return the plan with the fewest entries that it can be played with; None if these are not enough."""
    fewest = plan.min_entries
    for least in (fewest, *range(fewest + 1, entries + 1)):
        try:
            tried = replace(plan, min_entries=least, max_entries=max(plan.max_entries, least))
            validate_plan(tried)
        except TournamentError:
            continue
        return tried
    return None
