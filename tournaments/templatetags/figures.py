"""Cells of large tables: a number of the standings, which opens what it is made of; a row of the crosstable.

Written here and not in a template: a page has hundreds of these cells, and template nodes took most of its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.phrasing import colon, listed
from bots.templatetags.hanami import amount, ordinal_rank, signed, term_note
from core.standings.crosstable import Cell
from tournaments.matches.schedule import TableBlock, TableRow, decides_by_points
from tournaments.models import Seat, Stage
from tournaments.ranking.figures import OF_THE_BRACKET
from tournaments.standings.queries import CrossRow, Figure, Line, StandingsTable
from tournaments.templatetags.units import in_units

register = template.Library()
LINKED: Final = 16
"""Entries of a crosstable whose cells lead to their matches."""
BAR: Final = 10
"""Height of the tallest bar of a deal, in pixels."""
UNPLACED: Final = 9
"""Sorts after every place: nobody sits at a table of nine."""
IN_UNITS: Final = ("points", "above_mean")
"""Figures that a game may count in a larger unit of its own."""
ACCOUNTED: Final = (*IN_UNITS, "place")
"""Figures that the sentence of a game on its points and who wins a match explains."""


@register.simple_tag(takes_context=True)
def figure_cell(context: template.Context, line: Line, figure: Figure) -> SafeString:
    """Return the cell.

    The context is that of the page of standings: `table`, `only`, `history`, `stage_query`, `preset`.
    """
    column, value = figure.column, escape(_value(context["table"], figure))
    name = escape(column.name)
    kan = in_units(figure.value, context["preset"]) if column.id in IN_UNITS else ""
    decided = (
        _("This decides the order against %(names)s.") % {"names": listed(figure.decided)} if figure.decided else ""
    )
    is_first = figure is line.figures[0]
    is_open = is_first and str(line.standing.entry.uuid) == context["only"]
    has_placed = column == line.decided_by
    # Before the figure on a phone, which has no columns: what placed the row is said there.
    label = escape(_("placed by %(what)s") % {"what": column.name}) if has_placed else name
    kind = " key" if is_first else " placed" if has_placed else ""
    # One string for the cell: format_html would escape each part a second time, at a cost that a page of hundreds
    # shows.
    return mark_safe(  # noqa: S308  # every part is escaped above or made by format_html below
        f'<td class="num{kind}" data-label="{label}">'
        f'<details class="why" id="why-{line.standing.row}-{escape(column.id)}"{" open" if is_open else ""}>'
        f'<summary>{value}</summary><div class="panel"><p><strong>{name}{escape(colon())}{value}</strong></p>'
        f"<p>{escape(column.formula)}.</p>"
        + (f"<p>{escape(decided)}</p>" if decided else "")
        + (_inputs(context, line, figure) if figure.terms else "")
        + "</div></details>"
        + (f' <span class="sub">{escape(kan)}</span>' if kan else "")
        + "</td>"
    )


def _value(table: StandingsTable, figure: Figure) -> str:
    """Return a number as its cell shows it; a place in the bracket that several have as a shared rank."""
    if figure.column.id != OF_THE_BRACKET or not str(figure.value).isdecimal():
        return amount(figure.value)
    n = sum(line.figures[0].value == figure.value for line in table.lines)
    return ordinal_rank(int(figure.value), shared=n > 1)


@register.filter
def by_place(seats: Iterable[Seat]) -> list[Seat]:
    """Return the seats of a match, the best first; in order of the table while it has no result."""
    return sorted(seats, key=lambda seat: (seat.place or UNPLACED, seat.index))


@register.simple_tag
def sum_shown(stage: Stage, row: TableRow) -> str:
    """Return what a side made at a table, in the unit that the stage ranks by."""
    return amount(row.victories if _by_deals(stage) else row.points)


@register.simple_tag(takes_context=True)
def sub_sums(context: template.Context, table: TableBlock) -> SafeString:
    """Return the points of both sides, small, where deals won rank: that they decided, where deals did not; else in
    the larger unit of the game.
    """
    one, other = (row.points for row in table.rows)
    if _by_points(context["stage"], table):
        words = _("by %(a)s : %(b)s points") % {"a": amount(max(one, other)), "b": amount(min(one, other))}
    elif _by_deals(context["stage"]):
        words = points_of_both(one, other)
    else:
        kan = [in_units(points, context["preset"]) for points in (one, other)]
        words = " : ".join(kan) if all(kan) else ""
    return format_html('<span class="sub">{}</span>', words) if words else SafeString("")


@register.simple_tag
def points_of_both(one: object, other: object) -> str:
    """Return the points of two sides; a colon between them, as a dash before a minus is not readable."""
    return _("%(points)s pts") % {"points": f"{amount(one)} : {amount(other)}"}


def _by_points(stage: Stage, table: TableBlock) -> bool:
    """Return whether the points of two sides told them apart, which were level in deals won."""
    seats = [cell.seat for row in table.rows for cell in row.cells if cell.seat is not None]
    is_level = len({row.victories for row in table.rows}) == 1
    has_most = table.winner is not None and table.winner.points == max(row.points for row in table.rows)
    return is_level and has_most and decides_by_points(stage, seats)


@register.simple_tag
def seat_figures(stage: Stage, points: int | None, victories: int | None) -> SafeString:
    """Return the figure that ranks, and small beneath it the points where deals won rank."""
    if not _by_deals(stage):
        return format_html("{}", amount(points))
    words = _("%(points)s pts") % {"points": amount(points)}
    return format_html('{} <span class="sub">{}</span>', amount(victories), words)


def _by_deals(stage: Stage) -> bool:
    return stage.scoring == Stage.Scoring.ROUND_VICTORY


@register.simple_tag(takes_context=True)
def cross_cells(context: template.Context, row: CrossRow) -> SafeString:
    """Return the cells of an entry's row: nothing against itself, and a dot against those it never met."""
    itself = format_html('<td class="self"><span class="sr">{}</span></td>', _("same entry"))
    is_of_two, by_deals = context["stage"].seats_pref == 2, _by_deals(context["stage"])
    is_share = is_of_two or context["met_once"]
    # Links and names of some 600 cells would be most of the page: a wide table has its words in its head alone.
    is_linked = len(row.cells) <= LINKED
    me = row.entry.player.name
    return mark_safe(  # noqa: S308  # every part is escaped
        "".join(
            itself
            if cell is None
            else f"{_washed(cell, _pair(cell, me, other, by_deals=by_deals) if is_linked else '')}"
            f"{_met(cell, is_share=is_share, is_linked=is_linked)}"
            f"{_decided(cell, by_deals=by_deals) if is_of_two else ''}</td>"
            for cell, other in row.cells
        )
    )


