"""A step of a lesson in words: what happened, why the cards matched, which yaku form, what is asked, what we advise.

Everything follows from what was played, so it fits every way that the learner may go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.replay import facts
from core.replay.document import Deal, Effect, Replay
from core.replay.reducer import Scene, scenes
from core.replay.words import Phrasebook, deal_text, fill, line_text, listed, split, taken_by
from engine.cards import CODES
from engine.match import Match
from tables.lessons.choosing import NO_CARD, Advice, advice_of, view_of
from tables.lessons.course import HOUSE, LEARNER, Course

MAX_TOLD: Final = 5
"""Moves that are said at a step: at the end of a deal many follow without a choice."""
WHOLE_MONTH: Final = 3
"""Cards of a flower on the field that the fourth one takes together."""
PLAYED: Final[Mapping[str, Promise]] = {
    # Translators: what the learner did. %(card)s, %(taken)s: names of cards; %(flower)s: of a flower.
    "lay": gettext_lazy(
        "You played %(card)s. No other %(flower)s card lay on the field, so it stays there, and either of you may take"
        " it later."
    ),
    "take": gettext_lazy("You played %(card)s. %(taken)s shows the same flower, so both are yours."),
    "all": gettext_lazy("You played %(card)s, the fourth card of its flower: it takes all three others."),
    "wild": gettext_lazy("You played %(card)s, which is wild: it took %(taken)s, though the flowers differ."),
    "choose": gettext_lazy("With the turned-up %(card)s you took %(taken)s."),
}
TURNED: Final[Mapping[str, Promise]] = {
    # Translators: what the top card of the pile did after the learner's card.
    "lay": gettext_lazy("Then the pile gave %(card)s. Nothing matched it, so it stays on the field."),
    "take": gettext_lazy("Then the pile gave %(card)s, which took %(taken)s for you as well."),
    "wait": gettext_lazy("Then the pile gave %(card)s, which fits several cards."),
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is said at a step. told: what happened since the last one, in order; news: of yaku; ask: what is asked.

    advice: what we would do, and why; "" when the deal is over. advised: its index into the legal actions, -1 for none.
    score: how the deal was counted, when it is over.
    """

    told: tuple[str, ...]
    news: tuple[str, ...]
    ask: str
    advice: str
    advised: int
    score: tuple[str, ...]


def explain(course: Course, replay: Replay, book: Phrasebook, choices: Sequence[Mapping[str, object]]) -> Explanation:
    """Say the present step. choices: what may be chosen, as `tables.view.choices` has it."""
    deal = replay.deals[-1]
    fresh = [scene for scene in scenes(replay, deal) if scene.move.number > course.before]
    told = tuple(_told(replay, book, deal, fresh)) + tuple(_intro(course))
    news = tuple(_news(course, replay, book, fresh))
    if course.is_over:
        return Explanation(told, news, "", "", NO_CARD, tuple(_score(course, replay, book, deal)))
    match, lesson = course.fold.match, course.lesson
    view = view_of(match, LEARNER, lesson.preset)
    advice = advice_of(view)
    reason = _reason(course, advice, book)
    said = _("Our advice: “%(choice)s”. %(reason)s") % {"choice": choices[advice.index]["text"], "reason": reason}
    ask = str(lesson.asks.get(view.phase, "")) % {"points": _points_now(match)}
    return Explanation(told, news, ask, said.strip(), advice.index, ())


def _intro(course: Course) -> list[str]:
    """Return what is explained at this step. Not all at the first one: nobody reads that much before a card."""
    intro, step = course.lesson.intro, len(course.answers)
    return [str(text) for text in intro[step]] if step < len(intro) and not course.is_over else []


# -- what happened


def _told(replay: Replay, book: Phrasebook, deal: Deal, fresh: Sequence[Scene]) -> Iterator[str]:
    texts = deal_text(replay, book, deal)
    rest = len(fresh) - MAX_TOLD
    for scene in fresh[:MAX_TOLD]:
        own = list(_own(scene, book)) if scene.move.seat == LEARNER else []
        yield " ".join(own) or texts[scene.move.number]
    if rest > 0:
        text = ngettext(
            "The deal was then played to its end: %(n)s more move.",
            "The deal was then played to its end: %(n)s more moves.",
            rest,
        )
        yield text % {"n": rest}


def _own(scene: Scene, book: Phrasebook) -> Iterator[str]:
    """Say a move of the learner with its reasons; nothing where the sentence of the replay says it all."""
    move, parts = scene.move, split(scene.move)
    card = move.action.get("play")
    if isinstance(card, str):
        yield _said(PLAYED, card, parts.hand, book)
    elif "draw_take" in move.action and scene.pending:
        yield _filled(PLAYED["choose"], book, scene.pending, taken_by(parts.flip))
        return
    else:
        return
    if move.flip is not None:
        is_waiting = all(effect.card != move.flip for effect in move.effects)
        yield _filled(TURNED["wait"], book, move.flip) if is_waiting else _said(TURNED, move.flip, parts.flip, book)


