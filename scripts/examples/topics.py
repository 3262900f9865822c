"""Every clause and option of every preset: what it must show, at which table, and in how many deals to look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.game import game_of
from engine.games import PRESETS, option_table, ruleset
from scripts.examples import koikoi, nuki, oibana, poka, sakura
from scripts.examples.scene import Proof

PROOFS: Final = MappingProxyType(
    {
        "sakura": (sakura.CLAUSES, sakura.OPTIONS),
        "oibana": (oibana.CLAUSES, oibana.OPTIONS),
        "nuki": (nuki.CLAUSES, nuki.OPTIONS),
        "poka": (poka.CLAUSES, poka.OPTIONS),
        "koikoi": (koikoi.CLAUSES, koikoi.OPTIONS),
    }
)
SEATS: Final = MappingProxyType({"sakura": 2, "oibana": 3, "nuki": 2, "poka": 2, "koikoi": 2})
"""The usual table of a game: the smallest."""
# Some rules show only at larger tables, or much sooner: blocks at three seats, teams at four.
OTHER_SEATS: Final = MappingProxyType(
    {
        ("sakura", "gaji-block"): 3,
        ("sakura", "hiki_block"): 3,
        ("sakura", "blocked_gaji"): 3,
        ("sakura", "gaji_decline"): 3,
        ("sakura", "dealer_succession"): 3,
        ("sakura", "next-dealer"): 3,
        ("sakura", "teams"): 4,
        ("sakura", "team_dealer"): 4,
        ("nuki", "who-plays"): 4,
        ("nuki", "require_two_players"): 3,
        ("nuki", "dropout_penalty"): 3,
        ("nuki", "forced_out_compensation"): 4,
    }
)
TEAMS: Final = MappingProxyType({"team_dealer": "2x2"})
SPANS: Final = MappingProxyType({"retargets": 2, "leaves": 2, "goes_on": 2, "one_two": 2, "turned_up": 2, "sold": 3})
"""How many moves a moment takes, by its proof; one where nothing is said."""
OTHER_PROOFS: Final = MappingProxyType({("enwiki2020", "gaji_decline"): sakura.must_take})
"""Where a preset's other options show a value in another way: what is never blocked can never be left."""
FULL_MATCH: Final = frozenset(
    {"match", "account", "rounds", "final_tie", "scoring", "target", "stake"}
    | {"dealer_succession", "next-dealer", "team_dealer", "after_draw"}  # these need a second deal
)
"""Topics that show in a later deal."""

UNSEEN: Final = MappingProxyType(
    {
        ("hawaii", "basa"): "it changes victories, and this ruleset adds scores",
        ("hawaii", "chu"): "it changes victories, and this ruleset adds scores",
        ("french", "basa"): "it changes victories, and this ruleset adds scores",
        ("french", "chu"): "it changes victories, and this ruleset adds scores",
        ("french", "team_dealer"): "the dealer's place goes round, no matter who wins",
        ("enwiki2020", "basa"): "it changes victories, and this ruleset adds scores",
        ("enwiki2020", "chu"): "it changes victories, and this ruleset adds scores",
        ("enwiki2020", "blocked_gaji"): "nothing blocks the Lightning in this ruleset",
        ("oibana", "team_dealer"): "the auction is for single players, there are no teams",
        ("koikoi_nintendo", "stake"): "nobody loses points in this ruleset",
        ("koikoi_nintendo", "target"): "no number of points ends a match in this ruleset",
        ("koikoi_fuda", "stake"): "nobody loses points in this ruleset",
        ("koikoi_fuda", "target"): "no number of points ends a match in this ruleset",
        ("koikoi_zoo", "target"): "no number of points ends a match in this ruleset",
        ("koikoi_zoo", "teyaku_stack"): "no hand wins as it is dealt in this ruleset",
    }
)
"""What has no effect at any table of a preset, and why."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A clause or an option of a preset, and what its example must show."""

    preset: str
    id: str
    proof: Proof
    seats: int
    teams: str
    span: int
    whole_match: bool


def topics_of(preset: str) -> Iterator[tuple[str, Proof | None]]:
    """Ids of the clauses that hold and of all options, each with what it must show (None: nothing to be seen)."""
    game, options = game_of(PRESETS[preset].game), ruleset(preset).options
    clauses, values = PROOFS[game.id]
    for clause in game.words.clauses:
        if clause.applies(options):
            yield clause.id, clauses[clause.id]
    for info in option_table(game.id):
        if (preset, info.id) in UNSEEN:
            yield info.id, None
        else:
            yield info.id, OTHER_PROOFS.get((preset, info.id)) or values[info.id, getattr(options, info.id)]


def topics() -> Iterator[Topic]:
    """Yield all topics that must have an example."""
    for preset, found in PRESETS.items():
        for name, proof in topics_of(preset):
            if proof is not None:
                yield _topic(preset, found.game, name, proof)


def _topic(preset: str, game: str, name: str, proof: Proof) -> Topic:
    seats = OTHER_SEATS.get((game, name), SEATS[game])
    span = SPANS.get(getattr(proof, "__name__", ""), 1)
    return Topic(preset, name, proof, seats, TEAMS.get(name, "solo"), span, name in FULL_MATCH)
