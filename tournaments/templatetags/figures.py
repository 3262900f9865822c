"""Cells of large tables: a number of the standings, which opens what it is made of; a row of the crosstable.

Written here and not in a template: a page has hundreds of these cells, and template nodes took most of its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.phrasing import colon, listed
from bots.templatetags.hanami import amount, signed, term_note
from core.standings.crosstable import Cell
from tournaments.standings.queries import CrossRow, Figure, Line
from tournaments.templatetags.units import in_units

register = template.Library()
IN_UNITS: Final = ("points", "above_mean")
"""Figures that a game may count in a larger unit of its own."""


@register.simple_tag(takes_context=True)
def figure_cell(context: template.Context, line: Line, figure: Figure) -> SafeString:
    """Return the cell.

    The context is that of the page of standings: `table`, `only`, `history`, `stage_query`, `preset`.
    """
    column, value = figure.column, escape(amount(figure.value))
    name = escape(column.name)
    kan = in_units(figure.value, context["preset"]) if column.id in IN_UNITS else ""
    decided = (
        _("This decides the order against %(names)s.") % {"names": listed(figure.decided)} if figure.decided else ""
    )
    # One string for the cell: format_html would escape each part a second time, at a cost that a page of hundreds
    # shows.
    return mark_safe(  # noqa: S308  # every part is escaped above or made by format_html below
        f'<td class="num" data-label="{name}"><details class="why" id="why-{line.standing.row}-{escape(column.id)}">'
        f'<summary>{value}</summary><div class="panel"><p><strong>{name}{escape(colon())}{value}</strong></p>'
        f"<p>{escape(column.formula)}.</p>"
        + (f"<p>{escape(decided)}</p>" if decided else "")
        + (_inputs(context, line, figure) if figure.terms else "")
        + "</div></details>"
        + (f'<span class="sub">{escape(kan)}</span>' if kan else "")
        + "</td>"
    )


@register.simple_tag(takes_context=True)
def cross_cells(context: template.Context, row: CrossRow) -> SafeString:
    """Return the cells of an entry's row: nothing against itself, and a dot against those it never met."""
    itself = format_html('<td class="self"><span class="sr">{}</span></td>', _("same entry"))
    is_of_two = context["stage"].seats_pref == 2
    return mark_safe(  # noqa: S308  # every part is escaped
        "".join(
            f"{_labelled(other)}{_met(cell, is_of_two=is_of_two)}</td>" if cell is not None else itself
            for cell, other in row.cells
        )
    )


@lru_cache(maxsize=1024)
def _labelled(name: str) -> str:
    """Return the beginning of a cell against somebody: their names come again in every row."""
    return f'<td data-label="{escape(name)}">'


def _met(cell: Cell, *, is_of_two: bool) -> str:
    if not cell.met:
        return '<span class="soft">·</span>'
    if not is_of_two:
        return f'{cell.above}<span class="soft">–{cell.level}–</span>{cell.below}'
    own, theirs = (escape(amount(each)) for each in cell.points)
    return f'{escape(amount(cell.share))} <span class="sub">{own}:{theirs}</span>'


def _inputs(context: template.Context, line: Line, figure: Figure) -> str:
    """Return the inputs, if they are on the page, and the link to a page with more of them."""
    after = f"after={context['history'].chosen}&" if context["history"].chosen else ""
    where = f"?{context['stage_query']}{after}explain={line.standing.entry.uuid}"
    if not context["table"].with_terms:
        n = len(figure.terms)
        return _link(where, ngettext("Show the figure behind it", "Show the %(n)s figures behind it", n) % {"n": n})
    terms = f'<ul class="terms">{"".join(_term(term) for term in figure.terms)}</ul>'
    return terms if context["only"] else terms + _link(where, _("Deal by deal"))


def _link(where: str, words: str) -> str:
    return format_html('<p><a href="{}">{}</a></p>', where, words)


def _term(term: Mapping[str, Any]) -> str:
    """Return one input: the round, what it was worth, with whom, why, deal by deal."""
    of_round = f"{pgettext('round, short', 'R')}{term['round']} " if term.get("round") else ""
    worth: str = signed(term["amount"])
    if term.get("match"):
        worth = format_html('<a href="{}">{}</a>', reverse("match", args=[term["match"]]), worth)
    sat = _soft(term["sat"]) if term.get("sat") else ""
    note = _soft(_noted(term)) if term.get("note") else ""
    deals = format_html_join("", "{}", ((_deals(leg),) for leg in term.get("deals", ())))
    return format_html("<li>{}{}{}{}{}</li>", of_round, worth, sat, note, deals)


def _soft(words: object) -> SafeString:
    return format_html(' <span class="soft">{}</span>', words)


def _noted(term: Mapping[str, Any]) -> str:
    """Return the words of the note on a term; for what was given by hand with the reason and the person."""
    given = term.get("given")
    words = term_note(term["note"])
    return f"{words}{colon()}{given.reason} ({given.by.shown_name})" if given is not None else words


def _deals(leg: Any) -> SafeString:
    """Return the points of every deal of a match, of a deal set its leg."""
    of_leg = _("leg %(n)s:") % {"n": leg.number} + " " if leg.number else ""
    points = listed(amount(each) for each in leg.points)
    return _soft(f"{of_leg}{ngettext('deal', 'deals', len(leg.points))} {points}")
