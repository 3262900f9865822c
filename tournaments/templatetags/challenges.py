"""Figures of comparisons: numbers with their sign."""

from django import template

from tournaments.comparisons.words import signed as with_sign

register = template.Library()


@register.filter
def signed(value: float, places: int = 2) -> str:
    """Return a number as in "+1.24" and "−0.50", in the reader's way of writing numbers."""
    return with_sign(value, places)
