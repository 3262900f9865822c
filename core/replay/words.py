"""Every move in words: phrases (a key of `phrases.MESSAGES` and parameters), and how a book of words says them.

A book is plain JSON, one per language, shared with static/table/words.js, which says the same sentences.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from core.replay import facts
from core.replay.document import Deal, Effect, Line, Move, Replay, seat_number
from core.replay.reducer import Scene, scenes

GAJI = "11.4"
FULL_MONTH = 4
Value = str | int | tuple[Any, ...]
Phrasebook = Mapping[str, Any]
PARAMETER = re.compile(r"%\((\w+)\)s")
TABLES = {"card": "cards", "yaku": "yaku", "cause": "causes"}  # kinds of values that the book has names for


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a sentence. values: parameter -> (kind, value); kinds: text, number, score, card, cards, flower, yaku,
    cause (of a forfeit), names (of players).

    part: `moves` or `events` if the message is one of the game's own words (`book.own`).
    """

    key: str
    values: Mapping[str, tuple[str, Value]]
    part: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """The effects of a move, told apart: by the hand card, by the turned-up card, and what followed on its own."""

    hand: tuple[Effect, ...]
    flip: tuple[Effect, ...]


def split(move: Move) -> Parts:
    """Split effects: those of the hand end with the last card that left a hand, those of the flip with the pile's."""
    # Effects of one action are told in the order of play: the hand's part, the flip's, then what followed.
    ends = [i for i, effect in enumerate(move.effects) if effect.source[0] == "h"]
    cut = ends[-1] + 1 if ends else 0
    pile = [i for i, effect in enumerate(move.effects) if effect.source == "p"]
    return Parts(move.effects[:cut], move.effects[cut : pile[0] + 1] if pile else ())


def side_name(replay: Replay, side: int) -> str:
    """The players of a side, joined; who sits at several of its seats is named once."""
    return " + ".join(dict.fromkeys(replay.names[seat] for seat in replay.seats_of(side)))


def text(value: str) -> tuple[str, Value]:
    """A parameter that is said as it stands."""
    return "text", value


def taken_by(effects: Sequence[Effect], tray: str = "c") -> tuple[str, ...]:
    """The field cards that went into a tray, in code order; into any, since a claim may pass one on at once."""
    return tuple(sorted(effect.card for effect in effects if effect.source == "f" and effect.target.startswith(tray)))


def play_phrases(move: Move, who: tuple[str, Value], effects: Sequence[Effect]) -> list[Phrase]:
    """Return what a `play` did: laid, taken, or named and blocked."""
    card, target = str(move.action["play"]), move.action.get("take")
    left = [effect for effect in effects if effect.card == card]
    taken = taken_by(effects)
    if left and left[0].target[0] == "c" and taken:
        return [Phrase("take", {"who": who, "card": ("card", card), "taken": ("cards", taken)})]
    if isinstance(target, str) and "." in target:
        return [Phrase("name", {"who": who, "card": ("card", card), "target": ("card", target)})]
    return [Phrase("lay", {"who": who, "card": ("card", card)})]


def blocked_phrases(choice: str, who: tuple[str, Value], tray: str, effects: Sequence[Effect]) -> list[Phrase]:
    """Return what a choice after a block did."""
    gaji = ("card", GAJI)
    if choice in ("leave", "return"):
        return [Phrase(choice, {"who": who, "card": gaji})]
    taken = taken_by(effects, tray)
    if any(effect.card == GAJI and effect.target == tray for effect in effects) and taken:
        return [Phrase("take", {"who": who, "card": gaji, "taken": ("cards", taken)})]
    return [Phrase("name_again", {"who": who, "target": ("card", choice)})]


def action_phrases(replay: Replay, move: Move, pending: str | None, last: Move | None) -> list[Phrase]:
    """The decision itself. pending: the turned-up card that waited for it. last: the move before it in the deal."""
    who, tray, parts = text(replay.called(move.seat)), f"c{replay.sides[move.seat]}", split(move)
    action = move.action
    if "play" in action:
        return play_phrases(move, who, parts.hand)
    if "hiki" in action:
        return [Phrase("hiki", {"who": who, "flower": ("flower", int(action["hiki"]))})]
    if "draw_only" in action:
        return [Phrase("draw_only", {"who": who})]
    if "blocked_choice" in action:
        return blocked_phrases(str(action["blocked_choice"]), who, tray, parts.hand or parts.flip)
    if "draw_take" in action and pending:
        cards = taken_by(parts.flip)
        return [Phrase("choose", {"who": who, "card": ("card", pending), "taken": ("cards", cards)})]
    key = move_key(facts.words_of(replay.game).moves, move, last)
    return [own_phrase(replay, "moves", key, {**action, "by": move.seat})]


