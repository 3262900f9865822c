"""Proofs for Nuki Hachi-hachi: scenes that the examples of its clauses and options must show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scripts.examples import sakura
from scripts.examples.scene import Proof, Scene


def plays_a_turn(scene: Scene) -> bool:
    """A hand card and a turned-up card that both took something."""
    return scene.kind == "play" and scene.flip in scene.took() and len(scene.took()) == 4 and not scene.played.notes


def two_play(scene: Scene) -> bool:
    """Two players are found, and somebody was forced out or dropped."""
    return scene.kind == "join" and bool(scene.notes("begin"))


def forces_out(scene: Scene) -> bool:
    """Somebody is forced out and paid nothing."""
    return any(note["forced_out"] for note in scene.notes("begin"))


def drops(scene: Scene) -> bool:
    """Somebody drops out and pays nothing."""
    dropped = scene.kind == "join" and scene.action is not None and scene.action.word == "drop"
    return dropped and not scene.ends_deal and not any(scene.after.paid)


def only_one_plays(scene: Scene) -> bool:
    """All others dropped out: the only one who plays has won."""
    return scene.ends_deal and scene.log.outcome is not None and scene.log.outcome.reason == "no_game"


def claims(scene: Scene) -> bool:
    """A dealt hand is claimed."""
    return scene.dealing and bool(scene.notes("teyaku"))


def shoubu_after_sage(scene: Scene) -> bool:
    """Somebody has called sage in this deal, and somebody ends it."""
    called = any(action.kind == "call" and action.word == "sage" for action in scene.log.actions[:-1])
    return scene.kind == "call" and scene.action is not None and scene.action.word == "shoubu" and called


def sixteen_chaff(scene: Scene) -> bool:
    """16 or more chaff are paid."""
    return bool(scene.ends_deal and scene.lines("sixteen_chaff"))


def dives_or_escapes(scene: Scene) -> bool:
    """Diving or Escape is paid."""
    return bool(scene.ends_deal and scene.lines("diving", "escape"))


def dives_with_more(scene: Scene) -> bool:
    """Diving is paid for a Triplet and Two Pairs."""
    return bool(scene.ends_deal and scene.lines("diving")) and any(
        line["yaku"] == "haneken" for line in scene.lines("teyaku")
    )


def nobody_is_asked(scene: Scene) -> bool:
    """The dealer looks at his hand like all others: the deal begins without a question."""
    if not scene.dealing or scene.before is None or scene.played.notes:
        return False
    return all(one.kind not in ("mizuten", "see") for one in scene.before.legal_actions())


CLAUSES: Final[Mapping[str, Proof]] = MappingProxyType(
    {
        "cards": nobody_is_asked,
        "deal": lambda scene: scene.dealing and bool(scene.notes("paulownia")),
        "large-field": lambda scene: scene.dealing and bool(scene.notes("large_field")),
        "who-plays": two_play,
        "hand-worth": claims,
        "turn": plays_a_turn,
        "sage-shoubu": shoubu_after_sage,
        "sixteen-chaff": sixteen_chaff,
        "diving-escape": dives_or_escapes,
        "account": sakura.one_winner,
    }
)
OPTIONS: Final[Mapping[tuple[str, object], Proof]] = MappingProxyType(
    {
        ("first_dealer_tie", "rank_then_redraw"): sakura.drawn_once,
        ("mizuten", False): nobody_is_asked,
        ("require_two_players", False): only_one_plays,
        ("dropout_penalty", "off"): drops,
        ("forced_out_compensation", "off"): forces_out,
        ("diving_scope", "contains_triplet"): dives_with_more,
        ("rounds", 12): sakura.one_winner,
    }
)
