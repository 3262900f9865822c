"""Calling off a stage on its page: what would go, why, done once; everybody reads it, and reads what was played."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.tournaments.progress.test_people import with_role
from tests.tournaments.progress.test_undo import undo_last
from tests.tournaments.progress.test_voiding import a_knock_out_begun
from tournaments.models import Stage

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_an_owner_calls_a_stage_off_once_and_everybody_reads_why(as_user: Callable[..., Client]) -> None:
    event = a_knock_out_begun()
    page, here = f"/t/{event.slug}/", f"/t/{event.slug}/stage/2/void/"
    by, director = event.created_by, with_role(event, "director")
    assert here not in as_user(director).get(page).content.decode()
    assert (as_user(director).get(here).status_code, as_user(None).get(here).status_code) == (404, 302)
    owner = as_user(by)
    assert here in owner.get(page).content.decode()
    assert owner.get(f"/t/{event.slug}/stage/1/void/").status_code == 409
    shown = owner.get(here).content.decode()
    assert shown.count("data-row") == Stage.objects.get(tournament=event, order=2).matches.count()
    seen = re.search(r'name="seen" value="(\w+)"', shown)
    assert seen is not None
    assert owner.post(here, {"seen": seen[1], "reason": ""}).status_code == 422
    done = owner.post(here, {"seen": seen[1], "reason": "The pools were wrong."}, follow=True).content.decode()
    assert "You can draw it again." in done
    assert owner.post(here, {"seen": seen[1], "reason": "Again."}).status_code == 409
    for person in (None, director):
        said = as_user(person).get(page).content.decode()
        assert "The pools were wrong." in said
        assert "?stage=102" in said
        for part in ("rounds", "standings", "crosstable"):
            assert as_user(person).get(f"{page}{part}/?stage=102").status_code == 200
    undo_last(event)
    assert "Earlier secret" in as_user(None).get(page).content.decode()
