"""Observations that no world fits are refused with a sentence, not sampled for ever. rules.md 11."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.cards import members
from engine.errors import NoWorld
from engine.game import game_of
from engine.games import GAMES, ruleset
from engine.games.koikoi import observation as koikoi
from engine.games.nuki import sampling as nuki_sampling
from engine.games.nuki.observation import observe as observe_nuki
from engine.games.nuki.teyaku import Claim, Claims
from engine.games.oibana.observation import determinize as determinize_oibana
from engine.games.oibana.observation import observe as observe_oibana
from engine.games.poka import observation as poka
from engine.games.poka.teyaku import BY_ID, Shown
from engine.games.sakura import observation as sakura
from tests.engine.koikoi.tables import fresh_deal as koikoi_deal
from tests.engine.nuki.tables import fresh_deal as nuki_deal
from tests.engine.oibana_worlds import at_table
from tests.engine.poka.tables import fresh_deal as poka_deal
from tests.engine.worlds import fresh_deal, seed_of

NONE_FITS = r"^No world fits this observation\. Pass the observation of a seat as the engine made it\.$"
NO_SUM = r"^The cards of this observation do not add up to the deck\.$"


def contradicted(seen: sakura.SakuraObservation) -> sakura.SakuraObservation:
    """Seat 1 is known to hold a card, and an unblocked Gaji has shown that nobody does."""
    card = 1 << next(members(seen.unseen))
    return seen._replace(known=(0, card, *seen.known[2:]), clear=card)


def in_sakura() -> object:
    seen = sakura.observe(fresh_deal(ruleset("hawaii"), 3, seed_of("none")), 0)
    return sakura.determinize(contradicted(seen), Random(1))


def in_oibana() -> object:
    seen = observe_oibana(at_table(4, 1, 8, 9, 2), 0)
    assert seen.table is not None
    return determinize_oibana(replace(seen, table=contradicted(seen.table)), Random(1))


def in_nuki() -> object:
    seen = observe_nuki(nuki_deal(5), 0)
    other = 1 - seen.seat
    claims: list[Claims | None] = list(seen.claims)
    claims[other] = Claims(Claim("four_three", 0, 0), None)
    return nuki_sampling.determinize(replace(seen, claims=tuple(claims)), Random(1))


def in_poka() -> object:
    seen = poka.observe(poka_deal(ruleset("poka5"), seed_of("none")), 0)
    return poka.determinize(replace(seen, shown=(seen.shown[0], Shown(BY_ID["triple_sticky"], 0))), Random(1))


def in_koikoi() -> object:
    seen = koikoi.observe(koikoi_deal(ruleset("koikoi_fuda"), seed_of("none")), 0)
    # Four cards of a month that have left the other hand: with these the deal would never have been played.
    return koikoi.determinize(seen._replace(played=(0, 15)), Random(1))


@pytest.mark.thorough
@pytest.mark.parametrize("sample", [in_sakura, in_oibana, in_nuki, in_poka, in_koikoi])
def test_no_world_fits(sample: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sakura, nuki_sampling, poka, koikoi):
        monkeypatch.setattr(module, "MAX_SAMPLES", 30)
    with pytest.raises(NoWorld, match=NONE_FITS) as caught:
        sample()
    assert caught.value.code == "world.none"


def with_pile(game: str, change: int) -> Any:
    """An observation of a fresh deal whose pile is said to be larger."""
    seen: Any
    if game == "oibana":
        seen = observe_oibana(at_table(3, 1, 8, 9), 1)
        return replace(seen, table=seen.table._replace(pile_size=seen.table.pile_size + change))
    if game == "nuki":
        seen = observe_nuki(nuki_deal(5), 0)
    elif game == "poka":
        seen = poka.observe(poka_deal(ruleset("poka5"), seed_of("sum")), 0)
    elif game == "koikoi":
        seen = koikoi.observe(koikoi_deal(ruleset("koikoi_zoo"), seed_of("sum")), 0)
        return seen._replace(pile_size=seen.pile_size + change)
    else:
        seen = sakura.observe(fresh_deal(ruleset("hawaii"), 3, seed_of("sum")), 0)
        return seen._replace(pile_size=seen.pile_size + change)
    return replace(seen, pile_size=seen.pile_size + change)


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("game", GAMES)
def test_cards_that_do_not_add_up(game: str, change: int) -> None:
    determinize = game_of(game).determinize
    assert determinize(with_pile(game, 0), Random(1))
    with pytest.raises(NoWorld, match=NO_SUM):
        determinize(with_pile(game, change), Random(1))
