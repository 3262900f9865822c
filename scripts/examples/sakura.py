"""Proofs for Sakura: scenes that the examples of its clauses and options must show.

They serve Oi-bana's table too, whose world lies one step deeper.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.cards import CODES, MONTH_MASKS
from scripts.examples.scene import Proof, Scene, whole_months

GAJI: Final = CODES.index("11.4")
WILLOW: Final = MONTH_MASKS[10]
GREAT, GOOD = 100, 50
"""Margins of Basa and Chu."""


def table(state: Any) -> Any:
    """The Sakura world: itself, or the table of Oi-bana's two (None during the auction)."""
    return getattr(state, "table", state)


def plays(scene: Scene) -> bool:
    """Return whether a hand card was played."""
    return scene.kind == "play" and table(scene.before) is not None


def turn(scene: Scene) -> bool:
    """A hand card that chose one of two, and a turned-up card that took something."""
    if not plays(scene) or scene.action is None or scene.action.card == GAJI or scene.action.take < 0:
        return False
    return bool(scene.flip) and scene.flip in scene.took() and not scene.played.notes


def is_wild(scene: Scene) -> bool:
    """Return whether the Lightning from the hand took a card of another month."""
    if not plays(scene) or scene.action is None or scene.action.card != GAJI or scene.action.take < 0:
        return False
    return not WILLOW >> scene.action.take & 1 and CODES[GAJI] in scene.took()


def wild_gaji(scene: Scene) -> bool:
    """The Lightning takes a card worth having."""
    # Rank 1 of its month: a bright or an animal, so that a reader sees what the Lightning is good for.
    return is_wild(scene) and scene.action is not None and scene.action.take % 4 == 0


def wild_late(scene: Scene) -> bool:
    """It does so although a Willow was captured before."""
    return is_wild(scene) and any(tray & WILLOW for tray in table(scene.before).captured)


def tame_late(scene: Scene) -> bool:
    """From the hand it is laid, though cards lie there: a Willow was captured before."""
    if not plays(scene) or scene.action is None or scene.action.card != GAJI:
        return False
    world = table(scene.before)
    return bool(world.field) and not world.field & WILLOW and any(tray & WILLOW for tray in world.captured)


def wild_from_pile(scene: Scene) -> bool:
    """The turned-up Lightning took a card of another month."""
    named = scene.action.take if scene.action else -1
    return (
        scene.kind == "draw_take"
        and table(scene.before).phase == "flip_gaji"
        and named >= 0
        and not WILLOW >> named & 1
        and CODES[GAJI] in scene.took()
    )


def plain_from_pile(scene: Scene) -> bool:
    """The turned-up Lightning stays, though cards lie there."""
    return scene.flip == CODES[GAJI] and table(scene.before) is not None and scene.flip not in scene.took()


def takes_one_of_three(scene: Scene) -> bool:
    """The Lightning leaves two of three."""
    return is_wild(scene) and _triple(scene) and not _has_month(scene)


def takes_three(scene: Scene) -> bool:
    """The Lightning takes all three."""
    return is_wild(scene) and _triple(scene) and _has_month(scene)


