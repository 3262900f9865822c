"""The end of an event as its page shows it: the podium with scores, by how much it was won, moments worth a look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.phrasing import listed
from bots.templatetags.emblems import emblem_for
from bots.templatetags.hanami import amount
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, Player, Progression, Stage, Standing, Tournament
from tournaments.pages.events.newest_results import ResultLine
from tournaments.ranking.event_ranking import beginning_of, ranking_of
from tournaments.ranking.figures import Figure, figure_words, figures_of
from tournaments.ranking.lines import PODIUM, EventRanking, RankLine
from tournaments.ranking.prizes import are_public
from tournaments.standings.highlights import BestDeal, Highlights, MostYaku, highlights_of
from tournaments.standings.queries import firsts_of
from tournaments.templatetags.results import Result, result_of

PAIR: Final = 2
"""Seats at a table of a knock-out whose rounds have names."""
LAST_ROUNDS: Final = ((2, gettext_noop("Final")), (4, gettext_noop("Semi-finals")), (8, gettext_noop("Quarter-finals")))
"""Rounds of a knock-out in which one goes out, by the last place that they leave."""
MARGINS: Final = {
    "points": gettext_noop("%(own)s points; %(n)s ahead of %(name)s."),
    "victories": gettext_noop("%(own)s victories; %(n)s ahead of %(name)s."),
    "above_mean": gettext_noop("%(own)s above the table's mean; %(n)s ahead of %(name)s."),
}
"""How figures are said whose number reads as part of a sentence; others are named in front of theirs."""


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A place on the podium. card: the symbol of its emblem, which is its trophy.

    score, unit: "" where the standings give none. of: the match of a bracket whose score it is. parted, parted_by: the
    next figure, where the same score has another place.
    """

    line: RankLine
    card: str
    score: str = ""
    unit: str = ""
    of: str = ""
    parted: str = ""
    parted_by: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something worth a look. match: its id, "" without one; query: the deal in its replay."""

    label: str
    text: str
    match: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far one came in a knock-out, as a figure of the table: its heading and the name of the round."""

    name: str
    shown: str


def ending_of(
    page: EventPage, ways: Sequence[Progression], top: Sequence[Standing], lines: Sequence[ResultLine]
) -> dict[str, Any]:
    """Return what the page says of an event that is over; nothing of one that goes on.

    top: the first rows of the last stage, `BEGINNING` at least, or all; lines: its newest results.
    Queries: of the ranking where these rows do not tell it, two for the moments unless they are kept, one for the names
    in them that are not among the first, and one where all of them share the first place.
    """
    ranking = beginning_of(page.event, page.stages, top) or ranking_of(page.event, stages=page.stages, ways=ways)
    settings = getattr(page.event, "prize_settings", None)  # read with the page
    has_prizes = settings is not None and are_public(settings, page.event)
    found: dict[str, Any] = {"ranking": ranking, "has_prizes": has_prizes}
    rows = {row.entry_id: row for row in top}
    scores = {entry: figures_of(page.stage, row) for entry, row in rows.items()}
    found["headline"] = _headline(page, ranking, top)
    found["beside"] = listed(line.entry.player.name for line in ranking.beside)
    # A bracket ranks by how far one came: what was won on the way would look like what decided.
    if page.stage.format.ranks_by_bracket:
        final = final_of(page.stage, ranking, lines)
        found["podium"] = _podium_of_bracket(page.stage, ranking, lines, final)
        found["margin"] = _final_words(final) if final else ""
    else:
        found["podium"], found["margin"] = _podium(ranking, scores), _margin(ranking, scores)
    found["moments"] = _moments(page, ranking)
    return found


def reached(page: EventPage, row: Standing) -> Reached | None:
    """Return how far a row of a knock-out that is over came; None of others."""
    place = str(row.explanation[0]["value"]) if row.explanation else ""
    stage, is_over = page.stage, page.event.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED)
    is_plain = stage.format.has_third_place and stage.groups_n == 1 and stage.seats_pref == PAIR
    if not is_over or not is_plain or stage.consolation or not place.isdecimal():
        return None
    if int(place) == 1:
        return Reached(_("Reached"), _("Champion"))
    # Who lost both the semi-final and the match for third place came as far as the former.
    name = next((name for last, name in LAST_ROUNDS if int(place) <= last), "")
    return Reached(_("Reached"), _(name)) if name else None


