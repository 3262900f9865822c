"""Random deals of Koi-Koi in matches under random options: `python -m tests.engine.koikoi.random_deals [DEALS]`.

At every decision the 48 cards are in one place each and something is legal. At some of them both seats are shown the
same in a world with other hidden cards, and no hidden card is named. Every match ends in a record that gives the
same match again, and that verifies with its seed. Counted is what was played, by option and value.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

from engine.cards import codes
from engine.deck import commitment
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.koikoi.observation import observe, to_json
from engine.games.koikoi.options import OPTIONS
from engine.games.koikoi.state import KoiKoiState
from engine.match import Match
from engine.record import canonical, rederive, verify, write
from tests.engine.koikoi.tables import is_partition, shuffled_for
from tests.engine.worlds import seed_of

NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "rounds": (1, 2, 3, 6, 12),
    "stake": (0, 0, 10, 30),
    "target": (0, 0, 10, 30),
}
"""Values of the options that are numbers; 0 twice, or most matches would end early."""
LOOKED_AT: Final = 0.1
"""How often the other world is looked at."""
CALLS: Final = (0.0, 0.5, 0.95)
"""How often koi-koi is called where it may be; another one for each match."""
Counts = Counter[tuple[str, OptionValue]]


def random_rules(dice: Random) -> Ruleset:
    """Any rules of Koi-Koi, every option drawn on its own."""
    wanted = {info.id: dice.choice(info.allowed or NUMBERS[info.id]) for info in OPTIONS}
    return ruleset("koikoi_nintendo", **wanted)


def play_deals(deals: int, *, shard: int = 0) -> Counts:
    """Play at least that many deals; the same ones for the same shard. Returns how many by option and value."""
    counts: Counts = Counter()
    played = number = 0
    while played < deals:
        number += 1
        seed = seed_of("koikoi", shard, number)
        dice = Random(seed)
        match = Match(random_rules(dice), 2, seed)
        _play(match, dice)
        _check_record(match, seed)
        played += len(match.deals)
        counts.update(dict.fromkeys(_values(match.ruleset), len(match.deals)))
    counts["deals", "all"] = played
    return counts


def _values(rules: Ruleset) -> Iterator[tuple[str, OptionValue]]:
    for info in OPTIONS:
        yield info.id, getattr(rules.options, info.id)


def _play(match: Match, dice: Random) -> None:
    calls = dice.choice(CALLS)
    while not match.is_over:
        state = match.state
        assert isinstance(state, KoiKoiState)
        assert is_partition(state)
        legal = match.legal_actions()
        assert legal, "somebody must decide, but nothing is legal"
        if dice.random() < LOOKED_AT:
            _check_views(state, dice)
        declares = legal[0].kind == "declare"
        match.apply(legal[dice.random() < calls] if declares else dice.choice(legal))
    assert not match.legal_actions()


def _check_views(state: KoiKoiState, dice: Random) -> None:
    """Neither seat is told of a hidden card: not by name, and not by anything else that depends on one."""
    for seat in (0, 1):
        twin, shown = shuffled_for(state, seat, dice), to_json(state, seat)
        assert is_partition(twin)
        assert observe(twin, seat) == observe(state, seat)
        assert to_json(twin, seat) == shown
        assert twin.turn != seat or twin.legal_actions() == state.legal_actions()
        hidden = {*codes(state.hands[1 - seat]), *(code for card in state.hidden() for code in codes(1 << card))}
        assert not hidden & set(_texts(shown))


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _check_record(match: Match, seed: bytes) -> None:
    """The record, read from its text, gives the same bytes again and verifies with the seed."""
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    document = write(match, match_id="m", fair=fair, bots=[None, None], preset="koikoi_nintendo")
    read = json.loads(json.dumps(document))
    assert rederive(read) == canonical(read["record"])
    found = verify(read, seed=seed)
    assert found.ok, found


def missing(counts: Counts) -> list[tuple[str, OptionValue]]:
    """Return the values of options that no deal was played with."""
    wanted = [(info.id, value) for info in OPTIONS for value in info.allowed or NUMBERS[info.id]]
    return [each for each in wanted if not counts[each]]


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    counts = play_deals(deals)
    print(f"{counts['deals', 'all']:,} deals")
    for info in OPTIONS:
        played = {value: counts[info.id, value] for value in dict.fromkeys(info.allowed or NUMBERS[info.id])}
        print(f"  {info.id}: " + ", ".join(f"{value} {count:,}" for value, count in played.items()))
    assert not missing(counts)


if __name__ == "__main__":
    main()
