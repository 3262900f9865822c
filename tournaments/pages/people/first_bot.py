"""The first bot of somebody new: two lines in an editor, one button, and the way to its first replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from accounts.models import User
from bots.errors import BotError
from bots.forms import CODE, PASTED
from bots.models import Bot, BotVersion, Channel, Check
from bots.selectors.waiting import Amount, checks_before
from bots.services import upload_version
from bots.templatetags.hanami import sprite_of
from bots.uploads.limits import UPLOAD_BYTES
from bots.views.uploading import FIELD_OF_CODE, FIRST_BOT
from tournaments.matches import highlights
from tournaments.models import Match
from tournaments.pages.site.felt import felt_of
from tournaments.people import first_steps
from tournaments.people import queries as people
from web.page import render_page, signed_in
from web.refusals import with_wait

MAX_NAME: Final = 60
"""Characters of a bot's name."""


class FirstBotForm(forms.Form):
    """A name and the source; both are filled in."""

    name = forms.CharField(label=gettext_lazy("Its name"), max_length=MAX_NAME)
    source = forms.CharField(
        label=gettext_lazy("Source code"), strip=False, max_length=UPLOAD_BYTES, widget=forms.Textarea(attrs=CODE)
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a bot is on its way. newest: its newest version; ahead: checks before its own, None unless it waits.

    entries: public events that it is in; playing: the match it waits for or plays; played: the first that is over.
    """

    newest: BotVersion | None
    check: Check | None
    ahead: Amount | None
    entries: int = 0
    playing: Match | None = None
    played: Match | None = None

    @property
    def is_ready(self) -> bool:
        """True once a version of it may play."""
        return self.newest is not None and self.newest.state == BotVersion.State.READY

    @property
    def has_failed(self) -> bool:
        """True where its owner has something to do before it goes on."""
        is_held = self.check is not None and self.check.state == Check.State.QUARANTINED
        return is_held or (self.newest is not None and self.newest.state == BotVersion.State.FAILED)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def first_bot(request: HttpRequest) -> HttpResponse:
    """Offer the editor to somebody without a bot; show everybody else how far their first one is."""
    owner, refused = signed_in(request), None
    form = FirstBotForm(request.POST or None, initial={"name": _name(owner), "source": FIRST_BOT})
    if request.method == "POST" and form.is_valid():
        refused = _upload(form, owner)
        if refused is None:
            return redirect("first-bot")
    bot = first_steps.first_bot_of(owner)
    if bot is None or form.is_bound:
        page = render_page(request, "bots/first.html", {"form": form}, status=422 if form.is_bound else 200)
        return with_wait(page, refused)
    return render_page(request, "bots/first.html", {**_context(bot, owner), "sprite": sprite_of(request)})


def _name(owner: User) -> str:
    return (_("First bot of %(name)s") % {"name": owner.shown_name})[:MAX_NAME]


def _upload(form: FirstBotForm, owner: User) -> BotError | None:
    """Keep the version and queue its check; the refusal is on the field it is about."""
    source = str(form.cleaned_data["source"]).replace("\r\n", "\n").encode()
    try:
        upload_version(owner=owner, filename=PASTED, data=source, name=form.cleaned_data["name"])
    except BotError as refusal:
        blame(form, refusal, beside={refusal.code: "source", **FIELD_OF_CODE})
        return refusal
    return None


def _context(bot: Bot, owner: User) -> dict[str, Any]:
    channel = f"b:{bot.slug}"
    # Read first: what ends while the page is made is told of again.
    seen = Channel.objects.filter(name=channel).values_list("version", flat=True).first() or 0
    progress = _progress(bot, owner)
    goes_on = progress.played is None and not progress.has_failed
    found = highlights.newest_of([progress.played]) if progress.played is not None else None
    return {
        "bot": bot,
        "progress": progress,
        "felt": felt_of(found, is_best=True),
        "channels": f"{channel}@{seen},q:" if goes_on else "",
    }


def _progress(bot: Bot, owner: User) -> Progress:
    newest = first_steps.newest_version(bot)
    check = getattr(newest, "check_run", None)
    if newest is None or newest.state != BotVersion.State.READY:
        return Progress(newest, check, checks_before(check))
    played = first_steps.first_match(bot)
    playing = people.waits_for(bot, owner) if played is None else None
    return Progress(newest, check, None, first_steps.entries_n(bot), playing, played)
