"""The pages of an event of people and bots: made, entered by both, run from the desk, read by everybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.builders import events as a
from tests.builders.clubs import round_of
from tests.builders.mixed import a_mixed_event, a_running_mixed_event, at_tables, call_all, of_workers
from tests.tournaments.pages.events.test_form_for_people import sent_by
from tests.tournaments.progress.test_mixed import a_lonely_table
from tournaments.models import Entry, Match, Tournament
from tournaments.scores.slips import slip_token, table_code

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
FORM = {"name": "Open house", "who": "both", "preset": "hawaii", "seats": "2", "kind": "swiss", "rounds": "2"}
FORM |= {"legs": "cyclic", "clock": "standard", "visibility": "public", "option_rounds": "1", "max_entries": "16"}
FORM |= {"min_entries": "4", "entries_per_owner": "2"}


@pytest.mark.thorough
@pytest.mark.parametrize("draws", ["", "on"])
def test_it_is_made_with_the_form_and_entered_by_both(draws: str, as_user: Become) -> None:
    by, owner = a.a_user(), a.a_user()
    bot = a.a_bot(owner)
    client = as_user(by)
    client.post("/t/new/", {**FORM, **({"draws": draws} if draws else {})})
    event = Tournament.objects.get(name="Open house")
    assert (event.who, event.draws) == ("both", "organiser" if draws else "")
    assert event.stages.get().legs == "single"
    here = f"/t/{event.slug}"
    for verb in ("publish", "open_registration"):
        client.post(f"{here}/do/{verb}/")
    client.post(f"{here}/desk/paste/", {"list": "Aiko\nBen\n"})
    assert "Enter a bot" in as_user(owner).get(f"{here}/entries/").content.decode()
    as_user(owner).post(f"{here}/do/enter/", {"bot": bot.slug})
    page = as_user(by).get(f"{here}/entries/").content.decode()
    assert f"bot of {owner.shown_name}" in page
    assert "2 people, 0 checked in" in " ".join(page.split()).replace(" ,", ",")
    assert page.count('/desk/here/"') == 2
    assert as_user(owner).get(f"{here}/entries/").content.decode().count("Withdraw<") == 1


def test_the_form_for_both_says_so_at_its_top_and_makes_such_an_event(as_user: Become) -> None:
    client = as_user(a.a_user())
    answer = client.get("/t/new/?for=both")
    above, _, folded = answer.content.decode().partition('<details class="more tune"')
    assert '<option value="both" selected>' in above
    assert [f'name="{name}"' in above for name in ("who", "where", "preset", "seats")] == [True] * 4
    assert folded.startswith(' id="fine-tune">'), "closed at the start"
    assert above.count(">Who plays<") == 1
    assert ">Who plays<" not in folded
    assert client.post("/t/new/?for=both", {**sent_by(answer.context["form"]), "name": "Open house"}).status_code == 302
    assert Tournament.objects.get().who == "both"


def test_a_mistake_in_a_field_above_the_fold_leaves_it_closed(as_user: Become) -> None:
    client = as_user(a.a_user())
    sent = {**sent_by(client.get("/t/new/?for=both").context["form"]), "name": "Open house"}
    for wrong, is_open in (({"seats": "9"}, False), ({"kind": "none"}, True)):
        page = client.post("/t/new/?for=both", {**sent, **wrong}).content.decode()
        assert ('id="fine-tune" open' in page) == is_open


@pytest.mark.thorough
def test_the_desk_says_which_tables_workers_play(as_user: Become) -> None:
    event = a_running_mixed_event(people=2, bots=4, kind="round_robin", rounds=1)
    client, here = as_user(event.created_by), f"/t/{event.slug}"
    number = of_workers(event)[0].round.number  # type: ignore[union-attr]  # drawn in a round
    page = client.get(f"{here}/desk/?round={number}").content.decode()
    row = round_of(event, number)
    assert page.count("Workers play it") == row.matches.filter(deal_set__isnull=False).count()
    assert page.count("/result/") == row.matches.filter(deal_set=None).count()
    slips = client.get(f"{here}/print/{number}/").content.decode()
    people = sum(
        seat.entry is not None and seat.entry.player.bot_id is None
        for match in row.matches.filter(deal_set=None)
        for seat in match.seats.all()
    )
    assert slips.count("Open this table") == people
    assert client.get(f"/m/{of_workers(event)[0].uuid}/result/").status_code == 404
    tabs = ("", "entries/", "rounds/", "standings/", "crosstable/", "feed/", "desk/", "screen/", "roles/")
    for reader in (client, as_user(None)):
        found = {tab: reader.get(f"{here}/{tab}").status_code for tab in tabs}
        assert set(found.values()) <= {200, 302, 404}, found
    with CaptureQueriesContext(connection) as asked:
        Client().get(f"{here}/rounds/")
    assert len(asked) <= 10


@pytest.mark.thorough
def test_a_phone_alone_with_a_bot_waits_for_a_scorer(as_user: Become) -> None:
    event = a_running_mixed_event(people=1, bots=3)
    call_all(event)
    match, own, bots = a_lonely_table(event)
    phone = Client()
    answer = phone.get(f"/e/{slip_token(match, bots)}/")
    assert answer.status_code == 422
    assert "slip.of_bot" in answer.content.decode()
    assert Client().post("/x/", {"code": table_code(match, bots)}).status_code in (404, 422)
    phone.get(f"/e/{slip_token(match, own)}/")
    sent = {"total_0": "130", "total_1": "110", "key": "k"}
    told = phone.post(f"/x/{match.uuid}/report/", sent, follow=True).content.decode()
    assert "A scorer confirms it" in told
    scorer = as_user(event.created_by)
    assert scorer.post(f"/m/{match.uuid}/result/", {"verb": "same"}).status_code == 302
    assert Match.objects.get(pk=match.pk).state == Match.State.CONFIRMED
    page = as_user(None).get(f"/m/{match.uuid}/").content.decode()
    assert "Reports, newest first" in page
    assert "CPU" not in page


def test_entries_ask_few_questions() -> None:
    event = a_mixed_event(people=6, bots=6)
    assert Entry.objects.filter(tournament=event).count() == 12
    with CaptureQueriesContext(connection) as asked:
        Client().get(f"/t/{event.slug}/entries/")
    assert len(asked) <= 10, [each["sql"] for each in asked]
    assert at_tables(event) == []