def _triple(scene: Scene) -> bool:
    assert scene.action is not None
    month = MONTH_MASKS[scene.action.take // 4]
    lying: int = table(scene.before).field & month
    return lying.bit_count() == 3


def _has_month(scene: Scene) -> bool:
    assert scene.action is not None
    return sum(int(code[:2]) == scene.action.take // 4 + 1 for code in scene.took()) == 3


def unblocked(scene: Scene) -> bool:
    """The Lightning takes a card although another hand holds all the rest of its month."""
    if not is_wild(scene) or scene.action is None:
        return False
    world = table(scene.before)
    rest = MONTH_MASKS[scene.action.take // 4] & ~world.field
    return any(rest and hand & rest == rest for seat, hand in enumerate(world.hands) if seat != world.turn)


def blocked(scene: Scene) -> bool:
    """The Lightning was stopped."""
    return bool(scene.notes("hiki_block", "forbidden"))


def retargets(scene: Scene) -> bool:
    """After a block it took another card."""
    return scene.kind == "blocked_choice" and scene.action is not None and scene.action.take >= 0 and not blocked(scene)


def leaves(scene: Scene) -> bool:
    """After a block it stays on the field."""
    return scene.kind == "blocked_choice" and scene.action is not None and scene.action.take < 0


def must_take(scene: Scene) -> bool:
    """The Lightning from the hand had to take something: no Willow lies there, and no play of it lays it."""
    if not is_wild(scene) or table(scene.before).field & WILLOW:
        return False
    legal = [one for one in scene.before.legal_actions() if one.kind == "play" and one.card == GAJI]
    return all(one.take >= 0 for one in legal)


def claimed(scene: Scene) -> bool:
    """Cards went from the field to who used the Lightning."""
    return any(note["cards"] for note in scene.notes("end_claim"))


def transferred(scene: Scene) -> bool:
    """A point card changed its owner."""
    return bool(scene.notes("transfer", "flip_transfer"))


def hiki(scene: Scene) -> bool:
    """All four were captured from hand and field together."""
    return scene.kind == "hiki" and len(scene.took()) >= 4


def no_hiki(scene: Scene) -> bool:
    """A pair was taken where the hand and the field held all four, and no hiki could be declared."""
    if not plays(scene) or scene.action is None or any(one.kind == "hiki" for one in scene.before.legal_actions()):
        return False
    world, month = table(scene.before), MONTH_MASKS[scene.action.card // 4]
    own, lying = world.hands[world.turn] & month, world.field & month
    return bool(lying) and own | lying == month and own.bit_count() > 1 and scene.action.card != GAJI


def triple(scene: Scene) -> bool:
    """The fourth card took three."""
    return plays(scene) and bool(scene.notes("triple"))


def plain_deal(scene: Scene) -> bool:
    """Cards are dealt and nothing happens."""
    return scene.dealing and not scene.played.notes


def deal_hand(scene: Scene) -> bool:
    """A dealt hand has won."""
    return scene.dealing and bool(scene.notes("teshi", "kuttsuki"))


def no_deal_hand(scene: Scene) -> bool:
    """Four cards of a month in one hand, and the deal is played."""
    return scene.dealing and scene.before is not None and any(map(whole_months, scene.hands()))


def quad_captured(scene: Scene) -> bool:
    """Four cards of a month on the field have gone to the dealer."""
    return bool(scene.notes("field_quad"))


def quad_voids(scene: Scene) -> bool:
    """Four cards of a month on the field have made the deal void."""
    return scene.dealing and bool(scene.notes("void")) and bool(whole_months(scene.field()))


def gaji_on_field(scene: Scene) -> bool:
    """The Lightning was dealt to the field and lies there."""
    return scene.dealing and scene.before is not None and bool(scene.field() >> GAJI & 1)


def draws_only(scene: Scene) -> bool:
    """Somebody without a hand card turns one up."""
    return scene.kind == "draw_only"


def ends_with_pile(scene: Scene) -> bool:
    """The deal is over with the last card of the pile."""
    return scene.ends_deal and scene.kind == "draw_only" and table(scene.after).pile_left == 0


def ends_with_hands(scene: Scene) -> bool:
    """The deal is over while cards lie in the pile."""
    return scene.ends_deal and table(scene.after).pile_left > 0


def yaku_costs(scene: Scene) -> bool:
    """A deal in which a yaku cost somebody points."""
    return scene.ends_deal and any(_scored(scene).yaku)


def wins_by(scene: Scene, least: int, most: int) -> bool:
    """A deal that was won by that many points and brought one victory."""
    if not scene.ends_deal or scene.log.outcome is None or scene.log.outcome.winner is None:
        return False
    scores: list[int] = sorted(_scored(scene).score)
    # One victory for a margin that Basa or Chu would have paid more for.
    return least <= scores[-1] - scores[-2] < most and max(scene.log.outcome.victories) == 1


def _scored(scene: Scene) -> Any:
    """The outcome of the Sakura deal: the deal's own, or that of Oi-bana's table."""
    return getattr(scene.log.outcome, "table", scene.log.outcome)


def plain_great_win(scene: Scene) -> bool:
    """Won by 100 or more."""
    return wins_by(scene, GREAT, 10_000)


def plain_good_win(scene: Scene) -> bool:
    """Won by 50 to 99."""
    return wins_by(scene, GOOD, GREAT)


def winner_deals(scene: Scene) -> bool:
    """The deal is dealt by the last winner, whom taking turns would not have named."""
    last, now = _last_and_now(scene)
    return last is not None and last.outcome is not None and last.outcome.winner == now.dealer != _next(scene, last)


def turns_deal(scene: Scene) -> bool:
    """The deal is dealt by the next seat, who has not won the last one."""
    last, now = _last_and_now(scene)
    return last is not None and last.outcome is not None and last.outcome.winner != now.dealer == _next(scene, last)


def _last_and_now(scene: Scene) -> tuple[Any, Any]:
    earlier = scene.match.deals[scene.log.number - 2] if scene.dealing and scene.log.number > 1 else None
    return earlier, scene.log


def _next(scene: Scene, log: Any) -> int:
    return int((log.dealer + 1) % scene.match.seats)


def one_winner(scene: Scene) -> bool:
    """The match is over, and one side has won it."""
    return scene.ends_match and len(scene.match.result().winners) == 1


def shared_win(scene: Scene) -> bool:
    """The match is over, and several have won it."""
    return scene.ends_match and len(scene.match.result().winners) > 1


def sum_decides(scene: Scene) -> bool:
    """Return who has the higher sum has won fewer deals, or the other way round: the two ways of winning differ."""
    if not one_winner(scene):
        return False
    won = [scene.match.ruleset.sides(scene.match.seats)[log.outcome.winner] for log in scene.match.deals
           if log.outcome is not None and log.outcome.winner is not None]  # fmt: skip
    by_sum = max(range(scene.match.side_count), key=lambda side: scene.match.totals[side])
    # A match in which both ways name the same winner would show neither.
    by_deals = max(range(scene.match.side_count), key=won.count)
    return by_sum != by_deals


def drawn_again(scene: Scene) -> bool:
    """Those on the earliest month drew again."""
    return scene.dealing and scene.log.number == 1 and len(scene.match.draws) > 1


def drawn_once(scene: Scene) -> bool:
    """Two drew the earliest month, and the better card of them deals."""
    if not scene.dealing or scene.log.number != 1 or len(scene.match.draws) != 1:
        return False
    months = sorted(card // 4 for card in scene.match.draws[0])
    return months[0] == months[1]


def own_tray(scene: Scene) -> bool:
    """At a table of four somebody captures for himself."""
    return turn(scene) and scene.match.side_count == scene.match.seats


def team_member_deals(scene: Scene) -> bool:
    """A team has won; of its members the first from the last dealer on deals."""
    return winner_deals(scene) and scene.match.side_count < scene.match.seats


CLAUSES: Final[Mapping[str, Proof]] = MappingProxyType(
    {
        "deal": plain_deal,
        "deal-hands": deal_hand,
        "full-month": lambda scene: quad_captured(scene) or quad_voids(scene),
        "turn": turn,
        "empty-hand": draws_only,
        "declaring-hiki": hiki,
        "gaji": wild_gaji,
        "gaji-triple": lambda scene: takes_one_of_three(scene) or takes_three(scene),
        "gaji-from-pile": wild_from_pile,
        "gaji-block": blocked,
        "gaji-claim": lambda scene: claimed(scene) or transferred(scene),
        "score": yaku_costs,
        "next-dealer": lambda scene: winner_deals(scene) or turns_deal(scene),
        "match": one_winner,
    }
)
OPTIONS: Final[Mapping[tuple[str, object], Proof]] = MappingProxyType(
    {
        ("first_dealer_tie", "redraw"): drawn_again,
        ("first_dealer_tie", "value_then_redraw"): drawn_once,
        ("deal_pattern", "packets"): plain_deal,
        ("deal_pattern", "halves"): plain_deal,
        ("field_quad", "dealer_captures"): quad_captured,
        ("field_quad", "void_round"): quad_voids,
        ("deal_hands", "off"): no_deal_hand,
        ("deal_hands", "teshi_kuttsuki"): deal_hand,
        ("hiki", "any_split"): hiki,
        ("hiki", "off"): no_hiki,
        ("hiki_block", "owner_captures"): blocked,
        ("hiki_block", "forbid_triple"): blocked,
        ("hiki_block", "off"): unblocked,
        ("blocked_gaji", "retarget_or_leave"): retargets,
        ("gaji_wild", "from_hand"): wild_late,
        ("gaji_wild", "until_willow_captured"): tame_late,
        ("gaji_from_pile", "plain"): plain_from_pile,
        ("gaji_from_pile", "wild"): wild_from_pile,
        ("gaji_decline", "after_block_only"): leaves,
        ("gaji_on_triple", "one"): takes_one_of_three,
        ("gaji_on_triple", "all"): takes_three,
        ("gaji_claim", "round_end_same_month"): claimed,
        ("gaji_claim", "next_point_card"): transferred,
        ("gaji_at_deal", "stay"): gaji_on_field,
        ("triple_capture", "mandatory"): triple,
        ("round_end", "hands_and_pile"): ends_with_pile,
        ("round_end", "hands_empty"): ends_with_hands,
        ("round_end", "pile_or_hands"): ends_with_hands,
        ("scoring", "cumulative"): sum_decides,
        ("scoring", "victories"): sum_decides,
        ("basa", False): plain_great_win,
        ("chu", False): plain_good_win,
        ("yaku_penalty", 50): yaku_costs,
        ("dealer_succession", "winner"): winner_deals,
        ("dealer_succession", "rotate"): turns_deal,
        ("team_dealer", "earliest_member"): team_member_deals,
        ("teams", "solo"): own_tray,
        ("rounds", 12): one_winner,
        ("final_tie", "shared"): shared_win,
    }
)
