"""What somebody without an account can do with a bot."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from bots.models import Bot
from tests.builders import events as a

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def test_a_visitor_can_sit_down_against_a_bot_and_is_told_how_to_follow_it(as_user: Become) -> None:
    bot = a.a_bot(a.a_user())
    visitor = as_user(None)
    acts = shown(visitor, f"/b/{bot.slug}/").partition('<div class="acts">')[2].partition("</div>")[0]
    assert re.findall(r'<a [^>]*href="([^"]+)"', acts) == [f"/play/?bot={bot.slug}", f"/login/?next=/b/{bot.slug}/"]
    assert f'name="bot" value="{bot.slug}"' in shown(visitor, f"/play/?bot={bot.slug}")
    sleeping = Bot.objects.create(owner=a.a_user(), name="Sleeping", slug="sleeping")
    assert "/play/?bot=" not in shown(visitor, f"/b/{sleeping.slug}/"), "it has no version to play with"


def shown(client: Client, path: str) -> str:
    """Return a page."""
    return client.get(path).content.decode()
