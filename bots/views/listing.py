"""The list of all bots."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from bots.models import Bot
from bots.selectors.published import has_public_source
from web.page import render_page, viewer
from web.paging import far, page_of


@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    """Every bot, newest first; `?q=` looks into names, `?mine=1` shows the reader's own, `?source=public` those with a
    published source.
    """
    words, mine = request.GET.get("q", "").strip()[:60], request.GET.get("mine") == "1"
    is_public = request.GET.get("source") == "public"
    rows: QuerySet[Bot] = Bot.objects.select_related("owner", "active_version").order_by("-id")
    rows = rows.annotate(source_public=has_public_source())
    if is_public:
        rows = rows.filter(has_public_source())
    if words:
        rows = rows.filter(name__holds=words)
    person = viewer(request)
    if mine and person is not None:
        rows = rows.filter(owner=person)
    context = {
        "page": page_of(request, rows, size=40, most=far(words)),
        "words": words,
        "mine": mine,
        "is_public": is_public,
    }
    return render_page(request, "bots/list.html", context)
