"""A held check is played again: the button of its owner and of operators."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.views import safe_next
from bots.errors import BotError
from bots.models import Check
from bots.selectors import version_of
from bots.services import retry_check
from web.page import signed_in
from web.refusals import refused


@require_POST
@login_required
def bot_recheck(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Play a held check again, once: a second click changes nothing. 403: somebody else's; 429: too often."""
    person, here = signed_in(request), reverse("bot-version", args=[slug, n])
    version = version_of(slug, n, person)
    check = None if version is None else Check.objects.select_related("version__bot").filter(version=version).first()
    if check is None:
        raise Http404(slug)
    try:
        retry_check(check=check, by=person)
    except BotError as refusal:
        return refused(request, refusal, back=here)
    messages.success(request, _("The match is back in the queue."))
    return HttpResponseRedirect(safe_next(request, here))
