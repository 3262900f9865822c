"""The page of tokens: each is shown once, says what it may, and ends at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.answers import purge_expired_answers
from accounts.errors import AccountError
from accounts.models import KeptAnswer, Token, User
from accounts.tokens import MAX_TOKENS, SCOPES, digest_of, live, make_token, read_token, revoke_token
from bots.models import AuditEvent, Meter
from tests.builders import events as a
from web.rate_limits import take

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
KEY = re.compile(r"hf_[A-Za-z0-9_-]{40}")


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


def test_a_token_is_made_shown_once_and_revoked(ann: User, as_user: Become) -> None:
    client = as_user(ann)
    assert "You have no tokens" in client.get("/me/tokens/").content.decode()
    form = {"name": "my laptop", "scopes": ["read", "bot:write"], "days": "30", "bound": ""}
    made = client.post("/me/tokens/", form)
    key = KEY.findall(made.content.decode())[0]
    assert "no-store" in made.headers["Cache-Control"]
    token = Token.objects.get()
    assert (token.digest, token.scopes, token.start) == (digest_of(key), ["read", "bot:write"], key[:9])
    assert token.expires_at is not None
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    later = client.get("/me/tokens/").content.decode()
    assert key not in later
    assert key[:9] in later
    assert read_token(key).user == ann
    client.post(f"/me/tokens/{token.uuid}/revoke/")
    with pytest.raises(AccountError, match="revoked"):
        read_token(key)
    assert "my laptop" not in client.get("/me/tokens/").content.decode().split("</nav>")[-1].split("<table")[-1]
    said = AuditEvent.objects.filter(verb__startswith="token.").order_by("pk")
    assert [row.verb for row in said] == ["token.make", "token.revoke"]
    assert all(key not in str(row.after) for row in said)


def test_what_is_missing_is_said_on_the_field(ann: User, as_user: Become) -> None:
    client = as_user(ann)
    for form in ({}, {"name": "x"}, {"name": "x", "scopes": ["fly"]}, {"name": "x", "scopes": ["admin"]}):
        assert client.post("/me/tokens/", form).status_code == 422
    assert not Token.objects.exists()
    assert as_user(None).get("/me/tokens/").status_code == 302


def test_a_token_may_be_for_one_thing_of_ones_own(ann: User, as_user: Become) -> None:
    bot, other = a.a_bot(ann, name="Plum"), a.a_bot(name="Kiri")
    client = as_user(ann)
    form = {"name": "x", "scopes": ["bot:write"], "days": ""}
    assert client.post("/me/tokens/", {**form, "bound": f"bot:{other.slug}"}).status_code == 422
    assert client.post("/me/tokens/", {**form, "bound": f"bot:{bot.slug}"}).status_code == 200
    token = Token.objects.get()
    assert (token.bound_kind, token.bound_to, token.expires_at) == ("bot", bot.uuid, None)


def test_nobody_ends_anothers_token(ann: User, as_user: Become) -> None:
    token, _key = make_token(user=ann, name="x", scopes=["read"])
    assert as_user(a.a_user()).post(f"/me/tokens/{token.uuid}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


def test_there_is_a_limit_and_revoking_makes_room(ann: User) -> None:
    tokens = [make_token(user=ann, name=f"t{n}", scopes=list(SCOPES))[0] for n in range(MAX_TOKENS)]
    with pytest.raises(AccountError, match="limit"):
        make_token(user=ann, name="one more", scopes=["read"])
    revoke_token(token=tokens[0])
    make_token(user=ann, name="one more", scopes=["read"])
    assert live(ann).count() == MAX_TOKENS


@pytest.mark.parametrize("days", [-1, 400])
def test_a_token_ends_within_a_year_or_never(ann: User, days: int) -> None:
    with pytest.raises(AccountError) as refused:
        make_token(user=ann, name="x", scopes=["read"], expires_at=timezone.now() + timedelta(days=days))
    assert refused.value.code == "token.bad_expiry"


def test_the_last_use_is_written_down_once_a_minute(ann: User) -> None:
    token, key = make_token(user=ann, name="x", scopes=["read"])
    read_token(key)
    first = Token.objects.get().used_at
    read_token(key)
    assert Token.objects.get().used_at == first
    Token.objects.update(used_at=timezone.now() - timedelta(minutes=2))
    read_token(key)
    token.refresh_from_db()
    assert token.used_at is not None
    assert token.used_at > timezone.now() - timedelta(minutes=1)


def test_answers_are_forgotten_after_two_days() -> None:
    for number, age in enumerate((1, 47, 49)):
        row = KeptAnswer.objects.create(who="user:1", key=str(number), request="x")
        KeptAnswer.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(hours=age))
    assert purge_expired_answers() == 1
    assert list(KeptAnswer.objects.order_by("pk").values_list("key", flat=True)) == ["0", "1"]


def test_counting_in_one_statement_lets_so_many_through_and_begins_anew() -> None:
    minute = timedelta(minutes=1)
    found = [take("x", most=2, within=minute) for _ in range(4)]
    assert [(each.left, each.is_over) for each in found] == [(1, False), (0, False), (0, True), (0, True)]
    assert all(1 <= each.reset_s <= 60 for each in found)
    Meter.objects.update(began_at=timezone.now() - minute)
    assert not take("x", most=2, within=minute).is_over
