"""Certificates to print, one page a person, in a language of the organiser's choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from unicodedata import east_asian_width

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.pages.events.event import load, render_event
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.lines import EventRanking, RankLine
from tournaments.ranking.prizes import awards_of, prizes_of

PAPERS: Final = (("a4", "A4"), ("letter", "Letter"))
SIZES: Final = ((20, "large"), (40, "medium"))
"""Widths up to which a name stands in large and in medium type on one line; a Japanese letter is two wide."""
MAX_PLACE: Final = 999


class Who:
    """Whose certificates are printed."""

    PLACES = "places"
    WINNERS = "winners"
    ALL = "all"


class CertificateForm(forms.Form):
    """What is printed; sent in the address, so that the page can be opened again."""

    who = forms.ChoiceField(
        label=_("For"),
        required=False,
        choices=(
            (Who.PLACES, _("the first places")),
            (Who.WINNERS, _("everybody who wins a prize")),
            (Who.ALL, _("everybody")),
        ),
    )
    places = forms.IntegerField(label=_("Number of places"), required=False, min_value=1, max_value=MAX_PLACE)
    paper = forms.ChoiceField(label=_("Paper"), required=False, choices=PAPERS)
    language = forms.ChoiceField(label=_("Language"), required=False, choices=settings.LANGUAGES)
    signed = forms.CharField(label=_("Name below the line (optional)"), required=False, max_length=60)


@dataclass(frozen=True, slots=True)
class Certificate:
    """One page. size: of the type of the name; prizes: what they win, in the organiser's words."""

    line: RankLine
    size: str
    prizes: tuple[str, ...]


def size_of(name: str) -> str:
    """Return the size of type in which a name fits on the page."""
    width = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)
    return next((size for most, size in SIZES if width <= most), "small")


@require_safe
@login_required
def certificates_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the certificates of those who are asked for: the first three places at first. For organisers."""
    page = load(request, slug)
    if not page.all_roles & ORGANISERS:
        raise Http404(slug)
    first = {"who": Who.PLACES, "places": 3, "paper": "a4", "language": get_language() or "en", "signed": ""}
    form = CertificateForm(request.GET or None, initial=first)
    # What cannot be read is as if it were not said; the form beside it says what is wrong.
    sent = form.cleaned_data if form.is_bound and form.is_valid() else {}
    chosen = {name: sent.get(name) or value for name, value in first.items()}
    ranking = ranking_of(page.event, stages=page.stages)
    won = _won(page, ranking)
    certificates = [
        Certificate(line, size_of(line.entry.player.name), tuple(won[line.entry.pk]))
        for line in _wanted(ranking, chosen, won)
    ]
    context = {"ranking": ranking, "form": form, "chosen": chosen, "certificates": certificates}
    return render_event(request, page, "ranking", context, template="ranking/certificates.html")


def _won(page: EventPage, ranking: EventRanking) -> dict[int, list[str]]:
    """Return the words of the prizes that each entry wins."""
    won: dict[int, list[str]] = defaultdict(list)
    for award in awards_of(prizes_of(page.event), ranking):
        for winner in award.winners:
            won[winner.line.entry.pk].append(award.prize.words)
    return won


def _wanted(ranking: EventRanking, chosen: dict[str, Any], won: dict[int, list[str]]) -> Sequence[RankLine]:
    if chosen["who"] == Who.ALL:
        return ranking.placed
    if chosen["who"] == Who.WINNERS:
        return [line for line in ranking.placed if won.get(line.entry.pk)]
    return [line for line in ranking.placed if (line.rank or 0) <= chosen["places"]]
