"""Nobody does what is another's. What nobody is shown: test_leaks.py, which walks every address."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from bots.models import BotVersion, Check
from tests.builders import events as a
from tests.builders.leagues import SECRET_WORD, League
from tournaments.models import DealSet, Entry, Follow, Tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def test_unrevealed_seeds_are_nowhere(league: League, client: Client) -> None:
    waiting = DealSet.objects.filter(revealed_at=None, stage__tournament=league.running)
    assert waiting.exists()
    for match in league.running.stages.get().matches.filter(deal_set__in=waiting):
        assert '"seed":"' not in client.get(f"/m/{match.uuid}/").content.decode().replace(" ", "")
        assert client.get(f"/api/v1/records/{match.uuid}").status_code in (200, 404)


@pytest.mark.thorough
def test_the_owner_sees_log_and_source_and_a_rival_gets_404(league: League, as_user: Become) -> None:
    version = league.failed
    page = reverse("bot-version", args=[version.bot.slug, version.n])
    source = reverse("bot-source", args=[version.bot.slug, version.n])
    mine = as_user(league.owner)
    assert SECRET_WORD in mine.get(page).content.decode()
    assert SECRET_WORD in mine.get(source).content.decode()
    file = reverse("bot-source-file", args=[version.bot.slug, version.n])
    download = mine.get(f"{file}?file=bot.py")
    assert SECRET_WORD in download.content.decode()
    assert download.headers["Content-Disposition"] == 'attachment; filename="bot.py"'
    assert as_user(league.rival).get(source).status_code == 404
    assert as_user(None).get(source).status_code == 302
    assert "Log" not in re.findall(r"<h3>([^<]*)</h3>", as_user(league.rival).get(page).content.decode())


def test_an_operator_reads_no_log_and_no_source_and_has_no_buttons_of_the_owner(
    league: League, as_user: Become
) -> None:
    client = as_user(a.a_user("operator", is_staff=True))
    address = [league.failed.bot.slug, league.failed.n]
    page = client.get(reverse("bot-version", args=address)).content.decode()
    assert SECRET_WORD not in page
    assert "Upload a repaired version" not in page
    assert client.get(reverse("bot-source", args=address)).status_code == 404


@pytest.mark.thorough
def test_drafts_and_private_events_are_not_there_for_others(league: League, as_user: Become) -> None:
    tabs = ("", "entries/", "rounds/", "standings/", "crosstable/", "feed/")
    for event in (league.draft, league.private):
        for reader in (None, league.rival):
            for tab in tabs:
                assert as_user(reader).get(f"/t/{event.slug}/{tab}").status_code == 404
            assert as_user(reader).get(f"/api/v1/tournaments/{event.slug}").status_code == 404
            assert event.name not in as_user(reader).get("/t/").content.decode()
        assert as_user(league.organiser).get(f"/t/{event.slug}/").status_code == 200
    assert as_user(league.rival).post(f"/t/{league.draft.slug}/do/publish/").status_code == 404


@pytest.mark.thorough
def test_a_rival_cannot_run_anothers_event(league: League, as_user: Become) -> None:
    rival = as_user(league.rival)
    before = list(Tournament.objects.order_by("id").values_list("state", flat=True))
    for event, verb in ((league.open, "start"), (league.running, "pause"), (league.running, "cancel")):
        answer = rival.post(f"/t/{event.slug}/do/{verb}/", {"reason": "because"}, follow=True)
        assert "tournament.not_organiser" in answer.content.decode()
    assert list(Tournament.objects.order_by("id").values_list("state", flat=True)) == before
    assert rival.get(f"/t/{league.open.slug}/cancel/").status_code == 404
    assert 'class="note next"' not in rival.get(f"/t/{league.open.slug}/").content.decode()


def test_a_rival_cannot_touch_anothers_bot_or_entry(league: League, as_user: Become) -> None:
    rival = as_user(league.rival)
    slug = league.bot.slug
    assert rival.post(f"/b/{slug}/do/retire/", {"n": 1}).status_code == 404
    assert rival.post(f"/t/{league.open.slug}/do/enter/", {"bot": slug}).status_code == 404
    entry = Entry.objects.get(tournament=league.open)
    owner = as_user(league.owner)
    answer = owner.post(f"/t/{league.open.slug}/do/withdraw/", {"entry": str(entry.uuid)}, follow=True)
    assert "entry.not_owner" in answer.content.decode()
    entry.refresh_from_db()
    assert entry.state == "entered"
    assert BotVersion.objects.get(bot=league.bot).state == "ready"


def test_another_persons_bot_is_not_offered_in_the_upload_form(league: League, as_user: Become) -> None:
    answer = as_user(league.rival).post(
        "/b/new/", {"bot": league.bot.pk, "source": "def choose(obs):\n    return 0\n", "plays": ["hawaii"]}
    )
    assert answer.status_code == 422
    assert league.bot.versions.count() == 1


def test_what_needs_an_account_sends_to_the_log_in_page_and_back(league: League, client: Client) -> None:
    for path in ("/me/", "/me/follow/", "/b/new/", "/t/new/"):
        assert client.get(path).headers["Location"] == f"/login/?next={path}"
    assert client.post(f"/t/{league.open.slug}/do/follow/").status_code == 302
    assert not Follow.objects.exists()


def test_a_next_address_of_another_site_is_not_followed(client: Client) -> None:
    user = a.a_user("plum")
    answer = client.post(
        "/login/", {"username": user.username, "password": "plum-blossom-77", "next": "https://elsewhere.example/"}
    )
    assert answer.headers["Location"] == "/"


def test_a_forged_form_changes_nothing_and_the_page_explains(league: League) -> None:
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(league.organiser, backend="django.contrib.auth.backends.ModelBackend")
    answer = forged.post(f"/t/{league.open.slug}/do/start/")
    assert answer.status_code == 403
    assert "csrf.failed" in answer.content.decode()
    league.open.refresh_from_db()
    assert league.open.state == "registration"


def test_get_changes_nothing(league: League, as_user: Become) -> None:
    client = as_user(league.organiser)
    for verb in ("publish", "start", "follow", "pause"):
        assert client.get(f"/t/{league.open.slug}/do/{verb}/").status_code == 405
    assert client.get("/logout/").status_code == 405
    assert Check.objects.filter(state="queued").count() == 0