def _said(texts: Mapping[str, Promise], card: str, effects: Sequence[Effect], book: Phrasebook) -> str:
    taken = taken_by(effects)
    key = "take" if taken else "lay"
    if "wild" in texts and taken:
        is_wild = any(each[:2] != card[:2] for each in taken)
        key = "wild" if is_wild else "all" if len(taken) == WHOLE_MONTH else key
    return _filled(texts[key], book, card, taken)


def _filled(text: Promise, book: Phrasebook, card: str, taken: Sequence[str] = ()) -> str:
    names = listed(book, [book["cards"][each] for each in taken])
    return fill(str(text), {"card": book["cards"][card], "taken": names, "flower": book["flowers"][int(card[:2]) - 1]})


# -- yaku that are made, and those that lack one card


def _news(course: Course, replay: Replay, book: Phrasebook, fresh: Sequence[Scene]) -> Iterator[str]:
    lesson = course.lesson
    for scene in fresh:
        for seat, name in _made(replay, scene):
            if seat == LEARNER:
                said, follows = _("You have made %(yaku)s."), lesson.made
            else:
                said, follows = _("%(name)s has made %(yaku)s."), lesson.made_by_house
            text = said % {"name": replay.names[seat], "yaku": book["yaku"][name]}
            # When the deal is over, its score says what came of it.
            yield text if course.is_over else f"{text} {follows}"
    if fresh and not course.is_over:
        yield from _one_short(replay, book, fresh)


def _made(replay: Replay, scene: Scene) -> list[tuple[int, str]]:
    """Return who made which yaku by a move: those of certain cards, and those that the game itself announces."""
    found = [
        (side, name)
        for side, (before, after) in enumerate(zip(scene.before, scene.after, strict=True))
        for name in facts.made(before, after, replay.game)
    ]
    announced = [(int(each["by"]), str(each["yaku"])) for each in scene.move.events if each.get("code") == "yaku"]
    # A game that announces its yaku counts only those: a smaller one may be part of a larger one.
    return announced or ([] if _announces(replay) else found)


def _announces(replay: Replay) -> bool:
    return "yaku" in facts.words_of(replay.game).events


def _one_short(replay: Replay, book: Phrasebook, fresh: Sequence[Scene]) -> Iterator[str]:
    """Say which yaku lack one card now and lacked more before."""
    then, now = fresh[0].before, fresh[-1].after
    for side in (LEARNER, HOUSE):
        before = dict(_lacking(replay, then, side))
        for name, card in _lacking(replay, now, side):
            if name in before:
                continue
            shown = {"name": replay.names[side], "yaku": book["yaku"][name], "card": book["cards"][card]}
            if side == LEARNER:
                yield _("You are one card short of %(yaku)s: %(card)s.") % shown
            else:
                yield _("Watch out: %(name)s is one card short of %(yaku)s: %(card)s.") % shown


def _lacking(replay: Replay, trays: Sequence[Sequence[str]], side: int) -> Iterator[tuple[str, str]]:
    """Yield yaku of which a side lacks one card, which the other one has not taken."""
    own, others = set(trays[side]), set(trays[1 - side])
    for name, cards in facts.yaku_cards(replay.game).items():
        missing = set(cards) - own
        # Of two cards one is no news: half of the deck belongs to such a yaku.
        if len(missing) == 1 and len(cards) > 2 and not missing & others:
            yield name, missing.pop()


# -- what is asked, and the end


def _points_now(match: Match) -> int:
    """Return what the learner would score if they ended the deal now; 0 where they cannot."""
    for action in match.legal_actions():
        twin = match.state.copy()
        twin.apply_unchecked(action)
        if action.kind == "declare" and twin.is_over:
            return int(twin.outcome().score[LEARNER])
    return 0


def _reason(course: Course, advice: Advice, book: Phrasebook) -> str:
    lesson, action = course.lesson, advice.action
    said = lesson.reasons.get(f"{action.kind} {action.word}")
    if said is not None:
        return str(said)
    if advice.made:
        return _("It completes %(yaku)s.") % {"yaku": book["yaku"][advice.made[0]]}
    if advice.closer:
        name, have = max(advice.closer.items(), key=lambda each: each[1])
        shown = {"yaku": book["yaku"][name], "have": have, "all": len(facts.yaku_cards(lesson.rules.game)[name])}
        return _("You then have %(have)s of the %(all)s cards of %(yaku)s.") % shown
    if advice.card != NO_CARD:
        code = CODES[advice.card]
        shown = {"card": book["cards"][code], "reason": lesson.kinds[facts.kinds(lesson.rules.game)[code]]}
        return _("%(card)s is yours then. %(reason)s") % shown
    if advice.lays != NO_CARD:
        return _("No card of your hand matches, so one has to go: this is the one that you miss least.")
    return ""


def _score(course: Course, replay: Replay, book: Phrasebook, deal: Deal) -> Iterator[str]:
    yield str(course.lesson.ending)
    for side in (LEARNER, HOUSE):
        if line := line_text(replay, book, deal, side):
            yield fill(book["phrases"]["label"], {"label": replay.names[side], "text": line})
