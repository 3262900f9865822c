"""Names of the fields of an event and of their choices, for forms and refusals alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise, lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.formats import FORMATS
from core.standings.tiebreaks import offered, tie_break
from engine.game import OptionInfo
from engine.games import PRESETS
from tournaments.lifecycle.time_limits import NAMES
from tournaments.models import BotPolicy, Progression, Stage, Tournament
from web.presets import preset_title

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise  # what a text to be translated is; only its stubs have this name

Words = Mapping[str, "str | _StrPromise"]
LABELS: Final[Words] = {
    "name": _("Name"),
    "description": _("Description"),
    "club": _("Club"),
    "seed": _("Seed"),
    "rating": _("Rating"),
    "preset": _("Rules"),
    "seats": _("Seats at a table"),
    "who": _("Who plays"),
    "draws": _("I draw every round and stage myself"),
    "partners": _("Partners"),
    "kind": _("Format"),
    "rounds": _("Rounds"),
    "ends_at": _("Ladder ends"),
    "advance": _("Advancing per table"),
    "third_place": _("Match for third place"),
    "consolation": _("Consolation bracket"),
    "flows": _("Matches start as soon as both sides are known"),
    "apart": _("Club mates apart"),
    "age_gap": _("Years between partners"),
    "born": _("Year of birth"),
    "seeding": _("Seeds"),
    "scoring": _("Ranked by"),
    "legs": _("Deals"),
    "tie_breaks": _("Tie-breaks"),
    "bye_policy": _("A bye is worth"),
    "round_minutes": _("Minutes per round"),
    "min_entries": _("Minimum entries"),
    "max_entries": _("Maximum entries"),
    "entries_per_owner": _("Entries per person"),
    "entries_close_at": _("Entries close"),
    "starts_at": _("Begins"),
    "venue": _("Where"),
    "where": _("Matches are played"),
    "site_clock": _("Clock on this site"),
    "admits_programs": _("Remote programs may be entered"),
    "time_zone": _("Time zone"),
    "visibility": _("Visibility"),
    "then": _("Stages"),
    "groups": _("Pools"),
    "by": _("Seeds of the next stage"),
    "carry": _("Points that come along"),
    "stage_name": _("Name of the stage"),
    "boards": _("Boards per team"),
    "team_score": _("A team's score"),
    "team_best": _("How many of the best boards count"),
    "clock": _("Clock"),
    "move_ms": _("CPU per move, in ms"),
    "bank_ms": _("Bank per deal, in ms"),
    "match_ms": _("CPU per match, in ms"),
    "load_ms": _("CPU to load, in ms"),
    "memory_mib": _("Memory, in MiB"),
    "leaders": _("Leaders at one table"),
    "priorities": _("Order of priorities"),
    "leader_rounds": _("Number of last rounds in which the leaders meet"),
    "leader_tables": _("Tables filled by rank in those rounds"),
    "leader_first": _("Table 1 is the leader's"),
    "accelerated_rounds": _("Accelerated rounds"),
    "table_sizes": _("Sizes of tables"),
    "pair_rule": _("Rule"),
    "rule": _("How partners are drawn"),
    "challenges": _("Challenges"),
    "deals": _("Deals per match"),
    "elo0": _("From Elo"),
    "elo1": _("To Elo"),
    "alpha": _("Accepted error"),
    "beta": _("Accepted error"),
    "cap": _("Maximum deal sets"),
}
# Of the rules that most events look at; the others are called by their meaning.
OF_OPTIONS: Final[Words] = {
    "rounds": _("Deals per match"),
    "target": _("Points that win a match"),
    "teams": _("Teams"),
}
WHO: Final[Words] = {
    "bots": _("bots, on the server"),
    "people": _("people, at tables"),
    "both": _("people and bots together"),
}
PARTNERS: Final[Words] = {
    "": _("none; a team enters under one name"),
    "drawn": _("Random partners, drawn on the day"),
    "entered": _("people enter as teams"),
}
SEEDING: Final[Words] = {
    "": _("as entered: by seed, then in order of entry"),
    "draw": _("by lots, from the committed secret"),
}
BYES: Final[Words] = {
    "half": _("as a tied result: half a place, and the round’s mean of points and of deals won"),
    "full": _("as a win: a whole place, and the average of those who won a table of the round"),
    "zero": _("nothing"),
}
TEAM_SCORES: Final[Words] = {
    "sum": _("the sum of its boards"),
    "best": _("the sum of its best boards of every round"),
    "boards": _("board points: 1 for a board won, half for a tied one; at larger tables the place score"),
    "meetings": _("meetings won, then board points (two seats)"),
}
PRIORITIES: Final[Words] = {
    "": _("the format's own order"),
    "repeats,clubs,scores": _("new opponents, then club mates apart, then equal scores"),
    "repeats,scores,clubs": _("new opponents, then equal scores, then club mates apart"),
    "clubs,repeats,scores": _("club mates apart, then new opponents, then equal scores"),
    "clubs,scores,repeats": _("club mates apart, then equal scores, then new opponents"),
    "scores,repeats,clubs": _("equal scores, then new opponents, then club mates apart"),
    "scores,clubs,repeats": _("equal scores, then club mates apart, then new opponents"),
}
YES_OR_NO: Final[Words] = {"True": _("yes"), "False": _("no")}
CHOICES: Final[Mapping[str, Mapping[str, str | Promise]]] = {
    "who": WHO,
    "partners": PARTNERS,
    "seeding": SEEDING,
    "priorities": PRIORITIES,
    "bye_policy": BYES,
    "team_score": TEAM_SCORES,
    "clock": NAMES,
    "legs": dict(Stage.Legs.choices),
    "where": {Stage.Where.HALL: _("at your own tables"), Stage.Where.SITE: _("on this site")},
    "site_clock": {
        Stage.SiteClock.LIVE: _("live: 3 min, and 10 s a move"),
        Stage.SiteClock.DAYS: _("by turns: 3 days a move"),
    },
    "scoring": dict(Stage.Scoring.choices),
    "visibility": dict(Tournament.Visibility.choices),
    "challenges": dict(BotPolicy.Challenges.choices),
    "by": dict(Progression.SeedBy.choices),
    "carry": dict(Progression.Carry.choices),
    "preset": {preset: lazy(preset_title, str)(preset) for preset in PRESETS},
}


def label_of(name: str) -> str:
    """Return the name that people read for a field; for one that no page shows, the name that programs use."""
    return str(LABELS.get(name, name.replace("_", " ")))


def option_label(option: str, meaning: str) -> str:
    """Return the name of a single rule. meaning: as the game's table says it."""
    return str(OF_OPTIONS.get(option) or gettext(meaning))


def option_word(info: OptionInfo, value: object) -> str:
    """Return the word for a value of a single rule; another value is repeated as it came."""
    if info.kind == "flag":
        return str(YES_OR_NO.get(str(value), value))
    # Not strict: an option of numbers has no meanings, and then there are no words to find.
    words = dict(zip(map(str, info.allowed), info.meanings, strict=False))
    return gettext(words[str(value)]) if words.get(str(value)) else str(value)


def choice_of(name: str, value: str) -> str:
    """Return the word for a choice of a field; what is none of them is repeated as it came."""
    if name == "tie_breaks" and value in offered():
        return gettext(tie_break(value).name)
    if name == "kind" and value in FORMATS:
        return gettext(FORMATS[value].label)
    return str(CHOICES.get(name, {}).get(value) or value or _("none"))
