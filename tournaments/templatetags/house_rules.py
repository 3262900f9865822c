"""The name of an event's rules, with how many house rules it has."""

from django import template

from tournaments.lifecycle.house_rules import rules_name as name_of
from tournaments.models import Stage

register = template.Library()


@register.filter
def rules_name(stage: Stage) -> str:
    """Return what the rules of a stage are called: "Paradise Factors, with 3 house rules"."""
    return name_of(stage)