def move_key(known: Collection[str], move: Move, last: Move | None = None) -> str:
    """The name of a move among the game's words: `join play`, `discard again`, or `bid` where that is all."""
    kind, value = next(iter(move.action.items()), ("", ""))
    again = last is not None and last.seat == move.seat and kind in last.action
    names = [f"{kind} {value}", *([f"{kind} again"] if again else [])]
    return next((name for name in names if name in known), kind)


def event_key(known: Collection[str], event: Mapping[str, Any]) -> str:
    """The name of an event among the game's words: `begin forced_out` if somebody was, else `begin`."""
    code = str(event.get("code", ""))
    return next((name for field, value in event.items() if value and (name := f"{code} {field}") in known), code)


def own_phrase(replay: Replay, part: str, key: str, fields: Mapping[str, Any]) -> Phrase:
    """Return what the game's own words say of an action (`moves`) or an event (`events`), else its bare text."""
    who = typed_value(replay, "seat", fields["by"]) if "by" in fields else text("")
    words = facts.words_of(replay.game)
    word = (words.moves if part == "moves" else words.events).get(key)
    if word is None:
        if part == "events":
            return Phrase("event", {"text": text(key)})
        bare = " ".join(f"{name} {value}" for name, value in fields.items() if name != "by")
        return Phrase("other", {"who": who, "text": text(bare)})
    values = {name: typed_value(replay, kind, fields[name]) for name, kind in word.values.items() if name in fields}
    return Phrase(key, {"who": who, **values}, part)


def typed_value(replay: Replay, kind: str, value: Any) -> tuple[str, Value]:
    """A value of an action or event as a parameter; seats and sides become the players' names."""
    if kind == "seat":
        seat = seat_number(value) if isinstance(value, str) else int(value)
        return text(replay.called(seat or 0))
    if kind == "seats":
        return "names", tuple(replay.called(seat_number(one) or 0) for one in value)
    if kind == "side":
        return text(side_name(replay, value))
    return kind, tuple(value) if isinstance(value, list) else value


def flip_phrases(replay: Replay, move: Move) -> list[Phrase]:
    """Return what the turned-up card did."""
    if move.flip is None:
        return []
    card = {"card": ("card", move.flip)}
    own = [effect for effect in move.effects if effect.card == move.flip and effect.source == "p"]
    if not own:
        return [Phrase("flip_wait", card)]
    if own[0].target == "d" and "flip" in facts.words_of(replay.game).moves:
        return [own_phrase(replay, "moves", "flip", {"flip": move.flip, "by": move.seat})]
    if own[0].target == "f":
        return [Phrase("flip_lay", card)]
    taken = taken_by(split(move).flip)
    return [Phrase("flip_take", {**card, "taken": ("cards", taken)}) if taken else Phrase("flip_pass", card)]


def event_phrase(replay: Replay, event: Mapping[str, Any]) -> Phrase | None:
    """An engine event in words; None where the move's own words say it already."""
    code = str(event.get("code", ""))
    if code == "triple":
        return None
    if code in ("hiki_block", "forbidden"):
        who = text(replay.called(int(event["by"])))
        key = "blocked" if code == "hiki_block" else "forbidden"
        return Phrase(key, {"who": who, "flower": ("flower", int(event["month"]))})
    if code in ("transfer", "flip_transfer"):
        who = text(side_name(replay, int(event["side"])))
        return Phrase("transfer", {"who": who, "card": ("card", str(event["card"]))})
    if code == "end_claim":
        who = text(side_name(replay, int(event["side"])))
        return Phrase("claim", {"who": who, "cards": ("cards", tuple(event["cards"]))})
    return own_phrase(replay, "events", event_key(facts.words_of(replay.game).events, event), event)


def is_hand_event(event: Mapping[str, Any]) -> bool:
    """Return whether an event belongs to the hand part of the move, before the flip."""
    return event.get("code") in ("hiki_block", "forbidden", "triple")


def forfeit_phrases(replay: Replay, deal: Deal, move: Move) -> list[Phrase]:
    """Return the forfeit, once, at the move where the seat stopped playing on its own."""
    return [
        forfeit_phrase(replay, forfeit)
        for forfeit in replay.forfeits
        if (forfeit["deal"], forfeit["move"], forfeit["seat"]) == (deal.number, move.number, move.seat)
    ]


def yaku_phrases(replay: Replay, scene: Scene, phrases: Sequence[Phrase]) -> list[Phrase]:
    """The yaku that this move completed, for any side, unless the game's own words have said so."""
    trays = zip(scene.before, scene.after, strict=True)
    made = [name for before, after in trays for name in facts.made(before, after, replay.game)]
    # Nuki announces a yaku with its own words; it must not be said twice.
    named = {value for phrase in phrases for kind, value in phrase.values.values() if kind == "yaku"}
    return [Phrase("yaku", {"yaku": ("yaku", name)}) for name in made if name not in named]


