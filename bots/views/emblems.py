"""The page on which an owner chooses the emblem of a bot."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bots.emblems import INKS, Colour, Emblem
from bots.forms import EmblemForm
from bots.models import Bot
from bots.services import choose_emblem
from bots.templatetags.emblems import emblem_for
from engine.cards import CODES
from web.page import render_page, signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot_emblem(request: HttpRequest, slug: str) -> HttpResponse:
    """Show 48 cards and 12 colours to choose from; store what was chosen."""
    owner = signed_in(request)
    bot = Bot.objects.filter(slug=slug, owner=owner).first()
    if bot is None:
        raise Http404(slug)
    form = EmblemForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        chosen = form.cleaned_data
        choose_emblem(bot=bot, by=owner, card=chosen["emblem_card"], colour=chosen["emblem_colour"])
        messages.success(request, _("Saved."))
        return redirect("bot", slug)
    now = emblem_for(bot)
    context = {
        "bot": bot,
        "form": form,
        "now": now,
        "months": [[Emblem(code, now.colour) for code in CODES[first : first + 4]] for first in range(0, 48, 4)],
        "colours": [(colour, colour.label, INKS[colour]) for colour in Colour],
    }
    return render_page(request, "bots/emblem.html", context, status=422 if form.is_bound else 200)
