"""Official ladders are stored under an English name, and every page names them in the reader's language."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from bots.models import Bot
from tests.builders.ladders import a_ladder
from tournaments.models import Follow
from web.presets import ladder_name

PAGES = (
    "/",
    "/t/",
    "/queue/",
    "/t/{slug}/",
    "/t/{slug}/entries/",
    "/t/{slug}/rounds/",
    "/t/{slug}/standings/",
    "/b/{bot}/",
    "/b/{bot}/events/",
    "/u/{owner}/",
    "/me/follow/list/",
    "/m/",
)


@pytest.mark.thorough
@pytest.mark.django_db
def test_every_page_names_a_ladder_in_the_reader_s_language(client: Client) -> None:
    stored = ladder_name("hawaii", datetime(2026, 11, 1, tzinfo=UTC))
    event = a_ladder(name=stored)
    bot = Bot.objects.select_related("owner").filter(player__entries__tournament=event)[0]
    client.force_login(bot.owner)
    Follow.objects.create(user=bot.owner, tournament=event)
    client.cookies["django_language"] = "ja"
    for pattern in PAGES:
        path = pattern.format(slug=event.slug, bot=bot.slug, owner=bot.owner.username)
        page = client.get(path, headers={"accept-language": "ja"})
        assert page.status_code == 200, path
        text = re.sub(r"<script.*?</script>|<[^>]+>", " ", page.content.decode(), flags=re.DOTALL)
        assert stored not in text, path
        if path.startswith("/t/ladder") or path in ("/", "/t/"):
            assert "さくら・ハワイ" in text, path
