"""Published sources by the API: published, downloaded, forked, taken back; what is private answers as before."""

from __future__ import annotations

import io
import zipfile

import pytest

from accounts.models import User
from accounts.tokens import Bound
from bots.models import Bot, Publication
from tests.builders import events as a
from tests.builders.keys import Caller, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


@pytest.fixture
def plum(ann: User) -> Bot:
    return a.a_bot(ann, name="Plum")


def here(bot: Bot) -> str:
    return f"/api/v1/bots/{bot.slug}/versions/1"


def names(caller: Caller, bot: Bot) -> set[str]:
    answer = caller.get(f"{here(bot)}/source")
    assert answer.status_code == 200, answer.content
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return set(archive.namelist())


@pytest.mark.thorough
def test_a_source_is_published_read_by_everybody_and_taken_back(ann: User, plum: Bot) -> None:
    owner, rival, nobody = Caller(ann), Caller(a.a_user("ben")), Caller(None)
    done = owner.post(f"{here(plum)}:publish", {"licence": "MIT"})
    assert (done.status_code, done.json()["licence"]) == (200, "MIT")
    for caller in (rival, nobody, Caller(ann, "read")):
        assert names(caller, plum) == {"bot.py", "LICENSE.txt"}
        found = caller.get(here(plum)).json()
        assert (found["licence"], [file["path"] for file in found["files"]]) == ("MIT", ["bot.py"])
        assert caller.get(f"/api/v1/bots/{plum.slug}").json()["source_public"] is True
    assert names(owner, plum) == {"bot.py"}
    assert owner.post(f"{here(plum)}:unpublish").json()["licence"] is None
    assert problem(rival.get(f"{here(plum)}/source")) == (404, "not_found")
    assert problem(nobody.get(f"{here(plum)}/source")) == (401, "auth.needed")
    assert problem(Caller(ann, "read").get(f"{here(plum)}/source")) == (403, "auth.scope_missing")
    assert nobody.get(here(plum)).json()["files"] is None
    assert nobody.get(f"/api/v1/bots/{plum.slug}").json()["source_public"] is False


def test_nobody_else_publishes_or_takes_back(ann: User, plum: Bot) -> None:
    body = {"licence": "MIT"}
    assert problem(Caller(a.a_user("ben")).post(f"{here(plum)}:publish", body)) == (404, "not_found")
    assert problem(Caller(None).post(f"{here(plum)}:publish", body)) == (401, "auth.needed")
    assert problem(Caller(ann, "read").post(f"{here(plum)}:publish", body)) == (403, "auth.scope_missing")
    operator = Caller(a.a_user("op", is_staff=True), "admin", "bot:write")
    assert problem(operator.post(f"{here(plum)}:publish", body)) == (404, "not_found")
    assert problem(operator.post(f"{here(plum)}:unpublish")) == (404, "not_found")
    assert not Publication.objects.exists()
    refused = Caller(ann).post(f"{here(plum)}:publish", {"licence": "WTFPL"})
    assert refused.status_code in (400, 422)


def test_a_fork_is_made_once_for_a_key_and_names_its_origin(ann: User, plum: Bot) -> None:
    ben = Caller(a.a_user("ben"))
    assert problem(ben.post(f"{here(plum)}:fork", {"name": "Peony"})) == (422, "source.not_public")
    Caller(ann).post(f"{here(plum)}:publish", {"licence": "GPL-3.0-or-later"})
    for _each in range(2):
        made = ben.post(f"{here(plum)}:fork", {"name": "Peony"}, **{"Idempotency-Key": "fork-1"})
        assert made.status_code == 201, made.content
    assert made.headers["Location"] == "/api/v1/bots/peony/versions/1"
    assert made.json()["state"] == "checking"
    found = Caller(None).get("/api/v1/bots/peony").json()
    assert found["forked_from"] == {"bot": plum.slug, "n": 1, "licence": "GPL-3.0-or-later"}
    assert (found["owner"], found["source_public"]) == ("ben", False)
    assert problem(Caller(None).get("/api/v1/bots/peony/versions/1/source")) == (401, "auth.needed")
    assert problem(Caller(ann).get("/api/v1/bots/peony/versions/1/source")) == (404, "not_found")
    bound = Caller(ann, bound=Bound("bot", plum.uuid, plum.name))
    assert problem(bound.post(f"{here(plum)}:fork", {"name": "Again"})) == (403, "auth.bound_elsewhere")


def test_the_list_can_be_narrowed_to_public_sources(ann: User, plum: Bot) -> None:
    a.a_bot(name="Secretive")
    assert Caller(None).get("/api/v1/bots?source=public").json()["items"] == []
    Caller(ann).post(f"{here(plum)}:publish", {"licence": "CC0-1.0"})
    assert [each["slug"] for each in Caller(None).get("/api/v1/bots?source=public").json()["items"]] == [plum.slug]
    assert Caller(None).get("/api/v1/bots?source=open").status_code == 400
