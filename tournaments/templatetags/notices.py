"""What waits for the reader to do something, on pages of apps that know nothing of tournaments."""

from django import template

from accounts.models import User
from tournaments.notifications.queries import Notices, notices_for

register = template.Library()


@register.simple_tag
def notices_of(user: User) -> Notices:
    """Held matches of events they run, bots of theirs that were benched, hooks that were switched off: four queries."""
    return notices_for(user)
