"""Every move has a sentence that names what the engine did, in every language the catalogue has."""

from dataclasses import replace
from typing import Any

import pytest

from core.replay.book import book, tables
from core.replay.document import read
from core.replay.phrases import INTERFACE, MESSAGES
from core.replay.words import PARAMETER, deal_text, fill, line_text
from engine.cards import CARDS
from tests.core.replay.played import SEATINGS, play

ENGLISH = book("en", str)


@pytest.mark.parametrize("seating", SEATINGS)
def test_every_move_is_said_and_names_its_player_and_cards(seating: tuple[int, str, dict[str, Any]]) -> None:
    for seed in range(3):
        replay = read(play(*seating, seed=seed).document)
        for deal in replay.deals:
            said = deal_text(replay, ENGLISH, deal)
            assert len(said) == len(deal.moves) + 1
            for move, sentence in zip(deal.moves, said[1:], strict=True):
                assert replay.called(move.seat) in sentence
                assert "event:" not in sentence
                named = {move.flip, *(effect.card for effect in move.effects if "hiki" not in move.action)}
                if not move.events:
                    assert all(ENGLISH["cards"][card] in sentence for card in named if card)


def test_sentences_tell_team_mates_of_one_name_apart() -> None:
    document = play(4, "hawaii", {"teams": "2x2"}, seed=7).document
    document["view"]["names"] = ["Plum", "Kiri", "Plum", "Kiri"]
    replay = read(document)
    for deal in replay.deals:
        for move, sentence in zip(deal.moves, deal_text(replay, ENGLISH, deal)[1:], strict=True):
            assert ("A1 Plum", "B1 Kiri", "A2 Plum", "B2 Kiri")[move.seat] in sentence


def test_a_percent_sign_in_a_name_is_only_a_name() -> None:
    assert fill("%(who)s lays %(card)s", {"who": "100 %(card)s", "card": "Curtain"}) == "100 %(card)s lays Curtain"


def test_short_names_are_told_apart() -> None:
    for language in ("en", "ja", "fr"):
        names = book(language, str)["cards"]
        assert len(names) == len(set(names.values())) == 48


def test_short_names_read_like_the_field_speaks() -> None:
    names = ENGLISH["cards"]
    assert [names[card] for card in ("03.1", "11.4", "01.2", "01.4", "12.2")] == [
        "Curtain", "Lightning", "Pine Poetry Ribbon", "Pine Chaff 2", "Yellow Paulownia",
    ]  # fmt: skip


def test_lines_add_up_in_words() -> None:
    replay = read(play(3, "hawaii", {}, seed=11).document)
    for deal in replay.deals:
        for side, score in enumerate(deal.score):
            sentence = line_text(replay, ENGLISH, deal, side)
            shown = str(score).replace("-", "\N{MINUS SIGN}")
            several = sum(line.side == side for line in deal.lines) > 1
            assert sentence.endswith(f" = {shown}" if several else f"cards {shown}")
            assert score == sum(line.value for line in deal.lines if line.side == side)


@pytest.mark.parametrize(
    ("code", "cause"), [("left", "has left"), ("timeout.clock", "out of time"), ("crash", "crash")]
)
def test_a_forfeit_says_why_in_words(code: str, cause: str) -> None:
    whole = read(play(2, "hawaii", {}, seed=3).document)
    forfeit = {"deal": 1, "move": 2, "seat": whole.deals[0].moves[1].seat, "code": code}
    replay = replace(whole, forfeits=(forfeit,))
    assert f"has forfeited ({cause}): " in deal_text(replay, ENGLISH, replay.deals[0])[2]


def test_translators_keep_the_parameters() -> None:
    shouted = book("en", lambda message: message.upper() if "%" not in message else message)
    for key, message in (MESSAGES | INTERFACE).items():
        ours = shouted["phrases"].get(key) or shouted["interface"][key]
        assert PARAMETER.findall(ours) == PARAMETER.findall(message)


def test_the_tables_know_every_card() -> None:
    known = tables("sakura")
    assert set(known["kinds"]) == {card.code for card in CARDS}
    assert known["kinds"]["11.1"] == "animal"
    assert known["overlays"] == {"11.1": "animal", "12.2": "ribbon"}
    assert sum(known["values"].values()) == 240
