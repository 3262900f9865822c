"""Held matches, held checks and benched bots on pages: who is told, in which words, and what the buttons do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from bots.models import BotVersion, Check
from bots.services import upload_version
from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders import events as a
from tournaments.models import Match, Tournament

Become = Callable[[User | None], Client]
RAW = "OperationalError: no route to 10.7.7.7"
HELD = "1 match is held for review."


def hold(matches: list[Match], reason: str = RAW) -> None:
    """Our side failed four times at each of these."""
    entry = {"worker": "worker@host/1", "reason": reason, "at": timezone.now().isoformat()}
    history = [{**entry, "attempt": attempt} for attempt in (1, 2, 3, 4)]
    for match in matches:
        Match.objects.filter(pk=match.pk).update(
            state="quarantined", faults=4, fault_reason=reason, history=history, attempt=4
        )


def a_held_event() -> tuple[Tournament, Match]:
    event = a.a_running_event(bots=2, legs="cyclic")
    match = a.matches_of(event)[0]
    hold([match])
    return event, match


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_organiser_is_alerted_with_reasons_in_plain_words(as_user: Become) -> None:
    event, match = a_held_event()
    page = as_user(event.created_by).get(f"/t/{event.slug}/").content.decode()
    assert HELD in page
    assert "The database did not answer." in page
    assert "1 held match waits for you." in as_user(event.created_by).get("/me/").content.decode()
    for reader in (None, a.a_user()):
        client = as_user(reader)
        assert HELD not in client.get(f"/t/{event.slug}/").content.decode()
        shown = client.get(f"/m/{match.uuid}/").content.decode()
        assert "Attempt 4" in shown
        assert "Play it again" not in shown
    assert "held match" not in as_user(a.a_user()).get("/me/").content.decode()


@pytest.mark.thorough
@pytest.mark.django_db
def test_raw_reasons_are_for_operators_alone(as_user: Become) -> None:
    event, match = a_held_event()
    other = a.matches_of(event)[1]
    Match.objects.filter(pk=other.pk).update(faults=1, fault_reason=RAW)
    paths = [f"/t/{event.slug}/", f"/t/{event.slug}/feed/", f"/m/{match.uuid}/", f"/m/{other.uuid}/", "/queue/", "/me/"]
    for reader in (event.created_by, a.a_user(), None):
        client = as_user(reader)
        assert [path for path in paths if "10.7.7.7" in client.get(path, follow=True).content.decode()] == []
    operator = as_user(a.a_user(is_staff=True))
    assert "10.7.7.7" in operator.get(f"/m/{match.uuid}/").content.decode()


@pytest.mark.thorough
@pytest.mark.django_db
def test_retry_is_done_once_however_often_it_is_clicked(as_user: Become) -> None:
    event, match = a_held_event()
    path = f"/m/{match.uuid}/do/retry/"
    assert as_user(None).post(path).status_code == 302
    stranger = as_user(a.a_user()).post(path)
    assert (stranger.status_code, "tournament.not_organiser" in stranger.content.decode()) == (403, True)
    client = as_user(event.created_by)
    assert client.get(path).status_code == 405
    assert client.post(path, {"next": f"/t/{event.slug}/"}).headers["Location"] == f"/t/{event.slug}/"
    again = client.post(path, follow=True)
    assert "Nothing was done twice" in again.content.decode()
    match.refresh_from_db()
    assert (match.state, match.faults) == ("queued", 0)
    Match.objects.filter(pk=match.pk).update(state="confirmed")
    late = client.post(path)
    assert late.status_code == 409
    assert "match.wrong_state" in late.content.decode()
    assert "See the current state" in late.content.decode()
    assert client.post(f"/m/{match.uuid}/do/nonsense/").status_code == 404


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_match_is_cancelled_with_a_reason_after_its_consequences_were_read(as_user: Become) -> None:
    event, match = a_held_event()
    path, do = f"/m/{match.uuid}/void/", f"/m/{match.uuid}/do/void/"
    assert as_user(a.a_user()).get(path).status_code == 403
    assert as_user(a.a_user(is_staff=True)).get(path).status_code == 403
    client = as_user(event.created_by)
    asked = client.get(path).content.decode()
    assert "It counts for nobody" in asked
    assert "1 other leg of the same deals counts without it" in asked
    unsaid = client.post(do)
    assert (unsaid.status_code, "match.reason_needed" in unsaid.content.decode()) == (422, True)
    assert client.post(do, {"reason": "The hall burnt down."}).status_code == 302
    assert "it is already cancelled" in client.post(do, {"reason": "Again."}, follow=True).content.decode().lower()
    assert [each.state for each in a.matches_of(event)] == ["void", "queued"]
    assert "The hall burnt down." in client.get(f"/t/{event.slug}/feed/").content.decode()
    assert client.get(path).status_code == 409


@pytest.mark.django_db
def test_a_forged_form_does_nothing(as_user: Become) -> None:
    event, match = a_held_event()
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(event.created_by, backend="django.contrib.auth.backends.ModelBackend")
    assert forged.post(f"/m/{match.uuid}/do/retry/").status_code == 403
    match.refresh_from_db()
    assert match.state == "quarantined"


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_alert_asks_little_of_the_database_however_many_are_held(as_user: Become) -> None:
    event = a.a_running_event(bots=6)
    hold(a.matches_of(event))
    client = as_user(event.created_by)
    for path in (f"/t/{event.slug}/", "/me/", f"/m/{a.matches_of(event)[0].uuid}/", "/queue/"):
        with CaptureQueriesContext(connection) as seen:
            page = client.get(path).content.decode()
        assert len(seen) <= 10, (path, len(seen))
        if path.startswith("/t/"):
            assert page.count("Play it again") == 10
            assert "15 matches are held for review." in page


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_held_check_is_played_again_by_its_owner_or_an_operator(as_user: Become) -> None:
    owner = a.a_user()
    version = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    path = f"/b/{version.bot.slug}/v/1/"
    Check.objects.update(state="quarantined", faults=4, fault_reason=RAW)
    page = as_user(owner).get(path).content.decode()
    assert "Check it again" in page
    assert "10.7.7.7" not in page
    assert as_user(a.a_user()).post(f"{path}recheck/").status_code == 403
    assert as_user(a.a_user(is_staff=True)).post(f"{path}recheck/").status_code == 302
    assert Check.objects.get().state == "queued"
    for _try in range(3):
        Check.objects.update(state="quarantined")
        assert as_user(owner).post(f"{path}recheck/").status_code == 302
    Check.objects.update(state="quarantined")
    tired = as_user(owner).post(f"{path}recheck/")
    assert (tired.status_code, tired.headers["Retry-After"]) == (429, "86400")
    assert as_user(owner).post("/b/none/v/1/recheck/").status_code == 404


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_benched_bot_tells_its_owner_everywhere_and_nobody_else(as_user: Become) -> None:
    bot = a.a_bot()
    BotVersion.objects.filter(bot=bot).update(benched_at=timezone.now(), forfeits_in_a_row=3, bench_reason="x")
    paths = (f"/b/{bot.slug}/", f"/b/{bot.slug}/v/1/", "/me/")
    owner = as_user(bot.owner)
    for path in paths:
        page = owner.get(path).content.decode()
        assert f"{bot.name} v1 is suspended: 3 forfeited matches in a row." in page, path
        assert "Matches that are already drawn will still be played" in page
        assert "you can do that once a day" in page
        assert page.count("Lift the suspension") == 1
    rival = as_user(a.a_user())
    assert [path for path in paths if "is suspended:" in rival.get(path).content.decode()] == []
    assert as_user(bot.owner).post(f"/b/{bot.slug}/do/activate/", {"n": 1}).status_code == 302
    BotVersion.objects.update(benched_at=timezone.now(), forfeits_in_a_row=3)
    page = as_user(bot.owner).get("/me/").content.decode()
    assert "it can come back again from" in page
    assert "Lift the suspension" not in page


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_an_organiser_on_a_phone_lets_a_match_be_played_again_and_cancels_another(
    page: Page, live_site: str, transactional_db: None, trouble: Trouble
) -> None:
    event = a.a_running_event(bots=2, legs="cyclic")
    hold(a.matches_of(event))
    log_in(page.context, live_site, event.created_by)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/t/{event.slug}/")
    expect(page.get_by_text("2 matches are held for review.")).to_be_visible()
    assert (axe_violations(page), sideways(page)) == ([], [])
    page.get_by_role("button", name="Play it again").first.click()
    expect(page.get_by_text("The match is back in the queue")).to_be_visible()
    expect(page.get_by_text("1 match is held for review.")).to_be_visible()
    page.locator("#held").get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", name="What follows")).to_be_visible()
    assert (axe_violations(page), sideways(page)) == ([], [])
    page.get_by_label("Why?").fill("The hall burnt down.")
    page.get_by_role("button", name="Cancel the match").click()
    expect(page.get_by_text("The match is cancelled and counts for nobody.")).to_be_visible()
    assert sorted(each.state for each in a.matches_of(event)) == ["queued", "void"]
