"""Legal actions in words, and which cards they are about: what a form or a renderer without rules offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext_lazy

from core.replay.words import Phrasebook, listed
from engine.action import Action, JsonAction

LABELS: Final[Mapping[str, Any]] = {
    # Translators: what a player may choose at a table. %(card)s, %(taken)s: names of cards.
    "lay": gettext_lazy("Play %(card)s"),
    "take": gettext_lazy("Play %(card)s and take %(taken)s"),
    "all": gettext_lazy("Play %(card)s and take all three"),
    "none": gettext_lazy("Play %(card)s to the field"),
    "leave": gettext_lazy("Play %(card)s to the field"),
    "draw_take": gettext_lazy("Take %(taken)s with the turned-up card"),
    "draw_take all": gettext_lazy("Take all three with the turned-up card"),
    "draw_take none": gettext_lazy("Leave the turned-up card on the field"),
    "draw_take leave": gettext_lazy("Leave the turned-up card on the field"),
    "blocked_choice": gettext_lazy("Name %(taken)s instead"),
    "blocked_choice leave": gettext_lazy("Leave the Lightning on the field"),
    "blocked_choice return": gettext_lazy("Take the Lightning back into the hand"),
    "hiki": gettext_lazy("Hiki: take all four %(flower)s cards"),
    "draw_only": gettext_lazy("Turn up a card"),
    "bid": gettext_lazy("Bid %(amount)s"),
    "join play": gettext_lazy("Play this deal"),
    "join drop": gettext_lazy("Drop out of this deal"),
    "mizuten": gettext_lazy("Play blind (mizuten)"),
    "see": gettext_lazy("Look at the hand"),
    "triplet": gettext_lazy("Show three %(flower)s cards"),
    "call sage": gettext_lazy("Sage: play on for more"),
    "call shoubu": gettext_lazy("Shoubu: end the deal and score"),
    "call cancel": gettext_lazy("Cancel the sage"),
    "declare stop": gettext_lazy("Stop and score"),
    "declare koikoi": gettext_lazy("Koi-koi: play on for more"),
    "discard": gettext_lazy("Discard %(card)s"),
    "stop": gettext_lazy("End the turn"),
    "pass": gettext_lazy("Pass"),
}


def choice_of(action: Action, index: int, field: Sequence[str], book: Phrasebook) -> dict[str, Any]:
    """Return a legal action for a renderer: {"i": its index, "a": the action, "card", "take", "matches", "text"}.

    card: the hand card that is chosen for it, None where it is a button; take: the field card, or a word of the engine
    ("none", "leave", "return", "all"), None where nothing has to be named; matches: cards of its month on the field.
    """
    found = action.to_json()
    card = found.get("play") or found.get("discard")
    take = found.get("take") or found.get("draw_take") or found.get("blocked_choice")
    matches = [each for each in field if "play" in found and each[:2] == str(card)[:2]]
    text = words_of(action.kind, found, matches, book)
    return {"i": index, "a": found, "card": card, "take": take, "matches": matches, "text": text}


def words_of(kind: str, action: JsonAction, matches: Sequence[str], book: Phrasebook) -> str:
    """Say an action as a choice. matches: cards of the month of the hand card on the field."""
    if kind == "play":
        return _played(str(action["play"]), action.get("take"), matches, book)
    value = action[kind]
    label = LABELS.get(f"{kind} {value}") or LABELS.get(kind)
    if label is None:
        # A game that is new here: its action as the engine writes it.
        return f"{kind} {value}" if value is not True else kind
    shown: dict[str, object] = {"amount": value}
    if isinstance(value, str) and value in book["cards"]:
        shown |= {"card": book["cards"][value], "taken": book["cards"][value]}
    if isinstance(value, int) and 1 <= value <= 12:
        shown["flower"] = book["flowers"][value - 1]
    return str(label) % shown


def _played(card: str, take: object, matches: Sequence[str], book: Phrasebook) -> str:
    shown = {"card": book["cards"][card]}
    if take is None and matches:
        # Nothing to choose: what is of its month is taken, one card or all three.
        return str(LABELS["take"]) % {**shown, "taken": listed(book, [book["cards"][each] for each in matches])}
    if take is None:
        return str(LABELS["lay"]) % shown
    if take in book["cards"]:
        return str(LABELS["take"]) % {**shown, "taken": book["cards"][take]}
    return str(LABELS.get(str(take), LABELS["lay"])) % shown
