"""Proofs for Koi-Koi: scenes that the examples of its clauses and options must show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.cards import card_set
from engine.games.koikoi.deal import deal_cards
from engine.games.koikoi.hands import is_four_pairs
from engine.games.koikoi.yaku import BRIGHTS, CUP, WILLOWS, month_of
from scripts.examples import sakura
from scripts.examples.scene import Proof, Scene, whole_months

SETS: Final = ("boar_deer_butterflies", "poetry_and_blue", "poetry_ribbons", "blue_ribbons")


def stopped(scene: Scene) -> bool:
    """The deal is over, and somebody has scored yaku."""
    return scene.ends_deal and scene.log.outcome is not None and scene.log.outcome.reason == "shoubu"


def yaku(scene: Scene) -> dict[str, int]:
    """The yaku that were scored, with their points; none while the deal goes on."""
    return {line["yaku"]: line["v"] for line in scene.lines("yaku")} if stopped(scene) else {}


def captured(scene: Scene) -> int:
    """Everything the winner of the deal has captured."""
    winner = scene.log.outcome.winner if scene.log.outcome else None
    return 0 if winner is None else int(scene.after.captured[winner])


def thrown_in(scene: Scene) -> Any:
    """The cards of the first order of a deal that was dealt again; None of any other deal."""
    if not scene.dealing or len(scene.log.orders) < 2:
        return None
    return deal_cards(scene.log.orders[0], scene.log.dealer, scene.options.deal_pattern)


def field_thrown_in(scene: Scene) -> bool:
    """Four of a month lay on the field, and the cards were dealt again."""
    cards = thrown_in(scene)
    return cards is not None and bool(whole_months(card_set(cards.field)))


def pairs_thrown_in(scene: Scene) -> bool:
    """Four pairs lay on the field, and the cards were dealt again."""
    cards = thrown_in(scene)
    return cards is not None and is_four_pairs(card_set(cards.field)) and not whole_months(card_set(cards.field))


def hand_thrown_in(scene: Scene) -> bool:
    """A hand held four of a month, and the cards were dealt again."""
    cards = thrown_in(scene)
    return cards is not None and any(whole_months(card_set(hand)) for hand in cards.hands)


def dealt_once(scene: Scene) -> bool:
    """Cards are dealt and nothing happens."""
    return sakura.plain_deal(scene) and scene.before is not None and len(scene.log.orders) == 1


def pairs_played(scene: Scene) -> bool:
    """Four pairs lie on the field, and the deal is played."""
    return dealt_once(scene) and is_four_pairs(scene.field())


def hand_of_pairs_played(scene: Scene) -> bool:
    """A hand holds four pairs, and the deal is played."""
    return dealt_once(scene) and any(map(is_four_pairs, scene.hands()))


def lucky(name: str) -> Proof:
    """A dealt hand of that name has won 6 points, alone."""

    def proof(scene: Scene) -> bool:
        found = scene.notes("teyaku")
        return scene.dealing and [note["name"] for note in found] == [name] and bool(scene.lines(name))

    return proof


def decides(scene: Scene) -> bool:
    """Somebody calls koi-koi."""
    return scene.kind == "declare" and scene.action is not None and scene.action.word == "koikoi"


def called_before(scene: Scene) -> int:
    """Return how often koi-koi was called in the deal before this move."""
    return sum(action.word == "koikoi" for action in scene.log.actions[: scene.move - 1])


def used_up(scene: Scene) -> bool:
    """A yaku ends the deal although there are hand cards left: koi-koi was called before."""
    left = scene.ends_deal and bool(scene.notes("no_call")) and bool(scene.after.hands[scene.seat])
    return left and called_before(scene) == 1


def calls_again(scene: Scene) -> bool:
    """Koi-koi is called a second time in the deal."""
    return decides(scene) and called_before(scene) > 0


def limit_shows(scene: Scene) -> bool:
    """The one call is used up, or there is another one."""
    return used_up(scene) if scene.options.koikoi_limit == "once" else calls_again(scene)


def cup_is_chaff(scene: Scene) -> bool:
    """Chaff is scored, and the Sake Cup is among the captures."""
    return "chaff" in yaku(scene) and bool(captured(scene) & CUP)


def sets_show(scene: Scene) -> bool:
    """A set has grown; or it counts 5 points beside Animals or Ribbons."""
    made = yaku(scene)
    if scene.options.sets == "grow":
        return any(made.get(name, 0) > 5 for name in SETS)
    return any(name in made for name in SETS) and any(name in made for name in ("animals", "ribbons"))


def viewing_worth(points: int) -> Proof:
    """A viewing is scored with that many points."""
    return lambda scene: points in (yaku(scene).get(name) for name in ("flower_viewing", "moon_viewing"))


def dry_viewing(scene: Scene) -> bool:
    """Flower Viewing is scored although a Willow lies on the field."""
    return "flower_viewing" in yaku(scene) and bool(scene.after.field & WILLOWS)


def month_for_nothing(scene: Scene) -> bool:
    """The winner holds all four cards of the month, and they are no yaku."""
    month = month_of(scene.log.number)
    return stopped(scene) and captured(scene) & month == month and "month_cards" not in yaku(scene)


def seven_once(scene: Scene) -> bool:
    """7 points or more are scored and not doubled."""
    return sum(yaku(scene).values()) >= 7 and not scene.lines("seven")


def brights_for_nothing(scene: Scene) -> bool:
    """Brights were dealt to the field, and the score is not multiplied by them."""
    return stopped(scene) and bool(scene.field() & BRIGHTS)


def exhausted(scene: Scene) -> bool:
    """Both hands are exhausted and nobody has stopped."""
    return scene.ends_deal and scene.log.outcome is not None and scene.log.outcome.reason == "exhausted"


def after_draw(scene: Scene) -> bool:
    """A deal after one that nobody has won."""
    last = scene.match.deals[max(0, scene.log.number - 2)]
    return scene.dealing and scene.log.number > 1 and last.outcome is not None and last.outcome.winner is None


def stake_lost(scene: Scene) -> bool:
    """The match is over before its last deal: somebody has lost all."""
    return scene.ends_match and scene.match.deal < scene.options.rounds


def all_deals(scene: Scene) -> bool:
    """The match is over after its last deal, and one player has won it."""
    return sakura.one_winner(scene) and scene.match.deal == scene.options.rounds


CLAUSES: Final[Mapping[str, Proof]] = MappingProxyType(
    {
        "deal": dealt_once,
        "misdeal": field_thrown_in,
        "lucky-hands": lambda scene: (
            hand_thrown_in(scene) if scene.options.teshi == "redeal" else lucky("teshi")(scene)
        ),
        "turn": sakura.turn,
        "decision": decides,
        "calls": limit_shows,
        "sake-cup": cup_is_chaff,
        "growing-sets": sets_show,
        "viewings": viewing_worth(3),
        "month": lambda scene: "month_cards" in yaku(scene),
        "score": lambda scene: len(yaku(scene)) > 1,
        "seven": lambda scene: stopped(scene) and bool(scene.lines("seven")),
        "opponent-called": lambda scene: stopped(scene) and bool(scene.lines("koikoi")),
        "own-calls": lambda scene: stopped(scene) and bool(scene.lines("calls")),
        "nobody-stops": exhausted,
        "payment": lambda scene: stopped(scene) and bool(scene.lines("paid")),
        "next-dealer": sakura.winner_deals,
        "match": sakura.one_winner,
    }
)
OPTIONS: Final[Mapping[tuple[str, object], Proof]] = MappingProxyType(
    {
        ("first_dealer_tie", "redraw"): sakura.drawn_again,
        ("first_dealer_tie", "rank_then_redraw"): sakura.drawn_once,
        ("deal_pattern", "twos"): dealt_once,
        ("deal_pattern", "fours"): dealt_once,
        ("deal_pattern", "packets"): dealt_once,
        ("field_quad", "redeal"): field_thrown_in,
        ("field_pairs", "redeal"): pairs_thrown_in,
        ("field_pairs", "play"): pairs_played,
        ("teshi", "win"): lucky("teshi"),
        ("teshi", "redeal"): hand_thrown_in,
        ("kuttsuki", "win"): lucky("kuttsuki"),
        ("kuttsuki", "play"): hand_of_pairs_played,
        ("teyaku_stack", False): lucky("teshi"),
        ("brights", "nintendo"): lambda scene: any(name.endswith("brights") for name in yaku(scene)),
        ("brights", "fuda"): lambda scene: any(name.endswith("brights") for name in yaku(scene)),
        ("sets", "grow"): sets_show,
        ("sets", "stack_bonus"): sets_show,
        ("viewing", "five"): viewing_worth(5),
        ("viewing", "one_three"): viewing_worth(1),
        ("weather", "off"): dry_viewing,
        ("sake_cup", "both"): cup_is_chaff,
        ("month_cards", False): month_for_nothing,
        ("month_cards", True): lambda scene: "month_cards" in yaku(scene),
        ("koikoi_limit", "once"): used_up,
        ("koikoi_limit", "many"): calls_again,
        ("seven_double", True): lambda scene: stopped(scene) and bool(scene.lines("seven")),
        ("seven_double", False): seven_once,
        ("koikoi_bonus", "opponent_double"): lambda scene: stopped(scene) and bool(scene.lines("koikoi")),
        ("koikoi_bonus", "ladder"): lambda scene: stopped(scene) and bool(scene.lines("calls")),
        ("field_brights", "off"): brights_for_nothing,
        ("exhausted", "nothing"): exhausted,
        ("exhausted", "dealer_1"): exhausted,
        ("zero_sum", False): lambda scene: stopped(scene) and not scene.lines("paid"),
        ("zero_sum", True): lambda scene: stopped(scene) and bool(scene.lines("paid")),
        ("after_draw", "other"): after_draw,
        ("after_draw", "same"): after_draw,
        ("scoring", "cumulative"): sakura.sum_decides,
        ("rounds", 12): all_deals,
        ("rounds", 8): all_deals,
        ("stake", 30): stake_lost,
    }
)
