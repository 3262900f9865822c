"""The desk once the last round is over: sign is the next step, and no draw that there is nothing for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.builders.clubs import a_called_night
from tests.builders.mixed import a_running_mixed_event
from tests.tournaments.progress.test_people import draw_next, finish_round
from tests.tournaments.progress.test_undo import undo_last
from tournaments.models import DealSet, Match, Round, Stage, Tournament
from tournaments.progress.rounds import close_stage

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
DRAW, SIGN = "Draw the next round", "Confirm and finish"


def step(client: Client, event: Tournament) -> tuple[bool, bool]:
    """Return whether the desk offers a draw, and whether it offers to sign."""
    shown = client.get(f"/t/{event.slug}/desk/").content.decode()
    return DRAW in shown, SIGN in shown


@pytest.mark.parametrize("kind", ["swiss", "single_elim"])
def test_the_last_round_is_signed_and_the_one_before_is_not(kind: str, as_user: Callable[..., Client]) -> None:
    event = a_called_night(people=4, kind=kind, rounds=2)
    client = as_user(event.created_by)
    finish_round(event)
    assert step(client, event) == (True, False)
    draw_next(event)
    client.post(f"/t/{event.slug}/desk/call/", {"stage": "1", "round": "2"})
    finish_round(event, 2)
    assert step(client, event) == (False, True)


def test_of_people_and_bots_it_is_signed_too_and_decks_after_an_undone_signature_are_of_a_new_secret(
    as_user: Callable[..., Client],
) -> None:
    event = a_running_mixed_event(people=2, bots=2, kind="swiss", rounds=1)
    stage = Stage.objects.select_related("tournament", "ruleset").get(tournament=event)
    Match.objects.filter(stage=stage).update(state=Match.State.VOID)
    Round.objects.filter(stage=stage).update(state=Round.State.COMPLETE)
    client = as_user(event.created_by)
    assert step(client, event) == (False, True)
    decks, secret = list(DealSet.objects.filter(stage=stage)), bytes(stage.secret or b"")
    close_stage(stage=stage, by=event.created_by)
    undo_last(event)
    stage.refresh_from_db()
    earlier = stage.earlier_secrets.get()
    assert bytes(earlier.secret) == secret
    assert bytes(stage.secret or b"") != secret
    for deck in decks:
        deck.refresh_from_db()
        assert deck.earlier == earlier
    made = DealSet(stage=stage)
    assert made.earlier is None
