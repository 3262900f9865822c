"""The cards of the replay page. Its twin in the browser is `static/table/view.js`."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.cards import BACK_OF, backs_of
from bots.templatetags.hanami import sprite_of
from core.replay.document import LETTERS
from core.replay.rows import Part
from core.replay.score import by_victories
from core.replay.table import SeatView, Tray, names_of
from core.replay.words import fill as fill_message
from core.replay.words import in_turn, number_text, stopped

register = template.Library()
DRAWN = '<g class="from"><use href="{}#back"/></g>'
"""A small back over the corner of a card that came from the pile, as in the list of moves."""
GLYPH = '<svg><use href="{}#i-{}"/></svg>'
CARD = '<svg class="{}" role="img" aria-label="{}"{}><use href="{}#c{}"/>{}{}</svg>'
TILTS = 5
"""How many ways a card may lie turned, as if laid by hand: `t0` to `t4` of the style sheet."""


def tilt(code: str) -> str:
    """Return the class of the way in which a card lies; each card always lies the same way."""
    month, rank = code.split(".")
    return f"t{(int(month) * 7 + int(rank) * 3) % TILTS}"


def hc(context: template.Context, code: str) -> SafeString:
    """Return the picture of a card on the table, named for those who do not see it."""
    return cards(context, (code,))


def field_places(context: template.Context, codes: Iterable[str | None]) -> SafeString:
    """Return the places of the field, with the card that lies there or a gap."""
    gap = '<li class="gap" aria-hidden="true"></li>'
    return SafeString("".join(f"<li>{hc(context, code)}</li>" if code else gap for code in codes))


def cards(context: template.Context, codes: Iterable[str]) -> SafeString:
    """Return the pictures of cards that lie side by side on the table."""
    table, names, sprite, overlays = (
        context["table"],
        context["book"]["cards"],
        context["sprite"],
        context["tables"]["overlays"],
    )
    moved, drawn = table.moved, table.drawn
    found = (_laid(sprite, one, overlays.get(one, ""), names[one], one in moved, one in drawn) for one in codes)
    return SafeString("".join(found))


@lru_cache(maxsize=8192)
def _laid(sprite: str, code: str, over: str, name: str, is_moved: bool, is_drawn: bool) -> SafeString:
    look = f"hc {tilt(code)}{' moved' if is_moved else ''}"
    more = format_html(' data-card="{}"', code)
    return _picture(sprite, code, over, look, name, more, format_html(DRAWN, sprite) if is_drawn else "")


def picture(context: template.Context, code: str, look: str, name: str, more: str = "", sign: str = "") -> SafeString:
    """Return a card of the sprite. sign: markup that lies over it.

    Where the game counts it as another kind than is printed, the right glyph lies over it.
    """
    return _picture(context["sprite"], code, context["tables"]["overlays"].get(code, ""), look, name, more, sign)


@lru_cache(maxsize=8192)
def _picture(sprite: str, code: str, over: str, look: str, name: str, more: str, sign: str) -> SafeString:
    # Kept: a table shows some fifty, of few hundred that there are in one language and theme.
    glyph = format_html('<use href="{}#g-{}"/>', sprite, over) if over else ""
    return format_html(CARD, look, name, more, sprite, code.replace(".", "0"), glyph, sign)


@register.simple_tag(takes_context=True)
def plain_card(context: template.Context, code: str, look: str) -> SafeString:
    """Return a card without a name, where words beside it say what it shows."""
    sprite = context["sprite"] if "sprite" in context else sprite_of(context["request"])
    return _plain(sprite, code, look)


@lru_cache(maxsize=1024)
def _plain(sprite: str, code: str, look: str) -> SafeString:
    return format_html('<svg class="hc {}"><use href="{}#c{}"/></svg>', look, sprite, code.replace(".", "0"))


def small_card(context: template.Context, code: str) -> SafeString:
    """Return a card of the move list."""
    return format_html('<svg><use href="{}#c{}"/></svg>', context["sprite"], code.replace(".", "0"))


@register.simple_tag(takes_context=True)
def row_part(context: template.Context, part: Part) -> SafeString:
    """Return half a move in small cards: what was played or turned up, and what it took."""
    taken = format_html_join("", "{}", ((small_card(context, card),) for card in part.taken))
    arrow = format_html("<b>{}</b>", "→") if part.taken else ""
    look = format_html(' class="{}"', "flip") if part.is_flip else ""
    return format_html("<span{}>{}{}{}</span>", look, small_card(context, part.card), arrow, taken)


def yaku_cards(context: template.Context, owned: Iterable[tuple[str, str | None, int | None]]) -> SafeString:
    """Return the cards of a yaku (`YakuLine.cards`) in the tracker."""
    return SafeString("".join(_yaku_card(context, *one) for one in owned))


def _yaku_card(context: template.Context, code: str, captor: str | None, seat: int | None) -> str:
    """Return a card of the tracker: a ghost until a side holds it, then with a dot in the colour of that side."""
    key, values = ("holds", {"who": captor}) if captor else ("missing", {})
    name = fill_message(context["book"]["interface"][key], {"card": context["book"]["cards"][code], **values})
    card = picture(context, code, "hc" if captor else "hc ghost", name)
    return card if seat is None else f'<span class="s{seat}">{card}</span>'


@register.simple_tag(takes_context=True)
def crest(context: template.Context, seat: int) -> SafeString:
    """Return the emblem of a seat; its name stands beside it."""
    return _crest(context["crests"], seat, f" {seat_colour(context, seat)}")


# Kept, as everything that is drawn again and again with few values.
@lru_cache(maxsize=256)
def _crest(crests: str, seat: int, colour: str = "") -> SafeString:
    return format_html('<svg class="rp-crest{}"><use href="{}#s{}"/></svg>', colour, crests, seat)


@register.simple_tag(takes_context=True)
def seat_colour(context: template.Context, seat: int) -> str:
    """Return the class of a seat's colour: team mates have one colour, that of their first seat, and own emblems."""
    replay = context["replay"]
    return f"s{replay.seats_of(replay.sides[seat])[0]}"


