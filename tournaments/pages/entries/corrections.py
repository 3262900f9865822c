"""Page on which an organiser corrects an entry, with everything that was corrected before."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from core.errors import TournamentError
from tournaments.entries.birth_years import FIRST
from tournaments.entries.corrections import SEEDS, correct_entry, history_of, rated_stage, values_of
from tournaments.entries.people import NAME_LENGTH
from tournaments.lifecycle.field_words import LABELS, label_of
from tournaments.models import Entry
from tournaments.pages.events.event import load, render_event
from web.page import signed_in

BESIDE = {"entry.name_invalid": "name", "entry.duplicate": "name", "team.name_taken": "name"}


class CorrectionForm(forms.Form):
    """Fields of an entry that can be corrected: of a team without a club, of a bot the seed alone."""

    name = forms.CharField(label=LABELS["name"], max_length=NAME_LENGTH)
    club = forms.CharField(label=LABELS["club"], max_length=NAME_LENGTH, required=False)
    seed = forms.IntegerField(
        label=LABELS["seed"],
        required=False,
        min_value=SEEDS[0],
        max_value=SEEDS[-1],
        help_text=gettext_lazy("It counts for stages that are drawn from now on. What is drawn or signed stays."),
    )
    rating = forms.FloatField(
        label=LABELS["rating"],
        required=False,
        help_text=gettext_lazy("The next stage is seeded by these numbers; the highest is the first seed."),
    )

    born = forms.IntegerField(
        label=LABELS["born"],
        required=False,
        min_value=FIRST,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text=gettext_lazy("For the rule about partners. Only organisers see it."),
    )

    def __init__(self, data: Any = None, *, entry: Entry) -> None:
        super().__init__(data, initial=values_of(entry))
        unused = []
        if entry.player.bot_id is not None:
            unused += ["name", "club"]
        elif entry.members.exists():
            unused += ["club", "born"]
        if not entry.tournament.age_gap or entry.player.bot_id is not None:
            unused += ["born"]
        if rated_stage(entry.tournament) is None:
            unused += ["rating"]
        for name in set(unused):
            del self.fields[name]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def correction_page(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Show the form and the history, or correct the entry; 404 for anyone who does not run the event."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    entry = Entry.objects.select_related("player", "tournament").filter(tournament=page.event, uuid=uuid).first()
    if entry is None:
        raise Http404("entry")
    form = CorrectionForm(request.POST or None, entry=entry)
    if request.method == "POST" and form.is_valid():
        changes = {name: form.cleaned_data[name] for name in form.fields}
        try:
            row = correct_entry(entry=entry, by=signed_in(request), changes=changes)
        except TournamentError as refusal:
            blame(form, refusal, beside=BESIDE)
        else:
            messages.success(request, _("Saved: %(name)s.") % {"name": row.player.name})
            return redirect("tournament-entries", slug)
    history = [
        (each, [(label_of(name), before or "–", after or "–") for name, before, after in each.changes])
        for each in history_of(entry)
    ]
    context = {"form": form, "entry": entry, "history": history}
    shown = render_event(request, page, "entries", context, template="tournaments/correct_entry.html")
    shown.status_code = 422 if form.errors else shown.status_code
    return shown
