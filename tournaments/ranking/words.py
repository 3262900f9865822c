"""The words of a ranking: how its order came about, and where each entry of it stands."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.phrasing import in_turn, listed
from tournaments.models import Stage
from tournaments.ranking.awards import NotGiven
from tournaments.ranking.lines import Departure, EventRanking, RankLine
from tournaments.ranking.prizes import AwardLine, Winner

PLACES: Final = {
    (1, False): gettext_lazy("1st"),
    (2, False): gettext_lazy("2nd"),
    (3, False): gettext_lazy("3rd"),
    (1, True): gettext_lazy("Shared 1st"),
    (2, True): gettext_lazy("Shared 2nd"),
    (3, True): gettext_lazy("Shared 3rd"),
}
"""The places of a podium by rank and whether it is shared."""


def explanation_of(ranking: EventRanking, criteria: Sequence[str] = ()) -> list[str]:
    """Explain the order: a sentence for each stage, in the order in which they count, and for what is special.

    criteria: names of what the only stage of an event ranks by; they say more than that it is its standings.
    """
    placed = ranking.placed
    if criteria:
        lines = [_("Ranked by: %(criteria)s.") % {"criteria": listed(criteria)}]
    else:
        lines = [_of_stage(list(own)) for _key, own in groupby(placed, key=lambda line: line.stage.pk)]
    if any(line.shared for line in placed):
        lines.append(_("A place marked “=” is shared: nothing that counts tells these entries apart."))
    departures = {line.departure for line in ranking.lines}
    if Departure.WITHDRAWN in departures:
        lines.append(_("Those who withdrew keep the place that their results give them."))
    if Departure.DISQUALIFIED in departures:
        lines.append(_("Disqualified entries have no place."))
    return lines


def _of_stage(lines: Sequence[RankLine]) -> str:
    first, stage = lines[0].rank or 1, lines[0].stage
    shown = {"first": first, "last": first + len(lines) - 1, "stage": stage_name(stage)}
    if lines[0].place is None:
        text = _("Places %(first)s to %(last)s: those who advanced to “%(stage)s”, where no result counts yet.")
    elif any(line.group for line in lines):
        text = _("Places %(first)s to %(last)s: by the place in their group of “%(stage)s”.")
    elif len(lines) == 1:
        text = _("Place %(first)s: by the standings of “%(stage)s”.")
    else:
        text = _("Places %(first)s to %(last)s: by the standings of “%(stage)s”.")
    return text % shown


def stage_name(stage: Stage) -> str:
    """Return the name that people call a stage by."""
    return stage.name or _("Stage %(n)s") % {"n": stage.number}


def standing_words(line: RankLine) -> str:
    """Name the last stage of an entry and its place there: "Pools, place 2 of group B"."""
    if line.place is None:
        return listed((stage_name(line.stage), _("no result yet")))
    shown = {"place": line.place, "group": line.group}
    place = _("place %(place)s of group %(group)s") if line.group else _("place %(place)s")
    return listed((stage_name(line.stage), place % shown))


def place_words(line: RankLine) -> str:
    """Name a place of the podium: "2nd", "Shared 1st"; "" for the places behind."""
    return str(PLACES.get((line.rank or 0, line.shared), ""))


def departure_words(line: RankLine) -> str:
    """Return what became of an entry that did not play to the end; "" for the others."""
    return str(line.entry.get_state_display()) if line.departure else ""


def amount_words(amount: Decimal | None, currency: str) -> str:
    """Write an amount with its currency: "1,200 JPY"; "" for a thing. Decimals only where there are any."""
    if amount is None:
        return ""
    digits = number_format(amount, 0 if amount == amount.to_integral_value() else 2, force_grouping=True)
    return f"{digits}\N{NO-BREAK SPACE}{currency}".strip()


def pool_words(award: AwardLine, *, is_organiser: bool) -> str:
    """Name whom a prize is for: everybody, or a category that the reader may know of; "" for another one."""
    if award.category is None:
        return _("overall")
    return award.category.name if is_organiser or award.category.is_named else ""


def offer_words(award: AwardLine, *, is_organiser: bool) -> str:
    """Say what a prize is for: "place 1 in “Novices”"."""
    pool = pool_words(award, is_organiser=is_organiser)
    if award.category is None:
        return _("place %(place)s overall") % {"place": award.place}
    if not pool:
        return _("place %(place)s of a category") % {"place": award.place}
    return _("place %(place)s in “%(category)s”") % {"place": award.place, "category": pool}


def reason_words(award: AwardLine, winner: Winner, *, is_organiser: bool) -> str:
    """Explain why somebody wins a prize."""
    rank = _("place %(place)s overall") % {"place": winner.line.rank}
    pool = pool_words(award, is_organiser=is_organiser)
    if award.category is not None and pool:
        rank = listed((_("place %(place)s in “%(category)s”") % {"place": award.place, "category": pool}, rank))
    parts = [rank]
    if award.shares > 1:
        parts.append(
            ngettext("shared with %(n)s other", "shared with %(n)s others", award.shares - 1) % {"n": award.shares - 1}
        )
    if award.passed:
        parts.append(_passed_words(award, is_organiser=is_organiser))
    return in_turn(parts)


def _passed_words(award: AwardLine, *, is_organiser: bool) -> str:
    """Say who was passed over. Who else is in a category of ages or answers is for organisers alone."""
    category = award.category
    may_name = category is None or (category.is_named and category.kind == category.Kind.CLUB)
    if not (is_organiser or may_name):
        return _("those before have a better prize")
    names = listed(line.entry.player.name for line in award.passed)
    return ngettext("%(names)s has a better prize", "%(names)s have better prizes", len(award.passed)) % {
        "names": names
    }


def not_given_words(award: AwardLine) -> str:
    """Explain why nobody wins a prize; "" where somebody does."""
    if award.not_given is NotGiven.SHARED:
        return _("not given: the place above is shared")
    if award.not_given is NotGiven.EMPTY:
        return _("not given: nobody is in this category")
    return _("not given: nobody is left for it") if award.not_given else ""
