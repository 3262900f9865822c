"""Words of a ranking: where an entry stands, and what kept it from playing to the end."""

from django import template

from tournaments.ranking import words

register = template.Library()
register.filter("standing_words", words.standing_words)
register.filter("departure_words", words.departure_words)
