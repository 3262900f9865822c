"""Words of a ranking and of its prizes: where an entry stands, who wins what, and why."""

from django import template

from tournaments.ranking import words
from tournaments.ranking.prizes import AwardLine

register = template.Library()
register.filter("standing_words", words.standing_words)
register.filter("place_words", words.place_words)
register.filter("departure_words", words.departure_words)
register.filter("amount_words", words.amount_words)
register.filter("not_given_words", words.not_given_words)


@register.simple_tag
def reasons(award: AwardLine, is_organiser: bool) -> list[str]:
    """Return why each winner of a prize wins it; the same words once."""
    found = (words.reason_words(award, winner, is_organiser=is_organiser) for winner in award.winners)
    return list(dict.fromkeys(found))


@register.simple_tag
def prize_for(award: AwardLine, is_organiser: bool) -> str:
    """Return the place that a prize is for, while nobody has one."""
    return words.offer_words(award, is_organiser=is_organiser)
