"""Public pages of people and bots, and the page "what I follow"."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.models import Bot
from bots.selectors import versions_of
from bots.selectors.benching import bench_lines
from bots.views.page import render_page, signed_in, viewer
from tournaments.selectors import people
from tournaments.services.calendars import calendar_token


@require_safe
def user(request: HttpRequest, name: str) -> HttpResponse:
    """A person: their bots, the tournaments they organise."""
    try:
        page = people.person_page(name)
    except User.DoesNotExist as missing:
        raise Http404(name) from missing
    return render_page(request, "pages/user.html", {"page": page, "person": page.person})


@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot: its versions, what it is entered in, its last matches."""
    found = Bot.objects.select_related("owner", "active_version").filter(slug=slug).first()
    if found is None:
        raise Http404(slug)
    person = viewer(request)
    is_owner = person is not None and person.pk == found.owner_id
    versions = list(versions_of(found, person)[:50])
    context = {
        "bot": found,
        "page": people.bot_page(found, person),
        "versions": versions,
        "is_owner": is_owner,
        "benched": bench_lines(each for each in versions if each.pk == found.active_version_id) if is_owner else [],
    }
    return render_page(request, "bots/bot.html", context)


@login_required
@require_safe
def follow(request: HttpRequest) -> HttpResponse:
    """What I follow, and what my bots are entered in."""
    person = signed_in(request)
    context = {"followed": people.followed_by(person), "calendar": calendar_token(person)}
    return render_page(request, "pages/follow.html", context)
