"""Page that calls off a stage that has begun: it shows first what follows, the reason is public, and it is one act."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.errors import DomainError
from tournaments.models import Role, Stage
from tournaments.pages.events.chain import name_of
from tournaments.pages.events.event import load, render_event
from tournaments.progress.corrections.affected import TABLE
from tournaments.progress.corrections.voiding import preview_void, void_stage
from web.page import signed_in
from web.refusals import refused


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def void_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what would follow, and ask for the reason; posted with the hash that was seen it is done. 404 for others
    than owners.

    409 with the reason where it cannot be done (any more).
    """
    page, person = load(request, slug, stage=str(number)), signed_in(request)
    if Role.Kind.OWNER not in page.roles:
        raise Http404(slug)
    back = reverse("tournament", args=[slug])
    stage = Stage.objects.select_related("tournament", "ruleset").get(pk=page.stage.pk)
    try:
        if request.method == "POST":
            reason, seen = request.POST.get("reason", ""), request.POST.get("seen", "")
            fresh = void_stage(stage=stage, by=person, reason=reason, seen=seen)
            messages.success(request, _("“%(name)s” is cancelled. You can draw it again.") % {"name": name_of(fresh)})
            return HttpResponseRedirect(back)
        shown = preview_void(stage=stage, by=person)
    except DomainError as refusal:
        return refused(request, refusal, back=back)
    tables = [row for row in shown.changes if row.kind == TABLE and row.before]
    context = {"shown": shown, "name": name_of(stage), "tables": tables, "back": back}
    return render_event(request, page, "void", context, template="tournaments/void_stage.html")
