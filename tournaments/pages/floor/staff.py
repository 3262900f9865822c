"""Pages of those who run an event, of people or of bots: who has which role, the dashboard of a league."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from tournaments.events import roles
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.matches import schedule
from tournaments.models import Role, Tournament
from tournaments.pages.events.event import load, render_event
from tournaments.pages.floor.league_steps import league_steps
from tournaments.pages.lifecycle.words import verbs_for
from tournaments.progress import undo
from tournaments.progress.run import possible_verbs
from tournaments.scores import tables as desk
from web.page import viewer

Act = Callable[[HttpRequest, Tournament, User], str]


def open_for_staff(request: HttpRequest, slug: str, stage: str = "") -> tuple[EventPage, frozenset[str]]:
    """Return an event of people or of bots and the reader's roles, or 404 for a reader who has none there."""
    page = load(request, slug, stage=stage)
    if not page.all_roles:
        raise Http404(slug)
    return page, page.all_roles


def league_dashboard(request: HttpRequest, page: EventPage) -> HttpResponse:
    """Show the organisers of an event of bots the next step, how far it is, held matches and what can be undone."""
    verbs = verbs_for(possible_verbs(page.event, viewer(request)) if page.is_organiser else (), page)
    held = page.is_organiser and page.progress.quarantined
    context = {
        "verbs": verbs,
        **league_steps(page, verbs),
        "quarantined": schedule.quarantined_matches(page.stage) if held else [],
        "undoable": SimpleLazyObject(lambda: undo.offered(page.event, viewer(request), page.all_roles)),
    }
    return render_event(request, page, "desk", context, template="desk/league.html")


@require_safe
@login_required
def roles_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who runs the event; roles are given by user name."""
    page, found = open_for_staff(request, slug)
    is_owner = Role.Kind.OWNER in found
    # Only what this person may give: the service refuses the rest.
    allowed = list(Role.Kind) if is_owner else list(roles.BY_DIRECTORS) if found & ORGANISERS else []
    # The least first: the form must not offer the ownership to somebody who only looks at the name.
    offered = [kind for kind in reversed(Role.Kind) if kind in allowed]
    given = desk.roles_at(page.event)
    is_only_owner = sum(role.role == Role.Kind.OWNER for role in given) == 1
    context = {
        "given": [
            (role, role.role in allowed and not (is_only_owner and role.role == Role.Kind.OWNER)) for role in given
        ],
        "offered": [(kind.value, kind.label) for kind in offered],
    }
    return render_event(request, page, "roles", context, template="desk/roles.html")


def _give_role(request: HttpRequest, event: Tournament, by: User) -> str:
    name, role = request.POST.get("user", ""), request.POST.get("role", "")
    given = roles.give_role(tournament=event, by=by, username=name, role=role)
    return _("%(name)s is now: %(role)s.") % {"name": given.user.shown_name, "role": given.get_role_display()}


def _take_role(request: HttpRequest, event: Tournament, by: User) -> str:
    name, role = request.POST.get("user", ""), request.POST.get("role", "")
    roles.take_role(tournament=event, by=by, username=name, role=role)
    return _("%(name)s no longer has this role.") % {"name": name}


STAFF_ACTS: Final[dict[str, tuple[Act, str]]] = {
    "give-role": (_give_role, "tournament-roles"),
    "take-role": (_take_role, "tournament-roles"),
}
"""Acts on events of people and of bots alike."""