def move_phrases(replay: Replay, deal: Deal, scene: Scene) -> list[Phrase]:
    """A move in words."""
    move, last = scene.move, deal.moves[scene.move.number - 2] if scene.move.number > 1 else None
    phrases = forfeit_phrases(replay, deal, move) + action_phrases(replay, move, scene.pending, last)
    events = [(is_hand_event(event), event_phrase(replay, event)) for event in move.events]
    phrases += [phrase for is_hand, phrase in events if is_hand and phrase]
    if phrases[-1].key == "blocked" and any(effect.card == GAJI and effect.target == "f" for effect in move.effects):
        phrases.append(Phrase("stays", {"card": ("card", GAJI)}))
    phrases += flip_phrases(replay, move)
    later = [phrase for is_hand, phrase in events if not is_hand and phrase]
    phrases += [phrase for phrase in later if not phrase.part]
    own = [phrase for phrase in later if phrase.part]
    return phrases + yaku_phrases(replay, scene, own) + own


def deal_phrases(replay: Replay, deal: Deal) -> list[Phrase]:
    """The fresh deal in words: who deals, and full months dealt to the field."""
    phrases = [Phrase("dealt", {"who": text(replay.called(deal.dealer)), "number": ("number", deal.number)})]
    # Cards that went from the field to a tray while dealing: a full month that the dealer took.
    months = [effect.card[:2] for effect in deal.start if effect.source == "f" and effect.target[0] == "c"]
    taken = sorted(month for month in set(months) if months.count(month) == FULL_MONTH)
    who = text(side_name(replay, replay.sides[deal.dealer]))
    phrases += [Phrase("setup", {"who": who, "flower": ("flower", int(month))}) for month in taken]
    known = facts.words_of(replay.game).events
    keys = [(event_key(known, event), event) for event in deal.events]
    phrases += [own_phrase(replay, "events", key, event) for key, event in keys if key in known]
    early = [forfeit for forfeit in replay.forfeits if forfeit["deal"] == 0 and deal.number == 1]
    return phrases + [forfeit_phrase(replay, forfeit) for forfeit in early]


def forfeit_phrase(replay: Replay, forfeit: Mapping[str, Any]) -> Phrase:
    """A seat that stopped playing on its own."""
    who = text(replay.called(int(forfeit["seat"])))
    return Phrase("forfeit", {"who": who, "text": ("cause", str(forfeit["code"]))})


def number_text(value: int | str) -> str:
    """A number with a true minus."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def listed(book: Phrasebook, names: Sequence[str]) -> str:
    """Names as a list in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return fill(book["phrases"]["and"], {"list": in_turn(book, "comma", names[:-1]), "last": names[-1]})


def in_turn(book: Phrasebook, key: str, parts: Sequence[str]) -> str:
    """Put things together as a language does it. key: `comma` (a list), `part` (of a sum), `then` (of one sentence),
    `more` (sentences).
    """
    message = book["phrases"][key]

    def both(one: str, other: str) -> str:
        return fill(message, {"one": one, "other": other, "part": one, "next": other})

    return reduce(both, parts) if parts else ""


def stopped(book: Phrasebook, text: str) -> str:
    """A text as a sentence."""
    return fill(book["phrases"]["stop"], {"text": text})


def fill(message: str, values: Mapping[str, str]) -> str:
    """Put values into a message; a parameter without value stays as it is."""
    # Not `%`: a message is a translation, and one with a wrong parameter must not break a page.
    return PARAMETER.sub(lambda found: values.get(found[1], found[0]), message)


def value_text(book: Phrasebook, kind: str, value: Value) -> str:
    """Say one parameter in the language of the book."""
    if isinstance(value, tuple):
        return values_text(book, kind, value)
    if kind == "number" and isinstance(value, int):
        return number_text(value)
    if kind == "flower" and isinstance(value, int):
        return str(book["flowers"][value - 1])
    if kind in TABLES:
        return str(book[TABLES[kind]].get(value, value))
    return str(value)


def values_text(book: Phrasebook, kind: str, values: tuple[Any, ...]) -> str:
    """A parameter of several values: a list of cards or players, or a score like 120 : 85, the highest first."""
    if kind == "score":
        return " : ".join(number_text(value) for value in sorted(values, reverse=True))
    return listed(book, [book["cards"][card] for card in values] if kind == "cards" else [str(one) for one in values])


def message_of(book: Phrasebook, phrase: Phrase) -> str:
    """The message of a phrase in the language of the book."""
    return str(book["own"][phrase.part][phrase.key]["text"] if phrase.part else book["phrases"][phrase.key])


