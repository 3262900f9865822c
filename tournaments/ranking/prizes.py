"""The prizes of an event as they are set, who is in which category, and who wins what as things stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Final

from tournaments.models import (
    Entry,
    Prize,
    PrizeCategory,
    PrizeSettings,
    Question,
    Registration,
    RegistrationAnswer,
    Tournament,
)
from tournaments.ranking.awards import Candidate, NotGiven, Offer, give
from tournaments.ranking.event_ranking import OVER, ranking_of
from tournaments.ranking.lines import EventRanking, RankLine

CENT: Final = Decimal("0.01")
Kind = PrizeCategory.Kind


@dataclass(frozen=True, slots=True)
class Prizes:
    """What is set: the settings, the categories and the prizes, in their order. members: entries by category."""

    settings: PrizeSettings
    categories: tuple[PrizeCategory, ...]
    prizes: tuple[Prize, ...]
    members: Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Winner:
    """Somebody who wins a prize. amount: what they get of it; None for a thing."""

    line: RankLine
    amount: Decimal | None


@dataclass(frozen=True, slots=True)
class AwardLine:
    """A prize of one place, with its winners. shares, not_given: as of `awards.Award`; passed: names."""

    prize: Prize
    place: int
    winners: tuple[Winner, ...]
    shares: int
    passed: tuple[RankLine, ...]
    not_given: NotGiven | None

    @property
    def category(self) -> PrizeCategory | None:
        """The category it is for; None: everybody."""
        return self.prize.category


def settings_of(event: Tournament) -> PrizeSettings:
    """Return the choices for an event; the defaults, unsaved, where nobody chose. One query."""
    return PrizeSettings.objects.filter(tournament=event).first() or PrizeSettings(tournament=event)


def are_public(settings: PrizeSettings, event: Tournament) -> bool:
    """Return whether everybody may see the prizes and who wins them."""
    return settings.publish == PrizeSettings.Publish.NOW or (
        settings.publish == PrizeSettings.Publish.END and event.state in OVER
    )


def prizes_of(event: Tournament) -> Prizes:
    """Return the prizes of an event. Two queries where none are set, else up to six for any number of entries."""
    prizes = tuple(Prize.objects.filter(tournament=event).select_related("category").order_by("position", "pk"))
    found = PrizeCategory.objects.filter(tournament=event).select_related("question").order_by("position", "pk")
    categories = tuple(found)
    return Prizes(settings_of(event), categories, prizes, members_of(event, categories))


def members_of(event: Tournament, categories: Sequence[PrizeCategory]) -> dict[int, frozenset[int]]:
    """Return the entries that are in each category. A query for each kind of category that there is."""
    members: dict[int, set[int]] = {category.pk: set() for category in categories}
    by_hand = [category.pk for category in categories if category.kind == Kind.HAND]
    if by_hand:
        rows = PrizeCategory.marked.through.objects.filter(prizecategory__in=by_hand)
        for category, entry in rows.values_list("prizecategory", "entry"):
            members[category].add(entry)
    of_clubs = [category for category in categories if category.kind == Kind.CLUB]
    clubs = Entry.objects.filter(tournament=event).exclude(player__club="").values_list("pk", "player__club")
    for entry, club in clubs if of_clubs else ():
        for of in of_clubs:
            if _folded(of.club) == _folded(club):
                members[of.pk].add(entry)
    asked = [category for category in categories if category.kind == Kind.ANSWER and category.question is not None]
    for category, entry in _answered(event, asked):
        members[category].add(entry)
    return {category: frozenset(entries) for category, entries in members.items()}


def _folded(club: str) -> str:
    return " ".join(club.split()).casefold()


def _answered(event: Tournament, categories: Sequence[PrizeCategory]) -> Iterable[tuple[int, int]]:
    """Yield (category, entry) of those whose answer puts them there."""
    if not categories:
        return
    rows = RegistrationAnswer.objects.filter(
        question__in={category.question_id for category in categories},
        registration__tournament=event,
        registration__state=Registration.State.ACCEPTED,
        registration__entry__isnull=False,
    )
    for question, entry, value in rows.values_list("question", "registration__entry", "value"):
        for category in categories:
            if category.question_id == question and fits(category, value):
                yield category.pk, entry


def fits(category: PrizeCategory, value: str) -> bool:
    """Return whether an answer puts its person into a category."""
    question = category.question
    if question is None or question.kind == Question.Kind.TEXT:
        return False
    if question.kind == Question.Kind.TICK:
        return value == "yes"
    if question.kind == Question.Kind.CHOICE:
        return value == category.value
    try:
        number = int(value)
    except ValueError:
        return False
    above = category.at_least is None or number >= category.at_least
    return above and (category.at_most is None or number <= category.at_most)


def awards_of(prizes: Prizes, ranking: EventRanking) -> list[AwardLine]:
    """Return the prizes of all places, those of more worth first, with who wins them as things stand. No query."""
    lines = {line.entry.pk: line for line in ranking.placed if prizes.settings.withdrawn_win or not line.departure}
    named = {line.entry.pk: line for line in ranking.placed}
    candidates = [Candidate(entry, line.rank or 0) for entry, line in lines.items()]
    offers = [Offer(at, each.category_id, each.first, each.last, each.amount) for at, each in enumerate(prizes.prizes)]
    divided = prizes.settings.ties == PrizeSettings.Ties.DIVIDED
    found = give(offers, candidates, prizes.members, one_each=prizes.settings.one_each, divided=divided)
    return [
        AwardLine(
            prizes.prizes[award.offer.key],
            award.place,
            tuple(Winner(named[entry], _part(award.offer.amount, award.shares)) for entry in award.winners),
            award.shares,
            tuple(named[entry] for entry in award.passed),
            award.not_given,
        )
        for award in found
    ]


def winners_by_category(prizes: Prizes, ranking: EventRanking) -> dict[int, list[Entry]]:
    """Return who wins in each category as things stand, best first; everybody once. No query."""
    winners: dict[int, list[Entry]] = {category.pk: [] for category in prizes.categories}
    for award in awards_of(prizes, ranking):
        if award.category is None:
            continue
        own = winners[award.category.pk]
        own += [winner.line.entry for winner in award.winners if winner.line.entry not in own]
    return winners


def fix_answered_categories(event: Tournament) -> None:
    """Keep who won in categories of answers, before the answers are deleted: from then on they are marked by hand."""
    answered = PrizeCategory.objects.filter(tournament=event, kind=Kind.ANSWER)
    if not answered.exists():
        return
    winners = winners_by_category(prizes_of(event), ranking_of(event))
    for category in answered:
        # The winners alone: who else was how old or a beginner goes with the answers.
        category.marked.set(winners[category.pk])
    answered.update(kind=Kind.HAND, question=None, value="", at_least=None, at_most=None)


def _part(amount: Decimal | None, shares: int) -> Decimal | None:
    """Return what one of several gets: rounded down to a cent, so that never more is paid than there is."""
    if amount is None:
        return None
    return (amount / shares).quantize(CENT, rounding=ROUND_DOWN)
