"""A new bot, or a new version of one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from accounts.models import User
from bots.errors import BotError
from bots.forms import UploadForm
from bots.models import BotVersion
from bots.selectors.owned import newest_of
from bots.selectors.published import source_of
from bots.services import choose_emblem, plays_of, upload_version
from bots.services.uploading import DEFAULT_PLAYS
from bots.trials.running import DECISIONS
from bots.uploads import limits
from engine.games import PRESETS
from web.page import render_page, signed_in
from web.refusals import with_wait

FIRST_BOT = 'def choose(obs):\n    return obs["legal"][0]\n'
SHOWN = 30_000
"""Characters of a source that are filled in: a longer one would make the page heavy, and is sent as a file anyway."""
FIELD_OF_CODE = {"bot.name_taken": "name", "bot.name_invalid": "name", "bot.no_name": "name", "upload.plays": "plays"}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot_new(request: HttpRequest) -> HttpResponse:
    """The upload form; what is sent becomes a version whose check is queued at once."""
    owner = signed_in(request)
    form, refused = _form(request, owner), None
    if request.method == "POST" and form.is_valid():
        version, refused = _upload(form, owner)
        if version is not None:
            if version.state == BotVersion.State.CHECKING:
                messages.success(request, _("%(version)s uploaded. Checking…") % {"version": version})
            return redirect("bot-version", version.bot.slug, version.n)
    chosen = form["plays"].value() or ()
    context = {
        "form": form,
        "limits": limits,
        "decisions": DECISIONS,
        "plays": [each for each in chosen if each in PRESETS],
        "has_bots": form.has_bots,
    }
    return with_wait(render_page(request, "bots/new.html", context, status=422 if form.is_bound else 200), refused)


def _form(request: HttpRequest, owner: User) -> UploadForm:
    if request.method == "POST":
        return UploadForm(request.POST, request.FILES, owner=owner)
    form = UploadForm(owner=owner)
    slug = request.GET.get("bot", "")
    newest = newest_of(owner, slug) if slug else None
    if newest is None:
        form.initial = {"plays": list(DEFAULT_PLAYS), "way": "paste", "source": FIRST_BOT}
        return form
    source = _source(newest, owner)
    way = "paste" if source else "file"
    form.initial = {"bot": newest.bot_id, "plays": plays_of(newest.bot), "way": way, "source": source}
    return form


def _source(version: BotVersion, owner: User) -> str:
    """Return the text of a version to go on from; "" of one with several files, or with a long one."""
    files = source_of(version, owner) or ()
    if [path for path, _content in files] != [limits.ENTRY_FILE]:
        return ""
    text = files[0][1].decode("utf-8", "replace")
    return text if len(text) <= SHOWN else ""


def _upload(form: UploadForm, owner: User) -> tuple[BotVersion | None, BotError | None]:
    """The version, or the refusal, which is then on the field it is about."""
    filename, data = form.upload()
    chosen = form.cleaned_data
    try:
        version = upload_version(
            owner=owner,
            filename=filename,
            data=data,
            bot=chosen["bot"],
            name=chosen["name"],
            # Ticks that the author changed count; those that the form came with give way to a hanami.toml, and to what
            # the bot played before, for another bot may have been chosen than the ticks were made for.
            plays=chosen["plays"] or None if "plays" in form.changed_data else None,
            plays_shown=chosen["plays"] if chosen["bot"] is None else None,
            note=chosen["note"],
        )
        # Of a bot that there is already, what is left open stays as its owner chose it before.
        card, colour = chosen["emblem_card"], chosen["emblem_colour"]
        if card or colour:
            bot = version.bot
            choose_emblem(bot=bot, by=owner, card=card or bot.emblem_card, colour=colour or bot.emblem_colour)
    except BotError as refusal:
        sent_as = "file" if chosen.get("file") is not None else "source"
        blame(form, refusal, beside={refusal.code: sent_as, **FIELD_OF_CODE})
        return None, refusal
    return version, None
