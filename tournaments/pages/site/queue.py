"""The queue."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.matches import queue as queue_selectors
from web.page import render_page, viewer


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show what is played now, what waits in which place, and the workers with their sandbox probes.

    `?show=mine`, `?show=rated`: only those matches, with their places among all; `?q=`: of these names.
    """
    words = request.GET.get("q", "").strip()[:60]
    found = queue_selectors.queue(viewer(request), request.GET.get("show", "")[:8], words)
    return render_page(
        request, "pages/queue.html", {"queue": found, "words": found.words, "channels": f"q:@{found.version}"}
    )