@register.simple_tag(takes_context=True)
def row_crest(context: template.Context, seat: int) -> SafeString:
    """Return the emblem of a seat in a line that has its colour already."""
    return _crest(context["crests"], seat)


@register.simple_tag(takes_context=True)
def side_mark(context: template.Context, seat: int) -> SafeString:
    """Return the letter of a seat's team, else its emblem, in a line that has its colour already."""
    replay = context["replay"]
    if replay.side_count == len(replay.sides):
        return row_crest(context, seat)
    return format_html('<span class="rp-letter">{}</span>', LETTERS[replay.sides[seat]])


def seat_look(context: template.Context, seat: SeatView) -> str:
    """Return the classes of a seat: its colour, whether it is at the bottom, has moved, moves next or watches."""
    states = {"rp-me": not seat.offset, "mover": seat.has_moved, "turn": seat.has_turn, "out": seat.is_out}
    return " ".join(["rp-seat", seat_colour(context, seat.seat), *(name for name, is_so in states.items() if is_so)])


def seat_heading(context: template.Context, seat: SeatView) -> SafeString:
    """Return who sits there, that it deals, what the game notes beside it, and in words that it is its turn."""
    dealer = escape(words(context, "dealer"))
    deals = f' <small class="rp-dealer" title="{dealer}">{dealer}</small>' if seat.is_dealer else ""
    said = " · ".join(map(escape, seat.marks))
    letter = f'<span class="rp-letter">{escape(seat.label)}</span> ' if seat.letter else ""
    tag = f' <small class="rp-tag">{said}</small>' if said else ""
    turn = f' <small class="sr"> {escape(words(context, "turn"))}</small>' if seat.has_turn else ""
    crest = row_crest(context, seat.seat)
    return SafeString(f'{letter}{crest} <span class="rp-name">{escape(seat.name)}</span>{deals}{tag}{turn}')


