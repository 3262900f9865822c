"""The page on which an owner gives a bot another name, or deletes it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.blaming import blame
from bots.errors import BotError
from bots.forms import NameForm
from bots.models import Bot
from bots.services import delete_bot, rename_bot
from web.page import render_page, show_refusal, signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot_name(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the new name; store what was typed."""
    owner = signed_in(request)
    bot = _own(owner.pk, slug)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": bot.name})
    if form.is_valid():
        try:
            bot = rename_bot(bot=bot, by=owner, name=form.cleaned_data["name"])
            messages.success(request, _("Saved."))
            return redirect("bot", bot.slug)
        except BotError as refusal:
            blame(form, refusal, beside={refusal.code: "name"})
    context = {"bot": bot, "form": form, "has_versions": bot.versions.exists()}
    return render_page(request, "bots/name.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def bot_delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a bot that never had a version."""
    owner = signed_in(request)
    bot = _own(owner.pk, slug)
    try:
        delete_bot(bot=bot, by=owner)
    except BotError as refusal:
        show_refusal(request, refusal)
        return redirect("bot-name", slug)
    messages.success(request, _("%(bot)s is deleted.") % {"bot": bot.name})
    return redirect("bot-list")


def _own(owner: int, slug: str) -> Bot:
    bot = Bot.objects.filter(slug=slug, owner=owner).first()
    if bot is None:
        raise Http404(slug)
    return bot
