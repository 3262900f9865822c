"""The move list: who moved, which cards went where, and what it brought. Pure values for templates.

The twin of `rows` in `static/table/lists.js`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.replay import facts
from core.replay.document import Deal, Move, Replay
from core.replay.reducer import Place, Scene, scenes
from core.replay.words import Phrasebook, scores_text, split, taken_by

OPEN_ZONES = "fcdx"
"""Zones in which a card lies face up: what leaves a hand for another one is shown to nobody."""


@dataclass(frozen=True, slots=True)
class Part:
    """Half of a move: a card and the field cards that it took. is_flip: it came from the pile."""

    card: str
    taken: tuple[str, ...]
    is_flip: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the move list. seat: None for the fresh deal. gain: card points that the mover's side won.

    tags: short words for what weighs more than cards. is_pass: nothing was played. text: all that is said of it; over:
    the end of that, if the deal is over.
    """

    number: int
    seat: int | None
    name: str
    parts: tuple[Part, ...]
    gain: int
    tags: tuple[str, ...]
    is_best: bool
    is_pass: bool
    text: str
    over: str

    @property
    def moved(self) -> str:
        """What is said of the move alone."""
        return self.text.removesuffix(self.over).rstrip()


def parts_of(move: Move) -> tuple[Part, ...]:
    """Return the halves of a move that show a card."""
    told = split(move)
    played = [effect.card for effect in told.hand if effect.source[0] == "h" and effect.target[0] in OPEN_ZONES]
    taken = taken_by(told.hand)
    parts = [Part(card, () if number else taken, is_flip=False) for number, card in enumerate(played)]
    # Several without a card from the hand are a field that is dealt, as after the bids: nobody turned one up.
    is_dealt = not played and sum(effect.source == "p" for effect in move.effects) > 1
    turned = () if is_dealt else (effect.card for effect in told.flip if effect.source == "p")
    flipped = move.flip or next(iter(turned), None)
    if flipped is not None and not any(effect.target[0] == "h" for effect in told.flip):
        parts.append(Part(flipped, taken_by(told.flip), is_flip=True))
    return tuple(parts)


def made_in(replay: Replay, scene: Scene) -> list[str]:
    """Return the ids of the yaku that a move completed, for any side."""
    pairs = zip(scene.before, scene.after, strict=True)
    return [name for before, after in pairs for name in facts.made(before, after, replay.game)]


def gain_of(replay: Replay, scene: Scene) -> int:
    """Return the card points that the mover's side won by a move."""
    side = replay.sides[scene.move.seat]
    return facts.points(scene.after[side], replay.game) - facts.points(scene.before[side], replay.game)


def tags_of(replay: Replay, book: Phrasebook, scene: Scene) -> tuple[str, ...]:
    """Return the short words of a move: the yaku it made by their signs, a hiki, a pass."""
    told = [str(event["yaku"]) for event in scene.move.events if event.get("yaku")]
    names = dict.fromkeys([*told, *made_in(replay, scene)])
    made = [str(book["signs"].get(name, book["yaku"].get(name, name))) for name in names]
    return (*made, *(book["interface"][f"{kind}_tag"] for kind in ("hiki", "pass") if kind in scene.move.action))


def rows(replay: Replay, book: Phrasebook, deal: Deal, said: Sequence[str], best: Collection[Place] = ()) -> list[Row]:
    """Return the lines of a deal's moves, the fresh deal first. said: the sentence of each; best: the best moments."""
    over = scores_text(replay, book, deal) if deal.score else ""
    names = replay.labelled_names()
    found = [Row(0, None, "", (), 0, (), is_best=False, is_pass=False, text=said[0], over="" if deal.moves else over)]
    for scene in scenes(replay, deal):
        move = scene.move
        found.append(
            Row(
                number=move.number,
                seat=move.seat,
                name=names[move.seat],
                parts=parts_of(move),
                gain=gain_of(replay, scene),
                tags=tags_of(replay, book, scene),
                is_best=Place(deal.number, move.number) in best,
                is_pass="pass" in move.action,
                text=said[move.number],
                over=over if move is deal.moves[-1] else "",
            )
        )
    return found
