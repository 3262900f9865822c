"""An error reaches another process whole: one that cannot be sent breaks a pool, and its reason is lost."""

from __future__ import annotations

import pickle

import pytest

from bots.errors import BotFault, InfraFault
from engine.action import Action
from engine.errors import BadRecord, DomainError, IllegalAction, Refusal

ERRORS = (
    InfraFault("sandbox.launch", "the fork server did not start"),
    BotFault("timeout", "100 ms"),
    BadRecord("a card twice", code="record.cards", where="deal 2"),
    IllegalAction(Refusal.NO_MATCH, Action.from_json({"play": "01.1"}), (Action.from_json({"play": "02.1"}),)),
    DomainError("no", code="some.code", extra={"n": 3}),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_in_another_process(error: DomainError) -> None:
    found = pickle.loads(pickle.dumps(error))  # our own bytes
    assert type(found) is type(error)
    assert (str(found), vars(found)) == (str(error), vars(error))