def running(context: template.Context, owner: SeatView | Tray) -> SafeString:
    """Return the running score as a large figure with its unit, and in words for those who do not see either."""
    unit = escape(words(context, "won" if by_victories(context["replay"]) else "sum"))
    number, figure = escape(owner.number), escape(owner.figure)
    return SafeString(f'<b aria-hidden="true" data-unit="{unit}">{number}</b> <span class="sr">{figure}</span>')


def gained(context: template.Context, tray: Tray) -> SafeString:
    """Return the points of a deal that goes on, if there are any: with a sign beside the total they are added to."""
    replay = context["replay"]
    if not tray.count and not tray.points:
        return SafeString("")
    sign = "" if by_victories(replay) or tray.points < 0 else "+"
    number = f"{sign}{number_text(tray.points)}"
    said = words(context, "so_far" if "yaku_penalty" in replay.options else "points", number=number)
    return format_html('<span data-of="{}">{}</span>', words(context, "pts", points=number), said)


def card_back(context: template.Context) -> SafeString:
    """Return a card that lies face down; the number of them is said beside."""
    return _back(context["sprite"], back_symbol(context))


@lru_cache(maxsize=256)
def _back(sprite: str, symbol: str) -> SafeString:
    return format_html('<svg class="hc" aria-hidden="true"><use href="{}#{}"/></svg>', sprite, symbol)


@register.simple_tag(takes_context=True)
def back_symbol(context: template.Context) -> str:
    """Return the name in the sprite of the back that the reader has chosen."""
    return BACK_OF[backs_of(context["request"])]


def glyph(context: template.Context, kind: str) -> SafeString:
    """Return the category glyph of the cards, cut out of its corner; a word or number stands beside it."""
    return _glyph(context["sprite"], kind)


@lru_cache(maxsize=256)
def _glyph(sprite: str, kind: str) -> SafeString:
    return format_html(GLYPH, sprite, kind)


def hidden_backs(context: template.Context, count: int) -> SafeString:
    """Return the backs of a hidden hand."""
    return SafeString(card_back(context) * count)


@register.simple_tag(takes_context=True)
def hidden_words(context: template.Context, seat: SeatView) -> str:
    """Return a hidden hand in words, with those of its cards that all have seen."""
    if not seat.shown:
        return words(context, "hidden", number=seat.hidden)
    return words(context, "shown", number=seat.hidden, cards=names_of(seat.shown, context["book"]))


@register.simple_tag(takes_context=True)
def words(context: template.Context, key: str, **values: Any) -> str:
    """Return a label of the viewer, the same one the script uses."""
    texts = {name: number_text(value) if isinstance(value, int) else str(value) for name, value in values.items()}
    return fill_message(context["book"]["interface"][key], texts)


@register.simple_tag(takes_context=True)
def card_list(context: template.Context, cards: Any) -> str:
    """Return names of cards with commas between them; what is no card is left out."""
    known = context["book"]["cards"]
    listed = in_turn(context["book"], "comma", [known[card] for card in cards if card])
    return listed or str(context["book"]["interface"]["empty"])


@register.simple_tag(takes_context=True)
def labelled_cards(context: template.Context, key: str, cards: Any, **values: Any) -> str:
    """Return a label of the viewer and the cards it is about: `Ribbons: Pine Ribbon, Plum Ribbon`."""
    fields = {"label": words(context, key, **values), "text": card_list(context, cards)}
    return fill_message(context["book"]["phrases"]["label"], fields)


@register.simple_tag(takes_context=True)
def sentence(context: template.Context, text: str) -> str:
    """Return a text with the full stop of the reader's language."""
    return stopped(context["book"], text)