def _pair(cell: Cell, me: str, other: str, *, by_deals: bool) -> str:
    """Return who met, with the figures that the cell has no room for: what decided comes first."""
    if not cell.met:
        return f"{me} – {other}"
    points = points_of_both(*cell.points)
    figures = [_against(cell.victories, " : "), points] if by_deals else [points]
    return ", ".join((f"{me} – {other}", *figures))


def _against(figures: tuple[Fraction, Fraction], between: str = ":") -> str:
    return between.join(amount(each) for each in figures)


def _washed(cell: Cell, pair: str) -> str:
    """Return the beginning of a cell: green where the row finished above more often, red where below."""
    if not cell.met:
        return "<td>"
    tone = "won" if cell.above > cell.below else "lost" if cell.above < cell.below else "even"
    return f'<td class="is-{tone}" title="{escape(pair)}">' if pair else f'<td class="is-{tone}">'


def _met(cell: Cell, *, is_share: bool, is_linked: bool) -> str:
    """Return what a cell shows: the score of the pair, or how often the row finished above, level and below."""
    if not cell.met:
        return '<span class="soft">·</span>'
    words = escape(amount(cell.share)) if is_share else f"{cell.above}–{cell.level}–{cell.below}"
    return _to_match(cell, words, is_linked=is_linked)


def _decided(cell: Cell, *, by_deals: bool) -> str:
    """Return the figures that decided between two, which stand below their score."""
    figures = cell.victories if by_deals else cell.points
    return f' <span class="sub">{escape(_against(figures))}</span>' if cell.met else ""


def _to_match(cell: Cell, words: str, *, is_linked: bool) -> str:
    """Return the words as the link to the first match of the pair."""
    if not is_linked or not cell.matches:
        return words
    return f'<a href="{escape(reverse("match", args=[cell.matches[0]]))}">{words}</a>'


