"""Addresses that a guide names: each is answered."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bots.models import BotVersion
from bots.services.publishing import publish_source
from tests.builders.leagues import League
from tests.builders.seasons import a_season
from tests.docs.blocks import texts
from tests.services.processes import ROOT
from tournaments.models import Match
from tournaments.ratings import pools

pytestmark = pytest.mark.django_db

SPAN = re.compile(r"`(?:GET )?([^`\n]+)`")
FILE = re.compile(r"[a-z0-9-]+(\.[a-z0-9]+)?\.(csv|trf|ics|json|zst)(\?[a-z0-9=&]+)?")
FILES_OF = {"docs/07-exchange.md": "/api/v1/tournaments/{slug}/files/"}
"""Texts whose bare names of files are those at this address, as their first paragraph says."""
NOT_READY = 503
"""Status of /readyz where no worker runs."""
ELSEWHERE = {
    "hanafuda-tournament-1.schema.json": "a file of the folder docs",
    "/x/": "begins the address of a slip, which needs its code",
    "/deals/2/0": "a place in a document",
    "/events/?ch=t:spring-league": "the stream, which is served beside Django",
    "/api/v1/bot/stream": "needs a program, which is that of the token",
    "/metrics": "is there where an operator has set a token",
}


def addresses(name: str) -> list[str]:
    """Return what a text names in its code spans: addresses of ours, and files where it says at which address they
    are.
    """
    found = []
    for span in SPAN.findall((ROOT / name).read_text(encoding="utf-8")):
        if re.match(r"/[a-z]", span) and " " not in span:
            found.append(span)
        elif name in FILES_OF and FILE.fullmatch(span):
            found.append(FILES_OF[name] + span)
    return [each for each in dict.fromkeys(found) if not any(each.endswith(known) for known in ELSEWHERE)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in texts() if "/decisions/" not in name and addresses(name)])
def test_every_address_of_a_text_is_answered(name: str, league: League, client: Client) -> None:
    Match.objects.filter(finished_at__isnull=False).update(finished_at=timezone.now() - timedelta(days=2))
    pools.fold_stale()
    event = league.finished
    User.objects.filter(pk=event.created_by.pk).update(is_staff=True)
    client.force_login(User.objects.get(pk=event.created_by.pk))
    day = str(timezone.now().date() - timedelta(days=2))
    things = {"slug": event.slug, "event": event.slug, "bot": league.bot.slug, "preset": "hawaii"}
    things |= {"season": a_season(league.organiser).slug}
    version = BotVersion.objects.get(bot=league.bot, n=1)
    publish_source(version=version, by=league.bot.owner, licence="MIT")
    played = Match.objects.filter(stage__tournament=league.finished, state=Match.State.CONFIRMED)[0]
    things |= {"name": "event.json", "day": day, "n": str(version.n), "uuid": str(played.uuid)}
    asked = {each: re.sub(r"[{<](\w+)[}>]", lambda found: things[found[1]], each) for each in addresses(name)}
    answered = {each: client.get(path, follow=True).status_code for each, path in asked.items()}
    assert {each: status for each, status in answered.items() if status not in (200, NOT_READY)} == {}
