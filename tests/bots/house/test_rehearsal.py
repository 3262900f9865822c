"""A rehearsed deal set says what the same deal set says at the table, decision for decision."""

from __future__ import annotations

import pytest

from benchmarks.duplicate.play import Contest, Duel, rehearse_duel, table_duel
from benchmarks.duplicate.rehearsal import Rehearsal, can_be_rehearsed
from benchmarks.house import POLICIES, Claim
from engine.games import ruleset
from tests.bots.matches import a_spec

ONE = {"rounds": 1}


def told(contest: Contest) -> str:
    return f"{contest.preset}-{contest.second}-{contest.seats}{contest.others}-{'-'.join(map(str, contest.options))}"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("claim", POLICIES, ids=[told(claim.contest) for claim in POLICIES])
def test_a_rehearsal_says_what_the_table_says(claim: Claim) -> None:
    assert can_be_rehearsed(claim.contest.players)
    for number in range(12 // claim.contest.seats):
        played, rehearsed = (judge(Duel(claim.contest, number)) for judge in (table_duel, rehearse_duel))
        assert rehearsed.lead == pytest.approx(played.lead)
        assert rehearsed.share == pytest.approx(played.share)
        assert rehearsed.differs or played.lead == 0


@pytest.mark.thorough
def test_only_some_deals_come_to_a_decision_and_the_others_are_even_at_the_table() -> None:
    contest = Contest("oibana", "greedy", "greedy+no-bid", 4, options=ONE)
    told = [rehearse_duel(Duel(contest, number)) for number in range(40)]
    differing = [number for number, verdict in enumerate(told) if verdict.differs]
    assert 0 < len(differing) < 20
    assert any(told[number].lead for number in differing)
    even = [number for number, verdict in enumerate(told) if not verdict.differs][:8]
    assert [table_duel(Duel(contest, number)).lead for number in even] == [0.0] * 8


def test_who_draws_random_numbers_is_not_rehearsed() -> None:
    assert can_be_rehearsed(("greedy+sage", "greedy+sage+cancel", ""))
    assert not can_be_rehearsed(("greedy", "random", ""))
    assert not can_be_rehearsed(("greedy", "greedy+join", "sampler"))


def test_two_who_answer_alike_never_differ() -> None:
    spec = a_spec(preset="nuki88", rounds=2)
    players = ("greedy+no-cancel", "greedy+no-cancel", "")
    assert not Rehearsal(players, spec.ruleset, 2, spec.seed).may_differ()
    assert Rehearsal(("greedy", "greedy+sage", ""), ruleset("nuki88"), 2, spec.seed).may_differ()
