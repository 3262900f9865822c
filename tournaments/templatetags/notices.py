"""Things that wait for the reader, on pages of apps that know nothing of tournaments."""

from django import template

from accounts.models import User
from tournaments.notifications.queries import Notices, notices_for

register = template.Library()


@register.simple_tag
def notices_of(user: User) -> Notices:
    """Return held matches of their events, suspended bots of theirs, webhooks that were switched off: four queries."""
    return notices_for(user)
