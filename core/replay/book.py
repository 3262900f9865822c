"""The book of words: what the viewer needs in one language, as plain JSON for templates and browser alike."""

from collections.abc import Callable
from typing import Any

from core.replay import facts
from core.replay.phrases import CAUSES, INTERFACE, MESSAGES, YAKU_NAMES
from engine.cards import CARDS, FLOWER_NAMES, Card
from engine.words import Mark

COLON = {"en": ": ", "fr": " : "}
"""The sign between flower and subject in a card's name; Japanese says both: `松に鶴`."""
LANGUAGES = (*COLON, "ja")
IROHA = {"I": "い", "Ro": "ろ", "Ha": "は", "Ni": "に", "Ho": "ほ", "He": "へ", "To": "と", "Chi": "ち"}
DECIMAL = {"fr": ","}
"""The decimal sign where it is no point."""


def short_name(card: Card, language: str) -> str:
    """The name of a card inside a sentence: the subject alone where it is unique, else flower and kind.

    Twin chaff carries the number of pips of its picture: `Pine Chaff 2`.
    """
    name = card.names[language]
    # The Willow (11) has one chaff only, the Gaji, and a ribbon at rank 3: nothing of it comes twice.
    pips = f" {card.rank - 2}" if card.rank > 2 and card.month != 11 else ""
    if language == "ja":
        return name + pips
    flower, _colon, subject = name.partition(COLON[language])
    if card.category in ("bright", "animal"):
        return subject
    if language == "en" and card.code in ("11.4", "12.2"):
        return subject.removesuffix(" (Gaji)")
    return f"{flower} {subject}{pips}"  # no comma in it: names stand in lists


def own_words(game: str, translate: Callable[[str], str]) -> dict[str, Any]:
    """The sentences that a game brings along, for moves, events and lines that the viewer has no words for."""
    words = facts.words_of(game)
    tables = {"moves": words.moves, "events": words.events}
    return {
        **{
            part: {key: {"text": translate(one.text), "values": dict(one.values)} for key, one in table.items()}
            for part, table in tables.items()
        },
        "lines": {code: translate(text) for code, text in words.lines.items()},
        "marks": {key: [own_mark(mark, translate) for mark in marks] for key, marks in words.marks.items()},
    }


def own_mark(mark: Mark, translate: Callable[[str], str]) -> dict[str, Any]:
    """A note of the game as data. A note without text is no message of the catalogue."""
    text = translate(mark.text) if mark.text else ""
    return {"text": text, "values": dict(mark.values), "group": mark.group, "seats": list(mark.seats)}


def yaku_sign(name: str, language: str) -> str:
    """The syllable of the Iroha by which a yaku of Sakura is known, in the writing of the language."""
    return IROHA.get(name, name) if language[:2] == "ja" else name


def yaku_names(game: str, translate: Callable[[str], str], tongue: str) -> dict[str, str]:
    """Names of a game's combinations by id. Sakura's are known by the first syllables of the Iroha as well."""
    both = translate(INTERFACE["besides"])
    found = {one.id: translate(one.name) for one in facts.words_of(game).combinations}
    signs = {name: yaku_sign(name, tongue) for name in found if name in YAKU_NAMES}
    return {name: both % {"card": signs[name], "also": word} if name in signs else word for name, word in found.items()}


def book(language: str, translate: Callable[[str], str], game: str = "sakura") -> dict[str, Any]:
    """Return all words of the viewer. language: `en`, `ja` or `fr`; anything else gets English card names."""
    tongue = language[:2] if language[:2] in LANGUAGES else "en"
    words = facts.words_of(game)
    interface = {key: translate(message) for key, message in INTERFACE.items()}
    if not words.values:
        interface["points"] = ""  # cards that have no points are not counted up
    names = {card.code: short_name(card, tongue) for card in CARDS}
    for code, also in words.also.items():
        names[code] = interface["besides"] % {"card": names[code], "also": translate(also)}
    return {
        "language": language,
        "phrases": {key: translate(message) for key, message in MESSAGES.items()},
        "causes": {code: translate(cause) for code, cause in CAUSES.items()},
        "interface": interface,
        "cards": names,
        "flowers": list(FLOWER_NAMES[tongue]),
        "yaku": yaku_names(game, translate, tongue),
        "kana": {name: IROHA[name] for name in facts.yaku_cards(game) if name in IROHA},
        "signs": {name: yaku_sign(name, tongue) for name in YAKU_NAMES},
        "own": own_words(game, translate),
        "unit": {"name": translate(words.unit), "points": words.unit_points, "decimal": DECIMAL.get(tongue, ".")},
    }


def tables(game: str) -> dict[str, Any]:
    """Return what the browser must know of the cards of a game: kinds, values, yaku, glyph overlays. Data, not
    rules.
    """
    return {
        "kinds": facts.kinds(game),
        "values": facts.values(game),
        "yaku": {name: list(cards) for name, cards in facts.yaku_cards(game).items()},
        "counted": {name: list(told) for name, told in facts.counted_kinds(game).items()},
        "besides": facts.besides(game),
        "overlays": facts.overlays(game),
    }