def phrases_text(book: Phrasebook, phrases: Sequence[Phrase]) -> str:
    """Phrases as one sentence."""
    parts = [
        fill(message_of(book, phrase), {name: value_text(book, *value) for name, value in phrase.values.items()})
        for phrase in phrases
    ]
    return stopped(book, in_turn(book, "then", parts)) if parts else ""


def deal_text(replay: Replay, book: Phrasebook, deal: Deal, *, with_scores: bool = True) -> list[str]:
    """The narration of every place of a deal: [0] the fresh deal, [m] move m; with_scores: the last one adds them."""
    narration = Narration(replay, book, deal, with_scores=with_scores)
    return [narration.at(move) for move in range(len(deal.moves) + 1)]


@dataclass(slots=True)
class Narration:
    """A deal in words, each sentence of which is made when it is first asked for. with_scores: the last one adds
    them.
    """

    replay: Replay
    book: Phrasebook
    deal: Deal
    with_scores: bool = True
    _scenes: list[Scene] = field(default_factory=list)
    _said: dict[int, str] = field(default_factory=dict)

    def at(self, move: int) -> str:
        """Return the narration of a place: 0 for the fresh deal."""
        if move not in self._said:
            self._said[move] = self._sentence(move)
        return self._said[move]

    def _sentence(self, move: int) -> str:
        replay, book, deal = self.replay, self.book, self.deal
        if move:
            # One pass over the deal, however many of its moves are asked for.
            self._scenes = self._scenes or list(scenes(replay, deal))
            text = phrases_text(book, move_phrases(replay, deal, self._scenes[move - 1]))
        else:
            text = phrases_text(book, deal_phrases(replay, deal))
        if not (deal.score and self.with_scores and move == len(deal.moves)):
            return text
        return in_turn(book, "more", (text, scores_text(replay, book, deal)))


def scores_text(replay: Replay, book: Phrasebook, deal: Deal) -> str:
    """The scores of a deal that is over, who has won it and with what."""
    message = book["phrases"]["score"]
    parts = [
        fill(message, {"who": side_name(replay, side), "number": number_text(score)})
        for side, score in enumerate(deal.score)
    ]
    values = {"number": str(deal.number), "scores": in_turn(book, "comma", parts)}
    phrases = stopped(book, fill(book["phrases"]["deal_over"], values))
    if deal.winner is None:
        return phrases
    side = replay.sides[deal.winner]
    lines = line_text(replay, book, deal, side)
    won = {"who": side_name(replay, side), "lines": lines}
    winner = stopped(book, fill(book["phrases"]["deal_won" if lines else "deal_won_only"], won))
    return in_turn(book, "more", (phrases, winner))


def line_text(replay: Replay, book: Phrasebook, deal: Deal, side: int) -> str:
    """Say where a deal score comes from: `cards 120; Kiri's Ro -50 = 70`; "" if nothing counted."""
    lines = [line for line in deal.lines if line.side == side]
    if len(lines) == 1:
        return part_text(replay, book, lines[0])
    if not lines:
        return number_text(deal.score[side]) if deal.score[side] else ""
    parts = in_turn(book, "part", [part_text(replay, book, line) for line in lines])
    return fill(book["phrases"]["line_sum"], {"parts": parts, "number": number_text(deal.score[side])})


def part_text(replay: Replay, book: Phrasebook, line: Line, *more: Line) -> str:
    """Say one line of a score: `cards 120`, `hand yaku Red -40 to Kiri`, `did not play`; or more: `Kiri's Ro, Ha`."""
    phrases, value = book["phrases"], line.value + sum(one.value for one in more)
    values = {"number": number_text(value), "text": book["own"]["lines"].get(line.code, line.code)}
    if line.by is not None:
        values["who"] = side_name(replay, line.by)
    elif value > 0 and line.code != "cards":  # with its sign: a bare number beside words would be read as part of them
        values["number"] = f"+{value}"
    if line.code == "opp_yaku" and line.by is not None:
        values["yaku"] = in_turn(book, "comma", [book["signs"].get(one.yaku, str(one.yaku)) for one in (line, *more)])
        return fill(phrases["line_yaku"], values)
    if line.code == "cards":
        return fill(phrases["line_cards"], values)
    if line.yaku is not None:
        name = str(book["yaku"].get(line.yaku, line.yaku))
        values["text"] = name if line.code == "yaku" else fill(phrases["line_named"], {**values, "yaku": name})
    if not line.value:
        return str(values["text"])
    if line.by is None:
        return fill(phrases["line_other"], values)
    return fill(phrases["line_from" if line.value > 0 else "line_to"], values)
