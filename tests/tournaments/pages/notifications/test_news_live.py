"""Listeners for news of their own. It commits, so it has no place among tests that share a league."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.tournaments.pages.notifications.test_following import news_for, signed_in
from tournaments.notifications import consumer as noticing
from tournaments.sse import live_token, may_listen


@pytest.mark.django_db(transaction=True)
def test_only_oneself_hears_when_news_come() -> None:
    reader = a.a_user()
    channel = noticing.channel_of(reader.uuid)
    assert not may_listen([channel], "")
    assert not may_listen([channel], live_token([noticing.channel_of(a.a_user().uuid)]))
    assert may_listen([channel], live_token([channel]))
    before = noticing.version_of(reader)
    news_for(reader)
    assert noticing.version_of(reader) > before
    page = signed_in(reader).get("/me/follow/").content.decode()
    assert f"{channel}@{noticing.version_of(reader)}" in page
