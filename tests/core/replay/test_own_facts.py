"""Facts that only one game's replay tells: from fixed seeds, against the record and not against the replay's code."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

from core.replay.book import book
from core.replay.document import Deal, Replay, read
from core.replay.marks import TABLE, board_at
from core.replay.reducer import Place
from core.replay.rows import rows
from core.replay.table import table_at
from core.replay.words import Phrasebook, deal_text, line_text
from engine.action import Action
from engine.games import ruleset
from engine.match import Match
from engine.record import write
from tests.core.replay.played import FAIR

NAMES = ("Plum", "Kiri", "Lani", "Kimo", "Nohea", "Aki", "Hoku")
Policy = Callable[[random.Random, Sequence[Action]], Action]


def anything(rng: random.Random, legal: Sequence[Action]) -> Action:
    """Random legal play."""
    return rng.choice(legal)


def passing(_rng: random.Random, legal: Sequence[Action]) -> Action:
    """Pass whenever the rules let it."""
    return legal[-1]


def a_document(preset: str, seats: int, seed: int, policy: Policy = anything, **options: Any) -> dict[str, Any]:
    """A match of this seed, the same in every run."""
    rng = random.Random(seed)
    match = Match(ruleset(preset, **options), seats, seed.to_bytes(16, "big"))
    while not match.is_over:
        match.apply(policy(rng, match.legal_actions()))
    document: Any = write(match, match_id="m", fair=FAIR, bots=["sha256:00"] * seats, preset=preset)
    document["view"]["names"] = list(NAMES[:seats])
    return dict(document)


def told(preset: str, seats: int, seed: int, policy: Policy = anything, **options: Any) -> tuple[Replay, Phrasebook]:
    """The replay of such a match, and English."""
    replay = read(a_document(preset, seats, seed, policy, **options))
    return replay, book("en", str, replay.game)


def said_in(replay: Replay, words: Phrasebook, number: int) -> list[str]:
    """All sentences of a deal."""
    return deal_text(replay, words, replay.deals[number - 1])


def lines_of(replay: Replay, words: Phrasebook, deal: Deal) -> list[str]:
    """The score lines of a deal, side by side."""
    return [line_text(replay, words, deal, side) for side in range(replay.side_count)]


# -- Oi-bana ---------------------------------------------------------------------------------------------------------


def test_of_four_of_whom_two_play_these_sit_opposite_each_other() -> None:
    replay, words = told("oibana", 4, 3, rounds=4)
    duels = 0
    for deal, view in product(replay.deals, range(5)):
        bidding, playing = (table_at(replay, Place(deal.number, move), view, words) for move in (1, len(deal.moves)))
        assert not any(seat.is_out for seat in bidding.others), "all have a hand"
        assert [seat.offset for seat in bidding.others] == [seat.offset for seat in playing.others], "nobody moves"
        assert [seat.seat for seat in playing.others] == [(playing.me.seat + n) % 4 for n in (1, 2, 3)], "told in turn"
        assert playing.me.seat == view - 1 if view else not playing.me.is_out
        places = {seat.offset: seat.is_out for seat in playing.others}
        if playing.me.is_out:
            assert list(places) == [1, 2, 3]
        else:
            assert places == {1: True, 2: False, 3: True}
            duels += 1
    assert duels > len(replay.deals)


def test_the_auction_stands_beside_the_seats_and_the_stake_is_told() -> None:
    replay, words = told("oibana", 4, 3, rounds=4)
    for deal in replay.deals:
        bids = {move.seat: move.action["bid"] for move in deal.moves if "bid" in move.action}
        order = [(deal.dealer + turn) % 4 for turn in range(4)]
        players = sorted(order, key=lambda seat: -bids[seat])[:2]  # of equal bids the earlier is higher
        board = board_at(replay, words, deal, 4)
        for seat in range(4):
            assert board.at(seat) == (f"bid {bids[seat]}", "plays" if seat in players else "watches")
        assert board_at(replay, words, deal, 1).at(order[1]) == ()
        loser = next(seat for seat in players if seat != deal.winner)
        assert deal.winner is not None
        last = deal_text(replay, words, deal)[-1]
        assert re.search(rf"{NAMES[deal.winner]} wins by −?\d+ : −?\d+, so {NAMES[loser]} pays {bids[loser]}\b", last)
        lines = lines_of(replay, words, deal)
        assert lines[deal.winner] == f"stake {bids[loser]} from {NAMES[loser]}"
        assert lines[loser] == f"stake −{bids[loser]} to {NAMES[deal.winner]}"
        assert {lines[seat] for seat in order if seat not in players} == {"did not play"}


# -- Nuki ------------------------------------------------------------------------------------------------------------


def test_who_plays_who_drops_and_who_is_forced_out() -> None:
    replay, words = told("nuki88", 4, 0)
    seen = set()
    for deal in replay.deals:
        answers = {move.seat: move.action["join"] for move in deal.moves if "join" in move.action}
        board = board_at(replay, words, deal, len(deal.moves))
        begun = any(event["code"] == "begin" for move in deal.moves for event in move.events)
        for seat in range(4):
            roles = [note for note in board.at(seat) if note in ("plays", "dropped out", "forced out")]
            expected = {"play": ["plays"], "drop": ["dropped out"]}.get(answers.get(seat, ""), ["forced out"])
            if begun and not any(event["code"] == "misdeal" for move in deal.moves for event in move.events):
                assert roles == expected, (deal.number, seat)
                seen |= set(roles)
    assert seen == {"plays", "dropped out", "forced out"}
    assert "play this deal; forced out: " in " ".join(said_in(replay, words, 1) + said_in(replay, words, 9))


def test_the_large_field_stands_on_the_table() -> None:
    replay, words = told("nuki88", 2, 5)
    assert {deal.mult for deal in replay.deals} == {1, 2}
    for deal in replay.deals:
        notes = board_at(replay, words, deal, 0).at(TABLE)
        assert notes == (("Large field: ×2",) if deal.mult == 2 else ())
        assert ("every payment counts 2 times" in said_in(replay, words, deal.number)[0]) == (deal.mult == 2)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seed", range(8))
def test_a_combination_is_said_once(seed: int) -> None:
    for seats in (2, 4):
        replay, words = told("nuki88", seats, seed)
        for deal in replay.deals:
            for sentence in deal_text(replay, words, deal):
                said = sentence.split(" Deal ")[0]
                for name in ("Five Brights", "Four Brights", "Seven Ribbons", "Poetry Ribbons", "Blue Ribbons"):
                    assert said.count(name) <= 1, said


def test_calls_end_the_deal_in_their_own_words_and_the_kan_are_named() -> None:
    replay, words = told("nuki88", 4, 1)
    said = said_in(replay, words, 3)
    assert said[-1].startswith("Kimo cancels: the deal ends for half.")
    assert said[-1].endswith("Kimo wins it: hand yaku Red +20; half yaku Poetry Ribbons +35 = 55.")
    board = board_at(replay, words, replay.deals[2], len(replay.deals[2].moves))
    assert board.at(3) == ("plays", "Red, 2 kan", "has cancelled")
    assert replay.deals[2].total[3] == -35
    place = Place(3, len(replay.deals[2].moves))
    assert table_at(replay, place, 0, words).seats[2].figure == "Total −35 (−3.5 kan)"


def test_payments_name_what_they_are_for_and_who_gets_them() -> None:
    options: dict[str, Any] = {"dropout_penalty": "hachi", "forced_out_compensation": "hachi", "mizuten": True}
    replay, words = told("nuki88", 4, 0, **options)
    first, second = (lines_of(replay, words, deal) for deal in replay.deals[:2])
    assert first[0] == "card points −66 to Kiri; Mizuten −20 to Kiri = −86"
    assert first[2] == "forced out +36"
    assert "hand yaku Three Pairs −40 to Kiri; hand yaku Three Pairs +40; card points +25; the pot +25 = 50" in second
    assert "dropped out −10" in second
    assert "plays blind" in " ".join(board_at(replay, words, replay.deals[0], 1).at(replay.deals[0].dealer))


def test_who_alone_plays_has_won_without_a_line() -> None:
    replay, words = told("nuki88", 4, 0)
    alone = [deal for deal in replay.deals if not deal.lines]
    assert alone, "a deal that nobody contests"
    for deal in alone:
        assert deal.winner is not None
        assert deal_text(replay, words, deal)[-1].endswith(f"{NAMES[deal.winner]} wins it.")
        assert not any(lines_of(replay, words, deal))


# -- Koi-Koi ---------------------------------------------------------------------------------------------------------


def test_a_move_is_tagged_with_every_yaku_that_it_made_or_raised() -> None:
    replay, words = told("koikoi_nintendo", 2, 3)
    seen = set()
    for deal in replay.deals:
        listed = rows(replay, words, deal, said_in(replay, words, deal.number))
        for row, move in zip(listed[1:], deal.moves, strict=True):
            made = [event["yaku"] for event in move.events if event["code"] == "yaku"]
            assert set(row.tags) >= {words["yaku"][name] for name in made}
            assert len(row.tags) == len(set(row.tags))
            seen.update(made)
    assert seen & {"animals", "ribbons", "chaff"}, "of any cards of a kind"


# -- Oi-bana ----------------------------------------------------------------------------------------------------------


def test_a_bid_that_has_the_field_dealt_is_told_and_shows_no_turned_up_card() -> None:
    replay, words = told("oibana", 4, 3)
    last_bids = 0
    for deal in replay.deals:
        listed = rows(replay, words, deal, said_in(replay, words, deal.number))
        for row, move in zip(listed[1:], deal.moves, strict=True):
            if "bid" in move.action:
                assert row.parts == (), row.text
                assert " bids " in row.text
                last_bids += len(move.effects) > 8
    assert last_bids, "the field is dealt"


# -- Poka ------------------------------------------------------------------------------------------------------------


def test_ghosts_chains_and_flips() -> None:
    replay, words = told("poka5", 2, 3)
    for deal in replay.deals:
        last = None
        for move, sentence in zip(deal.moves, deal_text(replay, words, deal)[1:], strict=True):
            card = move.action.get("discard")
            if card is not None:
                chained = last is not None and last.seat == move.seat and "discard" in last.action
                assert (" continues with " in sentence) == chained
                assert ("(ghost)" in sentence) == (card in ("01.1", "01.2", "02.1"))
            if move.flip is not None:
                assert f"both have passed: {words['cards'][move.flip]} is turned up" in sentence
            last = move


def test_the_discards_lie_on_the_table() -> None:
    replay, words = told("poka5", 2, 3)
    deal = replay.deals[0]
    table = table_at(replay, Place(1, len(deal.moves)), 0, words)
    laid = [effect.card for effect in deal.start if effect.target == "d"]
    laid += [effect.card for move in deal.moves for effect in move.effects if effect.target == "d"]
    assert table.discard == tuple(laid)
    assert table.me.tray is None
    sakura, _words = told("hawaii", 2, 3, rounds=1)
    assert table_at(sakura, Place(1, 0), 0, _words).discard is None


def test_passes_stand_beside_the_seats_until_somebody_discards() -> None:
    replay, words = told("poka5", 2, 3, passing)
    deal = replay.deals[0]
    for number, move in enumerate(deal.moves, start=1):
        notes = board_at(replay, words, deal, number).at(move.seat)
        if "pass" in move.action and move.flip is None:
            assert notes == ("has passed",)
        elif "discard" in move.action:
            assert notes == board_at(replay, words, deal, number).at(1 - move.seat) == ()


def test_passes_are_gone_once_a_card_is_turned_up() -> None:
    """rules.md 7.2: after it passes are counted from nothing."""
    replay, words = told("poka5", 2, 3, passing)
    turned = [(deal, number) for deal in replay.deals for number, move in enumerate(deal.moves, 1) if move.flip]
    assert turned
    for deal, number in turned:
        before = board_at(replay, words, deal, number - 1)
        after = board_at(replay, words, deal, number)
        assert "has passed" in (*before.at(0), *before.at(1))
        assert "has passed" not in (*after.at(0), *after.at(1))


def test_a_reshuffle_is_told_and_counted() -> None:
    replay, words = told("poka5", 2, 1, passing)
    found = [
        (deal, move)
        for deal in replay.deals
        for move in deal.moves
        if any(event["code"] == "reshuffle" for event in move.events)
    ]
    assert found
    deal, move = found[0]
    assert (
        "the discards but the top one are shuffled into a new draw pile" in deal_text(replay, words, deal)[move.number]
    )
    assert board_at(replay, words, deal, move.number - 1).at(TABLE) == ()
    assert board_at(replay, words, deal, move.number).at(TABLE) == ("Shuffled again: 1",)


@pytest.mark.parametrize(
    ("seed", "deal", "words_", "line"),
    [
        (107, 2, "", "All Out +2"),
        (3, 5, "Plum was dealt January Triplet: Pine Poetry Ribbon (ghost), ", "January Triplet +2"),
        (48, 2, "Kiri was dealt Ghost Triplet: Crane (ghost), ", "Ghost Triplet +2"),
        (106, 5, "Kiri was dealt Four of a Kind: Full Moon, Geese, ", "Four of a Kind +5"),
    ],
)
def test_what_a_poka_deal_was_won_with(seed: int, deal: int, words_: str, line: str) -> None:
    replay, words = told("poka5", 2, seed)
    said = said_in(replay, words, deal)
    assert words_ in said[0]
    assert said[-1].endswith(f" wins it: {line}.")


# -- Sakura ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "seats", "seed", "options", "deal", "sentence"),
    [
        ("french", 2, 0, {}, 9, "Plum, who used the Lightning, claims Curtain from the field"),
        ("french", 2, 25, {}, 11, "names Pine Chaff 2; forbidden: Kiri holds the fourth Pine card"),
        ("french", 2, 1, {}, 9, "Plum was dealt Teshi, four cards of one month, and shows Pine Chaff 1, "),
        ("french", 2, 24, {}, 12, "Kiri was dealt Kuttsuki, four pairs, and shows "),
        ("french", 2, 1, {}, 11, "make the deal void"),
        ("enwiki2020", 3, 0, {}, 1, "Plum plays Iris Ribbon and takes Iris Chaff 2; turns up Wisteria Chaff"),
        ("enwiki2020", 3, 0, {}, 1, "Iris Ribbon passes to Lani, who used the Lightning"),
        ("hawaii", 4, 5, {"blocked_gaji": "retarget_leave_or_return"}, 8, "blocked: Kimo takes all four Pampas cards"),
        ("hawaii", 4, 44, {"blocked_gaji": "retarget_leave_or_return"}, 1, "takes Lightning back into the hand"),
    ],
)
def test_claims_blocks_returns_and_dealt_hands(
    preset: str, seats: int, seed: int, options: dict[str, Any], deal: int, sentence: str
) -> None:
    replay, words = told(preset, seats, seed, **options)
    assert sentence in " ".join(said_in(replay, words, deal))


def test_a_void_deal_has_no_winner() -> None:
    replay, words = told("french", 2, 1)
    assert replay.deals[10].winner is None
    assert said_in(replay, words, 11)[-1].endswith("Deal 11 is over: Plum 0, Kiri 0.")
    assert lines_of(replay, words, replay.deals[10]) == ["void deal", "void deal"]


def test_who_sits_on_both_seats_of_a_pair_is_named_once() -> None:
    document = a_document("french", 4, 2, teams="2x2", rounds=1)
    document["view"]["names"] = ["Plum", "Kiri", "Plum", "Lani"]
    replay = read(document)
    words = book("en", str, replay.game)
    assert "Deal 1 is over: Plum " in deal_text(replay, words, replay.deals[0])[-1]
    assert ", Kiri + Lani " in deal_text(replay, words, replay.deals[0])[-1]


def test_a_short_month_on_the_field_is_not_called_four() -> None:
    replay, words = told("nuki88", 4, 2)
    assert "both Paulownia lie on the field and go to Lani" in said_in(replay, words, 11)[0]
    assert "takes the four" not in said_in(replay, words, 11)[0]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("preset", "seats"), [("enwiki2020", 3), ("enwiki2020", 2), ("french", 4), ("nuki88", 2)])
def test_every_captured_card_is_named_whoever_gets_it(preset: str, seats: int, seed: int) -> None:
    replay, words = told(preset, seats, seed)
    for deal in replay.deals:
        for move, sentence in zip(deal.moves, deal_text(replay, words, deal)[1:], strict=True):
            captured = [effect.card for effect in move.effects if effect.source == "f" and effect.target[0] == "c"]
            assert all(words["cards"][card] in sentence for card in captured), sentence
            laid = [effect.card for effect in move.effects if effect.target == "f"]
            told_to_lie = [card for card in laid if words["cards"][card] not in sentence]
            assert not told_to_lie
            assert " takes  " not in sentence
            if " lays " in sentence:
                assert move.action["play"] in laid, sentence


def test_who_does_not_drop_out_in_nuki_stays_in_and_plays_no_card_yet() -> None:
    replay, words = told("nuki88", 3, 1)
    said = [line for deal in replay.deals for line in said_in(replay, words, deal.number)]
    assert any(re.search(r"^(\w+) stays in\b", line) for line in said)
    assert not any(re.search(r"\bplays(\.|;|$)", line) for line in said)
