"""A person's total, number by number and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from core.seasons.model import FULL_WEIGHT, POINT, Decay, Line, Measure, Result, Rules, Status, Total
from core.seasons.totals import decays, total
from tournaments.lifecycle.visibility import visible_to
from tournaments.models import Season, SeasonPerson, SeasonResult, Tournament
from tournaments.seasons.figures import shown
from tournaments.seasons.tables import events_of, rules_of


@dataclass(frozen=True, slots=True)
class Explained:
    """One result of a person. event: None for one that the reader may not open; entered: the name in that event.

    why: whether it counts, in words.
    """

    line: Line
    row: SeasonResult
    event: Tournament | None
    why: str

    @property
    def is_counted(self) -> bool:
        """True if it is part of the total."""
        return self.line.status is Status.COUNTED

    @property
    def may_be_somebody_else(self) -> bool:
        """True where a name alone says who it is."""
        return self.row.entry.player.user_id is None and self.row.entry.player.bot_id is None

    @property
    def is_shared(self) -> bool:
        """True where others came in at the same place."""
        return self.row.shared > 1


@dataclass(frozen=True, slots=True)
class Explanation:
    """A person's total and what it is made of, the newest event first."""

    person: SeasonPerson
    total: Total
    lines: tuple[Explained, ...]

    @property
    def is_weighed(self) -> bool:
        """True if a result brings something else than it gives, so that both are worth a column."""
        return any(each.line.weight != FULL_WEIGHT or each.line.given != each.line.amount for each in self.lines)


def explanation_of(person: SeasonPerson, viewer: User | None) -> Explanation:
    """Explain the total of a person (with its season). Three queries."""
    season = person.season
    rules = rules_of(season)
    events = events_of(list(season.events.filter(counts=True).select_related("tournament")))
    left = decays(rules, events.values())
    rows = SeasonResult.objects.filter(person=person, event__counts=True).order_by("pk")
    stored = list(rows.select_related("event__tournament", "entry__player", "team__player"))
    results = {id(result): (row, result) for row in stored for result in [_result(row)]}
    found = total(rules, [result for _row, result in results.values()], events, left)
    keys = [row.event.tournament_id for row in stored]
    may_open = set(Tournament.objects.filter(visible_to(viewer), pk__in=keys).values_list("pk", flat=True))
    lines = []
    for line in found.lines:
        row = results[id(line.result)][0]
        event = row.event.tournament if row.event.tournament_id in may_open else None
        lines.append(Explained(line, row, event, why(rules, line)))
    return Explanation(person, found, tuple(lines))


def _result(row: SeasonResult) -> Result:
    return Result(row.event_id, row.place, row.shared, row.field, row.points, row.share)


def why(rules: Rules, line: Line) -> str:
    """Say whether a result counts, and why not."""
    if line.status is Status.COUNTED:
        return _("counted")
    if line.status is Status.TWICE:
        return _("not counted: another entry of the same person in this event is worth more")
    return ngettext(
        "not counted: only the best %(n)s result counts, and others are worth more",
        "not counted: only the best %(n)s results count, and others are worth more",
        rules.best,
    ) % {"n": rules.best}


def rules_in_words(season: Season) -> list[str]:
    """Return what the numbers of a season's table mean, a sentence for each rule."""
    rules = rules_of(season)
    return [_measure_words(rules), *_best_words(rules), *_decay_words(rules), _level_words()]


def _measure_words(rules: Rules) -> str:
    match rules.measure:
        case Measure.FIELD:
            return _(
                "An event gives one point for taking part, and one more for everybody who came in behind. Those who "
                "share a place get the mean of the places they share."
            )
        case Measure.POINTS:
            return _("An event gives the points won at its tables. A bye adds nothing.")
        case Measure.VICTORIES:
            return _("An event gives the share of the deals won at one's tables, in percent.")
    places = " – ".join(shown(each, POINT) for each in rules.places)
    words = _("An event gives points by its final ranking: %(points)s for places 1, 2, 3 and so on.")
    rest = _("Every other place gives %(points)s.") % {"points": shown(rules.others, POINT)}
    shared = _("Those who share a place get the mean of the places they share.")
    return " ".join([words % {"points": places}, rest, shared])


def _best_words(rules: Rules) -> Sequence[str]:
    if not rules.best:
        return [_("All results count.")]
    words = ngettext(
        "Of each person only the best %(n)s result counts.", "Of each person only the best %(n)s results count.",
        rules.best,
    )  # fmt: skip
    return [words % {"n": rules.best}]


def _decay_words(rules: Rules) -> Sequence[str]:
    if rules.decay is Decay.EVENT:
        return [_("A result loses %(n)s%% of what is left of its worth with each later event.") % {"n": rules.loss}]
    if rules.decay is Decay.MONTH:
        words = _(
            "A result loses %(n)s%% of what is left of its worth with each whole month between its event and the "
            "newest one."
        )
        return [words % {"n": rules.loss}]
    return []


def _level_words() -> str:
    return _("Who is level on the total is told apart by the best single results; after that a place is shared.")
