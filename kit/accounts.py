"""The score of a match as the viewer's page shows it: result, running totals, players by deals. Markup, all escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from core.replay.document import Deal, Replay
from core.replay.score import ScoreRow, chart, result_line, score_rows, total_word

CREST: Final = '<svg class="rp-crest s{seat}" aria-hidden="true"><use href="/table/crests.svg#s{seat}"/></svg>'


def result(replay: Replay) -> str:
    """Return the line of the sides by place; empty for a match that is not over."""
    sides = "".join(
        f'<li class="s{one.seat}{" won" if one.place == 1 else ""}"><i>{one.place}</i>'
        f'{CREST.format(seat=one.seat)}<span class="rp-name">{escape(one.name)}</span><b>{one.figure}</b></li>'
        for one in result_line(replay)
    )
    return f'<ol class="rp-line" aria-label="Result">{sides}</ol>' if sides else ""


def score(replay: Replay, book: Mapping[str, Any], shown: int) -> str:
    """Return the chart and the table of the deals. shown: the deal that the page begins with."""
    head = "".join(_head(deal, shown) for deal in replay.deals)
    rows = "".join(_row(row, shown) for row in score_rows(replay))
    look = "rp-strip many" if len(replay.deals) > 12 else "rp-strip"
    total = f'<th scope="col" class="rp-sum">{escape(total_word(replay, book))}</th>'
    return (
        f'{lines(replay, shown)}<div class="rp-deals"><table class="{look}">'
        f"<thead><tr><td></td>{head}{total}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def lines(replay: Replay, shown: int) -> str:
    """Return the drawing of the running totals; empty where there is nothing to draw."""
    drawn = chart(replay)
    if drawn is None:
        return ""
    stripes = "".join(
        f'<rect x="{x}" y="0" width="{width}" height="100" data-deal="{deal}"{_now(deal, shown)}/>'
        for deal, x, width in drawn.marks
    )
    totals = "".join(f'<polyline class="s{seat}" points="{points}"/>' for seat, points in drawn.lines)
    label = "Running totals as lines; the table below has the figures"
    return (
        f'<svg class="rp-chart" viewBox="0 0 600 100" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'{stripes}<path class="zero" d="M0 {drawn.zero}H600"/>{totals}</svg>'
    )


def _now(deal: int, shown: int) -> str:
    return ' class="now"' if deal == shown else ""


def _head(deal: Deal, shown: int) -> str:
    mult = f" <b>×{deal.mult}</b>" if deal.mult > 1 else ""
    return (
        f'<th scope="col"{_now(deal.number, shown)}><a href="#d{deal.number}m0" '
        f'data-jump="{deal.number}"><span class="sr">Deal </span>{deal.number}{mult}</a></th>'
    )


def _row(row: ScoreRow, shown: int) -> str:
    cells = "".join(
        f'<td class="{"best" if won else ""}{" now" if deal == shown else ""}">{text}</td>'
        for deal, text, won in row.cells
    )
    name = f'<th scope="row">{CREST.format(seat=row.seat)} {escape(row.name)}</th>'
    return f'<tr class="s{row.seat}">{name}{cells}<td class="rp-sum">{row.total}</td></tr>'