def _headline(page: EventPage, ranking: EventRanking, top: Sequence[Standing]) -> str:
    """Return who won. One query where all of `top` share the first place: more than these may."""
    names = [line.entry.player.name for line in ranking.first]
    if not names:
        return ""
    if len(names) == 1:
        return _("%(name)s wins.") % {"name": names[0]}
    if len(names) <= 2 * PODIUM:
        return _("%(one)s and %(other)s share first place.") % {"one": listed(names[:-1]), "other": names[-1]}
    n = firsts_of(page.stage) if len(names) == len(top) else len(names)
    return ngettext("%(n)d shares first place.", "%(n)d share first place.", n) % {"n": n}


def _podium(ranking: EventRanking, scores: Mapping[int, Sequence[Figure]]) -> list[PodiumStep]:
    of = {line.entry.pk: scores.get(line.entry.pk, ()) for line in ranking.podium}
    return [_step(line, of[line.entry.pk], _parting(line, ranking.podium, of)) for line in ranking.podium]


def _parting(line: RankLine, podium: Sequence[RankLine], of: Mapping[int, Sequence[Figure]]) -> int:
    """Return which figure tells a step from one with the same score and another place, 0 where none has to."""
    own = of[line.entry.pk]
    level = [of[other.entry.pk] for other in podium if other.rank != line.rank]
    level = [other for other in level if own[:1] and own[:1] == other[:1]]
    for place, figures in enumerate(zip(own, *level, strict=False)):
        values = [figure.value for figure in figures]
        if place and level and not any(isinstance(value, list) for value in values) and len(set(values)) > 1:
            return place
    return 0


def final_of(stage: Stage, ranking: EventRanking, lines: Sequence[ResultLine]) -> Result | None:
    """Return the match that gave a bracket its winner; None where it is not one match with one figure for each side."""
    finals = [line for line in lines if line.name and line.name.is_final]
    latest = max((line.name.place for line in finals if line.name), default=0)
    finals = [line for line in finals if line.name and line.name.place == latest]
    if len(finals) != 1 or stage.groups_n > 1 or len(ranking.first) != 1:
        return None
    return _won(finals[0], ranking.first[0])


def _won(line: ResultLine, winner: RankLine) -> Result | None:
    """Return the match that they won by figures; None where it is not one match with one figure for each side."""
    found = result_of(line.match, line.rows)
    is_whole = found.is_over and not line.leg and not any(seat.board for seat in line.match.seats.all())
    is_played = len(found.sides) > 1 and not any(side.forfeited for side in found.sides)
    best = found.sides[0] if is_whole and is_played else None
    return found if best and best.won and best.player == winner.entry.player else None


def _final_words(final: Result) -> str:
    shown = {"name": final.sides[1].name, "own": final.figures[0], "other": final.figures[1], "decided": final.more}
    if final.is_by_points:
        return _("Beat %(name)s %(own)s : %(other)s in the final, %(decided)s.") % shown
    return _("Beat %(name)s %(own)s : %(other)s in the final.") % shown


def _podium_of_bracket(
    stage: Stage, ranking: EventRanking, lines: Sequence[ResultLine], final: Result | None
) -> list[PodiumStep]:
    """Return the steps with what decided: those of the final, and who won the match for third place."""
    scores = _decisive(final, _("Final")) if final else {}
    third = next((line for line in ranking.podium if line.rank == PODIUM), None)
    matches = [line for line in lines if line.name and line.name.is_third and stage.groups_n == 1]
    if third and len(matches) == 1 and (bronze := _won(matches[0], third)):
        scores[third.entry.player] = _decisive(bronze, _("Third place"))[third.entry.player]
    steps = []
    for line in ranking.podium:
        score, unit, of = scores.get(line.entry.player, ("", "", ""))
        steps.append(replace(_step(line, (), 0), score=score, unit=unit, of=of))
    return steps