def _inputs(context: template.Context, line: Line, figure: Figure) -> str:
    """Return the inputs, if they are on the page, and the link to a page with more of them."""
    after = f"after={context['history'].chosen}&" if context["history"].chosen else ""
    uuid = str(line.standing.entry.uuid)
    # The page opens at the same number, which has its deals then.
    where = f"?{context['stage_query']}{after}explain={uuid}#why-{line.standing.row}-{figure.column.id}"
    if not context["table"].with_terms and uuid != context["only"]:
        n = len(figure.terms)
        return _link(where, ngettext("Show the figure behind it", "Show the %(n)s figures behind it", n) % {"n": n})
    terms = f'<ul class="terms">{"".join(_term(term) for term in figure.terms)}</ul>'
    if uuid != context["only"]:
        return terms + _link(where, _("Deal by deal"))
    if not any(term.get("deals") for term in figure.terms):
        return terms
    rows = f'<ul class="terms dealt">{"".join(_dealt(term) for term in figure.terms)}</ul>'
    deals = format_html_join("", "{}", ((_deals(term),) for term in figure.terms if term.get("deals")))
    return rows + format_html('<details class="deals"><summary>{}</summary><ul>{}</ul></details>', _("Deals"), deals)


def _link(where: str, words: str) -> str:
    return format_html('<p><a href="{}">{}</a></p>', where, words)


def _term(term: Mapping[str, Any]) -> str:
    """Return one input: the round, what it was worth, with whom, why."""
    of_round = f"{_round(term)} " if term.get("round") else ""
    return format_html("<li>{}{}{}</li>", of_round, _worth(term), _remarks(term))


def _dealt(term: Mapping[str, Any]) -> str:
    """Return one input as a row: the round, what it was worth, a bar for each deal, the points of all of them."""
    legs = term.get("deals", ())
    bars = format_html_join("", "{}", ((_bars(leg.points),) for leg in legs))
    total = _("%(points)s pts") % {"points": amount(sum(sum(leg.points) for leg in legs))} if legs else ""
    cells = '<li><span>{}</span><b>{}</b><span>{}{}</span><span class="num">{}</span></li>'
    return format_html(cells, _round(term), _worth(term), bars, _remarks(term), total)


def _round(term: Mapping[str, Any]) -> str:
    return f"{pgettext('round, short', 'R')}{term['round']}" if term.get("round") else ""


def _worth(term: Mapping[str, Any]) -> str:
    worth: str = signed(term["amount"])
    if term.get("match"):
        worth = format_html('<a href="{}">{}</a>', reverse("match", args=[term["match"]]), worth)
    return worth


def _remarks(term: Mapping[str, Any]) -> str:
    sat = _soft(term["sat"]) if term.get("sat") else ""
    note = _soft(_noted(term)) if term.get("note") else ""
    return format_html("{}{}", sat, note)


def _soft(words: object) -> SafeString:
    return format_html(' <span class="soft">{}</span>', words)


def _noted(term: Mapping[str, Any]) -> str:
    """Return the words of the note on a term; for what was given by hand with the reason and the person."""
    given = term.get("given")
    words = term_note(term["note"])
    return f"{words}{colon()}{given.reason} ({given.by.shown_name})" if given is not None else words


def _deals(term: Mapping[str, Any]) -> SafeString:
    """Return the points of every deal of a match, leg by leg."""
    legs = format_html_join("", "{}", ((_soft(_leg(leg)),) for leg in term["deals"]))
    return format_html("<li>{}{}</li>", _round(term), legs)


def _leg(leg: Any) -> str:
    of_leg = _("leg %(n)s:") % {"n": leg.number} + " " if leg.number else ""
    return f"{of_leg}{ngettext('deal', 'deals', len(leg.points))} {listed(amount(each) for each in leg.points)}"


def _bars(points: Sequence[int]) -> SafeString:
    """Return a small bar for every deal, above or below the line; decoration beside the figures."""
    most = max((abs(each) for each in points), default=0) or 1
    heights = [round(abs(each) * BAR / most) for each in points]
    path = "".join(
        f"M{7 * number + 4} {BAR + 1}V{BAR + 1 + (height if own < 0 else -height)}"
        for number, (own, height) in enumerate(zip(points, heights, strict=True))
    )
    return format_html(
        '<svg class="bars" width="{}" height="{}" aria-hidden="true" focusable="false">'
        '<path class="axis" d="M0 {}H{}"/><path d="{}"/></svg>',
        7 * len(points) + 2, 2 * BAR + 2, BAR + 1, 7 * len(points) + 2, path,
    )  # fmt: skip
