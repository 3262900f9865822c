"""Prizes as an organiser sets them: categories by mark, club and answer; who sees them; nobody's answer is shown."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from bots.models import AuditEvent
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, person, tables_of, totals
from tests.builders.registrations import an_event_with_registration, registered
from tests.services.databases import on_both
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.people import check_in_all
from tournaments.interchange.clone import clone_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports.actions import import_event, validate_file
from tournaments.models import Entry, Prize, PrizeCategory, PrizeSettings, Question, Registration, Tournament
from tournaments.progress.run import start_tournament
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.prizes import awards_of, prizes_of
from tournaments.ranking.set_prizes import CategoryPlan, PrizePlan, mark_category, set_prizes
from tournaments.ranking.words import not_given_words, reason_words
from tournaments.registration.purge import purge_expired_registrations
from tournaments.registration.set_up import Asked
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


def a_played_night(**changes: object) -> Tournament:
    """Four people after a round: Aiko and Ben at one table, Chiyo and Dai at the other; the first of each won."""
    event = a_called_night(people=4, rounds=1, **changes)
    for match, points in zip(tables_of(event), ((150, 90), (140, 100)), strict=True):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(*points))
    return event


def put(event: Tournament, *, by: Any = None, **rest: Any) -> None:
    given: dict[str, Any] = {"changes": {}, "categories": (), "prizes": (), **rest}
    set_prizes(tournament=event, by=by or event.created_by, **given)


def winners(event: Tournament) -> list[tuple[str, list[str]]]:
    found = awards_of(prizes_of(event), ranking_of(event))
    return [(award.prize.words, [each.line.entry.player.name for each in award.winners]) for award in found]


def names(event: Tournament) -> list[str]:
    return [line.entry.player.name for line in ranking_of(event).lines]


@pytest.mark.thorough
def test_prizes_follow_from_the_ranking_and_from_marks() -> None:
    event = a_played_night()
    ranked = names(event)
    put(
        event,
        categories=[CategoryPlan("Novice")],
        prizes=[PrizePlan("Cup"), PrizePlan("Fan", first=1, last=2, category=1)],
    )
    novice = PrizeCategory.objects.get()
    marked = [str(person(event, name).uuid) for name in (ranked[0], ranked[3])]
    mark_category(category=novice, by=event.created_by, entries=marked)
    assert winners(event) == [("Cup", [ranked[0]]), ("Fan", [ranked[3]]), ("Fan", [])]
    found = awards_of(prizes_of(event), ranking_of(event))
    told = reason_words(found[1], found[1].winners[0], is_organiser=True)
    assert told == f"place 1 in “Novice”, place 4 overall; {ranked[0]} has a better prize"
    hidden = reason_words(found[1], found[1].winners[0], is_organiser=False)
    assert hidden == "place 4 overall; those before have a better prize"
    assert not_given_words(found[2]) == "not given: nobody is left for it"
    mark_category(category=novice, by=event.created_by, entries=[])
    assert not_given_words(awards_of(prizes_of(event), ranking_of(event))[1]) == "not given: nobody is in this category"


@pytest.mark.thorough
def test_who_withdrew_wins_only_if_the_organiser_says_so() -> None:
    event = a_played_night()
    ranked = names(event)
    Entry.objects.filter(pk=person(event, ranked[0]).pk).update(state=Entry.State.WITHDRAWN)
    put(event, prizes=[PrizePlan("Cup")])
    assert winners(event) == [("Cup", [ranked[1]])]
    put(event, prizes=[PrizePlan("Cup")], changes={"withdrawn_win": True})
    assert winners(event) == [("Cup", [ranked[0]])]


@pytest.mark.thorough
def test_a_divided_prize_pays_no_more_than_there_is() -> None:
    event = a_called_night(people=4)
    put(event, prizes=[PrizePlan("Purse", amount=Decimal("100.00"), last=3)], changes={"ties": "divided"})
    found = awards_of(prizes_of(event), ranking_of(event))
    paid = sum((each.amount or Decimal(0) for award in found for each in award.winners), Decimal(0))
    assert [award.shares for award in found] == [4, 4, 4]
    assert paid == Decimal(300)
    put(event, prizes=[PrizePlan("Purse", amount=Decimal("0.01"))], changes={"ties": "divided"})
    assert [each.amount for each in awards_of(prizes_of(event), ranking_of(event))[0].winners] == [Decimal(0)] * 4


def an_asked_event() -> Tournament:
    """Three people who registered with their age; none of them plays yet."""
    asked = (Asked("Your age", "number"), Asked("Beginner?", "tick"))
    event = an_event_with_registration(questions=asked)
    for name, age, tick in (("Ann", "12", ""), ("Bo", "40", "yes"), ("Cy", "17", "yes")):
        answers = {"Your age": age, "Beginner?": tick}
        uuids = {str(each.uuid): answers[each.words] for each in Question.objects.filter(tournament=event)}
        registered(event, name, answers=uuids)
    return event


@pytest.mark.thorough
def test_a_category_follows_from_an_answer_and_only_organisers_see_it(client: Client) -> None:
    event = an_asked_event()
    assert Registration.objects.filter(entry__isnull=False).count() == 3
    age, tick = Question.objects.order_by("position")
    put(
        event,
        categories=[
            CategoryPlan("Under 18", "answer", question=str(age.uuid), at_most=17),
            CategoryPlan("Beginners", "answer", question=str(tick.uuid), is_named=True),
        ],
        prizes=[PrizePlan("Kite", category=1)],
        changes={"publish": "now"},
    )
    members = prizes_of(event).members
    by_name = [
        sorted(Entry.objects.filter(pk__in=members[each.pk]).values_list("player__name", flat=True))
        for each in PrizeCategory.objects.order_by("position")
    ]
    assert by_name == [["Ann", "Cy"], ["Bo", "Cy"]]
    here = f"/t/{event.slug}/"
    page = client.get(f"{here}ranking/").content.decode()
    assert "Kite" in page
    assert "Under 18" not in page
    first = PrizeCategory.objects.order_by("position")[0]
    for path in ("prizes/", f"prizes/{first.uuid}/"):
        client.force_login(a.a_user())
        assert client.get(here + path).status_code == 404
        client.force_login(with_role(event, "scorer"))
        assert client.get(here + path).status_code == 404
        client.force_login(event.created_by)
        assert client.get(here + path).status_code == 200
    assert "Ann" in client.get(f"{here}prizes/{first.uuid}/").content.decode()
    with pytest.raises(TournamentError) as refusal:
        mark_category(category=first, by=event.created_by, entries=[])
    assert refusal.value.code == "prizes.not_by_hand"


@pytest.mark.thorough
def test_prizes_are_public_when_the_organiser_says_so_or_at_the_end(client: Client) -> None:
    event = a_played_night()
    here = f"/t/{event.slug}/ranking/"
    for publish, seen in (("", False), ("end", False), ("now", True)):
        put(event, prizes=[PrizePlan("Golden fan")], changes={"publish": publish})
        assert ("Golden fan" in client.get(here).content.decode()) == seen
    put(event, prizes=[PrizePlan("Golden fan")], changes={"publish": "end"})
    close_event(tournament=event, by=event.created_by)
    page = client.get(here).content.decode()
    assert "Golden fan" in page
    assert "place 1 overall" in page


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"prizes": [PrizePlan("")]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("x" * 121)]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", first=0)]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", first=3, last=2)]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", last=1000)]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", amount=Decimal("0.001"))]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", amount=Decimal("NaN"))]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", amount=Decimal(10**11))]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup", category=1)]}, "prizes.bad_prize"),
        ({"prizes": [PrizePlan("Cup")] * 61}, "prizes.too_many"),
        ({"categories": [CategoryPlan("")]}, "prizes.bad_category"),
        ({"categories": [CategoryPlan("A"), CategoryPlan("A ")]}, "prizes.bad_category"),
        ({"categories": [CategoryPlan("A", "club")]}, "prizes.bad_category"),
        ({"categories": [CategoryPlan("A", "answer")]}, "prizes.bad_category"),
        ({"categories": [CategoryPlan("A", "astrology")]}, "prizes.bad_category"),
        ({"categories": [CategoryPlan(str(n)) for n in range(21)]}, "prizes.too_many"),
        ({"changes": {"publish": "tomorrow"}}, "prizes.bad_settings"),
        ({"changes": {"currency": "x" * 9}}, "prizes.bad_settings"),
    ],
)
def test_what_cannot_be_given_is_refused_and_nothing_is_written(plan: dict[str, Any], code: str) -> None:
    event = a.an_open_event()
    with pytest.raises(TournamentError) as refusal:
        put(event, **plan)
    assert refusal.value.code == code
    assert not Prize.objects.exists()
    assert not PrizeCategory.objects.exists()
    assert not PrizeSettings.objects.exists()


@pytest.mark.thorough
def test_only_organisers_set_prizes_and_twice_is_once() -> None:
    event = a.an_open_event()
    for who in (a.a_user(), with_role(event, "scorer"), with_role(event, "arbiter")):
        with pytest.raises(TournamentError) as refusal:
            put(event, by=who, prizes=[PrizePlan("Cup")])
        assert refusal.value.code == "tournament.not_organiser"
    director = with_role(event, "director")
    for _again in range(2):
        put(event, by=director, prizes=[PrizePlan("Cup", amount=Decimal(5))], categories=[CategoryPlan("Novice")])
    assert AuditEvent.objects.filter(verb="prizes.set").count() == 1
    novice = PrizeCategory.objects.get()
    entry = a.entered(event, [a.a_bot()])[0]
    other = a.entered(a.an_open_event(), [a.a_bot()])[0]
    with pytest.raises(TournamentError) as refusal:
        mark_category(category=novice, by=director, entries=[str(entry.uuid), str(other.uuid)])
    assert refusal.value.code == "prizes.unknown_entry"
    for _again in range(2):
        mark_category(category=novice, by=director, entries=[str(entry.uuid)])
    assert AuditEvent.objects.filter(verb="prizes.mark").count() == 1
    put(event, by=director, categories=[CategoryPlan("Beginner", uuid=str(novice.uuid))])
    assert list(PrizeCategory.objects.get().marked.values_list("pk", flat=True)) == [entry.pk]
    Tournament.objects.filter(pk=event.pk).update(state="archived")
    with pytest.raises(TournamentError) as refusal:
        put(event, by=director)
    assert refusal.value.code == "prizes.closed"


@pytest.mark.thorough
@on_both
def test_an_organiser_sets_prizes_in_the_browser(client: Client) -> None:
    event = a_played_night()
    client.force_login(event.created_by)
    here = f"/t/{event.slug}/prizes/"
    form = {"publish": "now", "one_each": "on", "ties": "each", "currency": "EUR"}
    form |= {"c-TOTAL_FORMS": "1", "c-INITIAL_FORMS": "0", "c-0-name": "Novice", "c-0-kind": "hand"}
    form |= {"p-TOTAL_FORMS": "2", "p-INITIAL_FORMS": "0", "p-0-words": "Purse", "p-0-first": "1", "p-0-amount": "20"}
    form |= {"p-1-words": "Fan", "p-1-category": "1"}
    assert client.post(here, form).status_code == 302
    category = PrizeCategory.objects.get()
    assert [(each.words, each.category_id) for each in Prize.objects.order_by("position")] == [
        ("Purse", None), ("Fan", category.pk),
    ]  # fmt: skip
    second = person(event, names(event)[1])
    assert client.post(f"{here}{category.uuid}/", {"entry": str(second.uuid)}).status_code == 302
    page = client.get(here).content.decode()
    assert "20\N{NO-BREAK SPACE}EUR" in page
    assert "Everybody sees this" in page
    wrong = client.post(here, {**form, "c-0-kind": "club"})
    assert wrong.status_code == 422
    assert "Name the club of this category." in wrong.content.decode()
    removed = client.post(here, {**form, "c-0-name": ""})
    assert removed.status_code == 422
    assert "Choose a category from the list." in removed.content.decode()
    assert Prize.objects.count() == 2


@pytest.mark.thorough
@on_both
def test_a_file_carries_the_winners_of_public_prizes_and_nobody_else() -> None:
    event = a_played_night()
    ranked = names(event)
    put(event, categories=[CategoryPlan("Novice")], prizes=[PrizePlan("Cup"), PrizePlan("Fan", category=1)])
    marked = [str(person(event, name).uuid) for name in (ranked[0], ranked[2], ranked[3])]
    mark_category(category=PrizeCategory.objects.get(), by=event.created_by, entries=marked)
    close_event(tournament=event, by=event.created_by)
    assert "prizes" not in json.loads(event_json(event))["tournament"]["policies"]
    plan = [CategoryPlan("Novice", uuid=str(PrizeCategory.objects.get().uuid))]
    prizes = [PrizePlan("Cup", amount=Decimal("2.50")), PrizePlan("Fan", category=1)]
    put(event, categories=plan, prizes=prizes, changes={"publish": "end"})
    data = event_json(event)
    found = json.loads(data)["tournament"]["policies"]["prizes"]
    winner = winners(event)[1][1]
    assert found["categories"] == [{"name": "", "entries": [str(person(event, winner[0]).uuid)]}]
    reader = a.a_user()
    copy = import_event(by=reader, checked=validate_file(by=reader, data=data))
    assert winners(copy) == winners(event)
    assert event_json(copy) == data


@pytest.mark.thorough
def test_another_event_like_it_has_the_prizes_and_nobody_marked() -> None:
    event = an_asked_event()
    age = Question.objects.order_by("position")[0]
    plans = [CategoryPlan("Under 18", "answer", question=str(age.uuid), at_most=17), CategoryPlan("Novice")]
    prizes = [PrizePlan("Cup", amount=Decimal("2.50")), PrizePlan("Kite", category=1), PrizePlan("Fan", category=2)]
    put(event, categories=plans, prizes=prizes, changes={"currency": "EUR"})
    novice = PrizeCategory.objects.get(name="Novice")
    some = [str(each.uuid) for each in event.entries.all()[:1]]
    mark_category(category=novice, by=event.created_by, entries=some)
    like = clone_tournament(tournament=event, by=event.created_by)
    found = prizes_of(like)
    assert found.settings.currency == "EUR"
    told = [(each.words, each.amount, each.category and each.category.name) for each in found.prizes]
    assert told == [("Cup", Decimal("2.50"), None), ("Kite", None, "Under 18"), ("Fan", None, "Novice")]
    young = found.categories[0]
    assert young.question is not None
    assert (young.question.tournament, young.question.words, young.at_most) == (like, age.words, 17)
    assert not any(found.members.values())


@pytest.mark.thorough
def test_winners_stay_when_the_answers_are_deleted() -> None:
    event = an_asked_event()
    age = Question.objects.order_by("position")[0]
    young = CategoryPlan("Under 18", "answer", question=str(age.uuid), at_most=17)
    put(event, categories=[young], prizes=[PrizePlan("Kite", category=1)])
    check_in_all(tournament=event, by=event.created_by)
    start_tournament(tournament=event, by=event.created_by)
    before = winners(event)
    assert before[0][1]
    long_ago = timezone.now() - timedelta(days=90)
    Tournament.objects.filter(pk=event.pk).update(state="finished", finished_at=long_ago)
    event.refresh_from_db()
    assert purge_expired_registrations() == 3
    category = PrizeCategory.objects.get()
    assert (category.kind, category.question, category.at_most) == ("hand", None, None)
    assert winners(event) == before


@pytest.mark.thorough
@on_both
def test_certificates_are_pages_of_a_person(client: Client) -> None:
    event = a_played_night()
    put(event, prizes=[PrizePlan("Golden fan")])
    here = f"/t/{event.slug}/certificates/"
    assert client.get(here).status_code == 302
    client.force_login(a.a_user())
    assert client.get(here).status_code == 404
    client.force_login(event.created_by)
    page = client.get(here).content.decode()
    assert page.count('<li class="certificate"') >= 3
    assert "Golden fan" in page
    assert '<svg class="seal of1"' in page
    alone = client.get(f"{here}?who=winners&language=ja&paper=letter&signed=Kimiko").content.decode()
    assert alone.count('<li class="certificate" lang="ja"') == 1
    assert "Kimiko" in alone
    assert 'class="certificates letter"' in alone
    assert client.get(f"{here}?who=all").content.decode().count('<li class="certificate"') == 4
    assert client.get(f"{here}?who=everybody&language=tlh&places=0").status_code == 200
    put(event, prizes=[])
    assert "Nobody has a certificate by this choice yet." in client.get(f"{here}?who=winners").content.decode()
