"""A moment of a match drawn on felt, as the home page and the list of matches lead with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from core.replay.document import Deal, Replay
from core.replay.moments import best_deal, middle_of, newest_played
from core.replay.reducer import Place, position_at
from core.replay.score import EndYaku, counted_yaku, end_title, winners
from core.replay.words import Phrasebook, deal_text, listed, side_name
from tournaments.matches import highlights
from tournaments.models import Match, Player
from tournaments.pages.matches.matches import phrasebook_of
from tournaments.pages.matches.rows import ReplayRow, row_of
from tournaments.pages.site.still import Still, StillSide, still_at

BEFORE_FIGURES: Final = re.compile(r" (?=[=−\d])|(?<==) ")
"""Spaces where a line must not break: a figure stays with what it counts, a sum with its parts."""
MAX_NAMED: Final = 3
"""Yaku that a title names."""


@dataclass(frozen=True, slots=True)
class Felt:
    """A moment of a match, drawn on green felt. url: of that moment in its replay; text: what happened there.

    sides: each with the player whose emblem stands beside it; result: how the match ended. is_end: of a deal, with the
    sets that were counted in it, and the title says who made them, or who won it. best: the side with the highest score
    of a deal that has ended, else the first.
    """

    match: Match
    result: ReplayRow
    names: tuple[str, ...]
    still: Still
    sides: tuple[tuple[StillSide, Player | None], ...]
    url: str
    text: str
    is_end: bool
    sets: tuple[EndYaku, ...]
    best: StillSide
    title: str


def felt_of(found: highlights.Highlight | None, *, is_best: bool = False) -> Felt | None:
    """Return the felt of a match. is_best: of its best deal, and how it ended; else in the last that was played out."""
    if found is None:
        return None
    replay = found.replay
    if not replay.deals:
        return None
    # Of a match that somebody left at once no deal has a score.
    is_best = is_best and any(deal.score for deal in replay.deals)
    number = best_deal(replay) if is_best else newest_played(replay)
    deal = replay.deals[number - 1]
    place = Place(number, len(deal.moves)) if is_best else middle_of(replay, number)
    book = phrasebook_of(get_language() or "en", replay.game)
    text = "" if is_best else BEFORE_FIGURES.sub("\u00a0", deal_text(replay, book, deal)[place.move])
    query = urlencode({"d": place.deal, "m": place.move})
    url = f"{reverse('match', args=[found.match.uuid])}?{query}#replay"
    sets = _sets_of(replay, deal, book) if is_best else ()
    # The position that the text tells of, not a fuller one: figures and cards have to agree with the words.
    still = still_at(replay, place, frozenset(code for one in sets for code in one.cards))
    faces = [_player_at(found.match, replay.seats_of(side)[0]) for side in range(replay.side_count)]
    sides = tuple(zip(still.sides, faces, strict=True))
    names = tuple(dict.fromkeys(replay.names))
    best = max(range(replay.side_count), key=lambda side: deal.score[side]) if is_best and deal.score else 0
    row, best_side = row_of(found.match), still.sides[best]
    title = _title_of(replay, deal, book, best) if is_best else ""
    return Felt(found.match, row, names, still, sides, url, text, is_best, sets, best_side, title)


def _sets_of(replay: Replay, deal: Deal, book: Phrasebook) -> tuple[EndYaku, ...]:
    """Return the yaku that counted in a deal, those of the side with the highest score first."""
    position = position_at(replay, deal, len(deal.moves))
    sides = sorted(range(replay.side_count), key=lambda side: -deal.score[side])
    return tuple(one for side in sides for one in counted_yaku(replay, deal, position, book, side))


def _title_of(replay: Replay, deal: Deal, book: Phrasebook, side: int) -> str:
    """Say which yaku, three at most, brought the side its score, else who won the deal."""
    made = counted_yaku(replay, deal, position_at(replay, deal, len(deal.moves)), book, side)[:MAX_NAMED]
    if not made:
        return end_title(replay, book, deal, winners(replay, deal, is_match=False), is_match=False)
    named = [str(book["yaku"].get(one.id, one.name)) for one in made]
    return _("%(name)s makes the yaku %(yaku)s") % {"name": side_name(replay, side), "yaku": listed(book, named)}


def _player_at(match: Match, index: int) -> Player | None:
    """Return who sat at a seat of a match that was read with `seats_named`. No query."""
    seat = match.seats.all()[index]
    return seat.player or (seat.entry.player if seat.entry else None)