def _decisive(result: Result, title: str) -> dict[Player | None, tuple[str, str, str]]:
    """Return by side its score, of two also the other's, what it counts (points where these decided), and the title."""
    by_deals = result.by_deals and not result.is_by_points
    figures = [amount(side.victories if by_deals else side.points) for side in result.sides]
    unit = _("deals won") if by_deals else _("points")
    shown = [f"{own} : {other}" for own, other in zip(figures, reversed(figures), strict=True)]
    return {
        side.player: (score, unit, title)
        for side, score in zip(result.sides, shown if result.is_pair else figures, strict=True)
    }


def _step(line: RankLine, figures: Sequence[Figure], parting: int) -> PodiumStep:
    card = emblem_for(line.entry.player).card.replace(".", "0")
    if not figures:
        return PodiumStep(line, card)
    step = PodiumStep(line, card, figures[0].shown, figures[0].name)
    return replace(step, parted=figures[parting].shown, parted_by=figures[parting].name) if parting else step


def _margin(ranking: EventRanking, scores: Mapping[int, Sequence[Figure]]) -> str:
    """Return by how much the winner is ahead of the second; "" where two share the first place."""
    two = [line for line in ranking.placed if (line.rank or 0) <= 2]
    if len(ranking.first) != 1 or len(two) < 2:
        return ""
    pair = [scores.get(line.entry.pk, ()) for line in two[:2]]
    for place, (own, other) in enumerate(zip(*pair, strict=False)):
        if isinstance(own.value, list) or own.value == other.value:
            continue
        shown = {"figure": own.name, "name": two[1].entry.player.name}
        shown |= {"own": figure_words(own.id, own.value), "other": figure_words(own.id, other.value)}
        if place:
            return _("%(name)s has the same score; %(figure)s decided, %(own)s : %(other)s.") % shown
        shown["n"] = figure_words(own.id, abs(Fraction(str(own.value)) - Fraction(str(other.value))))
        if own.id in MARGINS and Fraction(str(own.value)) > 0:
            return _(MARGINS[own.id]) % shown
        return _("%(figure)s %(own)s, %(n)s ahead of %(name)s.") % shown
    return ""


def _moments(page: EventPage, ranking: EventRanking) -> list[Moment]:
    first = [line.entry.pk for line in ranking.placed if (line.rank or 0) <= 2]
    found = highlights_of(page.event, page.version, first[:2] if len(first) == 2 else ())
    names = _names(ranking, found)
    moments = []
    if found.deciding:
        pair = " – ".join(names.get(entry, "?") for entry in first[:2])
        moments.append(Moment(_("Deciding match"), pair, found.deciding))
    if found.best is not None:
        moments.append(_best_deal(found.best, names))
    if found.yaku is not None:
        moments.append(_most_yaku(found.yaku, names))
    return moments


def _names(ranking: EventRanking, found: Highlights) -> dict[int, str]:
    """Return the names of entries by key: of all that the moments tell of. One query if these are not ranked here."""
    names = {line.entry.pk: line.entry.player.name for line in ranking.lines}
    told = {entry for each in (found.best, found.yaku) if each is not None for entry in each.entries}
    if others := told - names.keys():
        names |= dict(Entry.objects.filter(pk__in=others).values_list("pk", "player__name"))
    return names


def _best_deal(best: BestDeal, names: Mapping[int, str]) -> Moment:
    shown = {"name": " & ".join(names.get(entry, "?") for entry in best.entries), "points": best.points}
    words = _("%(name)s, %(points)s points") % shown
    return Moment(_("Best deal"), words, best.match, f"?d={best.number}#replay")


def _most_yaku(most: MostYaku, names: Mapping[int, str]) -> Moment:
    shown = {"name": listed(names.get(entry, "?") for entry in most.entries), "n": most.count}
    return Moment(_("Most yaku"), _("%(name)s, %(n)s in all") % shown)
