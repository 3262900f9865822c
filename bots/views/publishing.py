"""Publishing the source of a version, taking it back, forking it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.blaming import blame
from bots.errors import BotError
from bots.forms import ForkForm, PublishForm
from bots.licences import LICENCES
from bots.models import Bot, BotVersion
from bots.selectors import version_of
from bots.selectors.published import forks_of, licences_for, origin_of, publication_of
from bots.services import fork_version, publish_source, withdraw_source
from web.page import render_page, show_refusal, signed_in
from web.refusals import with_wait


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot_publish(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Say what publishing means and ask for the licence; publish."""
    version, origin = _own(request, slug, n), None
    origin = origin_of(version.bot)
    licences, publication = licences_for(version.bot, origin), publication_of(version)
    form = PublishForm(request.POST if request.method == "POST" else None, licences=licences)
    if form.is_valid():
        try:
            publish_source(version=version, by=signed_in(request), licence=form.cleaned_data["licence"])
            messages.success(request, _("The source of %(version)s is public.") % {"version": version})
            return redirect("bot-source", slug, n)
        except BotError as refusal:
            blame(form, refusal, beside={refusal.code: "licence"})
    context = {
        "version": version,
        "bot": version.bot,
        "form": form,
        "licences": licences,
        "chosen": form["licence"].value() or (publication.licence if publication is not None else ""),
        "publication": publication,
        "origin": origin,
        "forks_n": forks_of(version)[1],
    }
    return render_page(request, "bots/publish.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def bot_withdraw(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Stop showing the source of a version to others."""
    version = _own(request, slug, n)
    try:
        withdraw_source(version=version, by=signed_in(request))
        messages.success(request, _("The source of %(version)s is private again.") % {"version": version})
    except BotError as refusal:
        show_refusal(request, refusal)
    return redirect("bot-version", slug, n)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot_fork(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Ask for the name of the fork; make it."""
    person = signed_in(request)
    version = version_of(slug, n, person) if n < 2**31 else None
    publication = publication_of(version) if version is not None else None
    if version is None or publication is None:
        raise Http404(slug)
    form, refused = ForkForm(request.POST or None, initial={"name": _free_name(version, person.pk)}), None
    if form.is_valid():
        try:
            made = fork_version(version=version, by=person, name=form.cleaned_data["name"])
            messages.success(request, _("%(bot)s is yours. Its check is queued.") % {"bot": made.bot.name})
            return redirect("bot-version", made.bot.slug, made.n)
        except BotError as refusal:
            refused = refusal
            blame(form, refusal, beside={refusal.code: "name"})
    context = {"version": version, "bot": version.bot, "form": form, "licence": LICENCES[publication.licence]}
    return with_wait(render_page(request, "bots/fork.html", context, status=422 if form.is_bound else 200), refused)


def _own(request: HttpRequest, slug: str, n: int) -> BotVersion:
    person = signed_in(request)
    version = version_of(slug, n, person) if n < 2**31 else None
    if version is None or version.bot.owner_id != person.pk:
        raise Http404(slug)
    return version


def _free_name(version: BotVersion, owner: int) -> str:
    """Return the name of the origin; with a number where the reader has a bot of that name."""
    taken = set(Bot.objects.filter(owner=owner, name__startswith=version.bot.name[:50]).values_list("name", flat=True))
    names = [version.bot.name, *(f"{version.bot.name[:56]} {number}" for number in range(2, 60))]
    return next((name for name in names if name not in taken), "")
