"""Comparisons for the tests: two versions of one bot, played as workers with wake-ups would."""

from __future__ import annotations

from typing import Any

from bots.jobs.process import Process
from bots.models import Bot
from tests.builders import events as a
from tests.builders.ladders import play_on
from tournaments.comparisons.actions import ChallengePlan, start_challenge
from tournaments.models import Challenge, Match, Stage

LAST = b"def choose(obs):\n    return len(obs['legal']) - 1\n"
GREEDY = b"""def choose(obs):
    legal = obs['legal']
    return max(range(len(legal)), key=lambda at: ('take' in legal[at], str(legal[at])))
"""


def a_bot_of_two_versions(first: bytes = a.FIRST, second: bytes = GREEDY) -> Bot:
    """Make a bot whose version 2 is active."""
    bot = a.a_bot(source=first)
    bot.active_version = a.a_version(bot, second)
    bot.save()
    return bot


def a_challenge(bot: Bot | None = None, **changes: Any) -> Challenge:
    """Compare version 2 of a bot with version 1, in matches of one deal."""
    bot = bot or a_bot_of_two_versions()
    old, new = bot.versions.order_by("n")[:2]
    wanted: dict[str, Any] = {"candidate": new, "reference": old, "preset": "hawaii", "options": {"rounds": 1}}
    return start_challenge(by=new.bot.owner, plan=ChallengePlan(**{**wanted, **changes}))


def stage_of(challenge: Challenge) -> Stage:
    """Return its stage."""
    return Stage.objects.select_related("tournament", "ruleset").get(pk=challenge.stage_id)


def matches_of(challenge: Challenge, **wanted: Any) -> list[Match]:
    """Return its matches in the order in which they were made."""
    return list(Match.objects.filter(stage=challenge.stage_id, **wanted).order_by("deal_set", "leg"))


def played_out(process: Process, challenge: Challenge) -> Challenge:
    """Return the same after its workers have nothing left to do."""
    play_on(process)
    challenge.refresh_from_db()
    return challenge
