"""Comparisons of two versions: starting one, stopping one. Workers do the rest (progress/draws/comparisons.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.journal import audit, publish
from bots.models import BotVersion
from bots.runner.spec import CLOCKS, STANDARD, Clock
from core.errors import TournamentError
from engine.game import Ruleset as Rules
from tournaments.domain_events.programs import ComparisonStarted, ComparisonStopped
from tournaments.entries.bots import player_of
from tournaments.events.create import free_slug
from tournaments.events.shapes import own_scoring, read_rules, sides_of
from tournaments.lifecycle import locks
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.opening import Opening, open_event
from tournaments.lifecycle.transitions import label
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import BotPolicy, Challenge, Entry, Stage, Tournament
from tournaments.progress.draws import comparisons
from tournaments.ratings.ladders.ladder import is_fit
from tournaments.standings import sequential_test

MAX_RUNNING: Final = 3
A_DAY: Final = 20
DAY: Final = timedelta(days=1)
CAPS: Final = range(10, 5_001)
MAX_MATCHES: Final = 20_000
WIDEST: Final = 400.0
CLOSEST: Final = 5.0
ERRORS: Final = (0.01, 0.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengePlan:
    """Is `candidate` stronger than `reference`? elo0, elo1: the hypotheses in logistic Elo; alpha, beta: the errors.

    options: those that differ from the preset, {id: value}. cap: most deal sets; each is played from both sides, at
    larger tables by each version once alone in every seat.
    """

    candidate: BotVersion
    reference: BotVersion
    preset: str
    seats: int = 2
    options: Mapping[str, object] = field(default_factory=dict)
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    cap: int = 1_000


def start_challenge(*, by: User, plan: ChallengePlan) -> Challenge:
    """Write the comparison and queue its first deal sets.

    Raises TournamentError "challenge.not_owner" (the candidate is not one's own), "challenge.same",
    "challenge.not_ready", "challenge.preset_not_played", "challenge.not_active" (of another's bot only the active
    version), "challenge.declined" (its owner does not let it), "challenge.already_running", "challenge.too_many",
    "challenge.rate" (extra: retry_after, seconds), "challenge.too_many_matches", "tournament.bad_<field>",
    "tournament.bad_option", "tournament.bad_seating".
    """
    rules = read_rules(EventPlan(name="comparison", preset=plan.preset, options=plan.options))
    sides = len(set(sides_of(rules, plan.seats)))
    _check_numbers(plan, sides)
    _check_versions(by, plan)
    with transaction.atomic():
        lock_account(by)
        _require_room(by, plan)
        challenge = _write(by, plan, rules, sides)
        # After its rows are written, which nobody else sees yet: the lock is for `fill` alone.
        locks.lock_standings(challenge.stage.tournament)
        matches = comparisons.fill(challenge)
        after = {"candidate": str(plan.candidate), "reference": str(plan.reference), "matches": matches}
        channel = challenge.stage.tournament.channel
        audit(ComparisonStarted, label(challenge.stage), actor=by, channel=channel, after=after)
        publish(
            ComparisonStarted(channel, candidate=str(plan.candidate), reference=str(plan.reference), matches=matches)
        )
    return challenge


def _check_numbers(plan: ChallengePlan, sides: int) -> None:
    if not -WIDEST <= plan.elo0 < plan.elo1 <= WIDEST or plan.elo1 - plan.elo0 < CLOSEST:
        allowed = _("two numbers from −%(most)d to %(most)d, the second at least %(gap)d more than the first")
        raise bad_value("elo1", f"{plan.elo0:g}, {plan.elo1:g}", (allowed % {"most": WIDEST, "gap": CLOSEST},))
    for name, value in (("alpha", plan.alpha), ("beta", plan.beta)):
        if not ERRORS[0] <= value <= ERRORS[1]:
            raise bad_value(name, f"{value:g}", (f"{ERRORS[0]:g} … {ERRORS[1]:g}",))
    if plan.cap not in CAPS:
        raise bad_number("cap", plan.cap, CAPS[0], CAPS[-1])
    matches = plan.cap * sequential_test.legs_for(sides)
    if matches > MAX_MATCHES:
        message = _("That could be %(n)s matches; the limit is %(most)s. Choose fewer deal sets or smaller tables.")
        shown = {"n": matches, "most": MAX_MATCHES}
        extra: dict[str, object] = {**shown, "field": "cap"}
        raise TournamentError(message % shown, code="challenge.too_many_matches", extra=extra)


def _check_versions(by: User, plan: ChallengePlan) -> None:
    own, other = plan.candidate, plan.reference
    if own.bot.owner_id != by.pk:
        message = _("The first of the two must be your own bot. Choose one of your bots.")
        raise TournamentError(message, code="challenge.not_owner")
    if own.pk == other.pk:
        message = _("These are the same version. Choose another one to compare it with.")
        raise TournamentError(message, code="challenge.same", extra={"field": "reference"})
    for name, version in (("candidate", own), ("reference", other)):
        _check_ready(name, version, plan)
    if other.bot.owner_id != by.pk:
        _check_another_s(other)


def _clock_for(plan: ChallengePlan) -> Clock:
    """Return the longest of the clocks that the two declare, at least the standard: both play with it."""
    declared = (CLOCKS[version.clock] for version in (plan.candidate, plan.reference))
    return max((STANDARD, *declared), key=lambda clock: clock.match_ms)


def _check_ready(name: str, version: BotVersion, plan: ChallengePlan) -> None:
    if version.state != BotVersion.State.READY or version.benched_at is not None:
        message = _("%(version)s is not ready to play: it did not pass its check, or it is suspended or retired.")
        code = "challenge.not_ready"
    elif not is_fit(version, plan.preset, _clock_for(plan)):
        message = _("%(version)s does not declare that it plays %(preset)s. Choose rules that both play.")
        code = "challenge.preset_not_played"
    else:
        return
    raise TournamentError(message % {"version": version, "preset": plan.preset}, code=code, extra={"field": name})


def _check_another_s(version: BotVersion) -> None:
    if version.bot.active_version_id != version.pk:
        message = _("You can only challenge the active version of another person's bot. Choose that version.")
        raise TournamentError(message, code="challenge.not_active", extra={"field": "reference"})
    if BotPolicy.objects.filter(bot=version.bot_id, challenges=BotPolicy.Challenges.NOBODY).exists():
        message = _("The owner of %(bot)s does not allow challenges. Choose another bot.")
        shown = {"bot": version.bot.name}
        raise TournamentError(message % shown, code="challenge.declined", extra={"field": "reference"})


def _require_room(by: User, plan: ChallengePlan) -> None:
    """Refuse one more than the bounds. Needs the person's row lock, so that two requests at once are counted."""
    now = timezone.now()
    running = Challenge.objects.filter(by=by, state=Challenge.State.RUNNING)
    same = running.filter(candidate=plan.candidate, reference=plan.reference, stage__preset=plan.preset)
    found = same.filter(stage__seats_pref=plan.seats).first()
    if found is not None:
        message = _("You are already comparing these two versions. Look at that comparison, or stop it first.")
        raise TournamentError(message, code="challenge.already_running", extra={"challenge": str(found.uuid)})
    if running.count() >= MAX_RUNNING:
        message = _("You have %(n)s comparisons running, which is the limit. Wait for one or stop one.")
        raise TournamentError(message % {"n": MAX_RUNNING}, code="challenge.too_many", extra={"limit": MAX_RUNNING})
    lately = Challenge.objects.filter(by=by, created_at__gt=now - DAY).order_by("-created_at")
    oldest = list(lately.values_list("created_at", flat=True)[A_DAY - 1 : A_DAY])
    if oldest:
        wait = max(1, round((oldest[0] + DAY - now).total_seconds()))
        message = _("You have reached the limit of %(n)s comparisons a day. Try again in %(hours)s hours.")
        shown = {"n": A_DAY, "hours": -(-wait // 3600)}
        raise TournamentError(message % shown, code="challenge.rate", extra={"retry_after": wait})


def _write(by: User, plan: ChallengePlan, rules: Rules, sides: int) -> Challenge:
    name = f"{plan.candidate} – {plan.reference}"[:80]
    opening = Opening(
        name=name,
        slug=free_slug(name, is_unlisted=True),
        visibility=Tournament.Visibility.UNLISTED,
        is_challenge=True,
        kind="gauntlet",
        preset=plan.preset,
        rules=rules,
        seats=plan.seats,
        rounds=plan.cap,
        scoring=own_scoring(rules),
        legs=Stage.Legs.CYCLIC,
        clock=_clock_for(plan),
    )
    stage = open_event(by, opening)
    _enter(stage, plan, by, sides)
    return Challenge.objects.create(
        stage=stage,
        by=by,
        candidate=plan.candidate,
        reference=plan.reference,
        elo0=plan.elo0,
        elo1=plan.elo1,
        alpha=plan.alpha,
        beta=plan.beta,
        cap=plan.cap,
        counts=[0] * sequential_test.unit_for(stage).categories,
        of_two_owners=plan.candidate.bot.owner_id != plan.reference.bot.owner_id,
    )


def _enter(stage: Stage, plan: ChallengePlan, by: User, sides: int) -> None:
    """Enter as many entries of each version as sit at a table at once; they differ in `copy` where it is one bot's."""
    entries: list[Entry] = []
    for version in (plan.candidate, plan.reference):
        player = player_of(version.bot)
        for _copy in range(sides - 1):
            taken = sum(entry.player_id == player.pk for entry in entries)
            who = {"player": player, "bot_version": version, "copy": taken, "entered_by": by}
            entries.append(Entry(tournament=stage.tournament, seed=len(entries) + 1, state=Entry.State.ACTIVE, **who))
    Entry.objects.bulk_create(entries)


def stop_challenge(*, challenge: Challenge, by: User) -> Challenge:
    """End a comparison before it has decided: it is inconclusive, unless what is played by now decides it.

    The person who asked for it may, and operators. Raises TournamentError "challenge.not_owner",
    "challenge.already_decided".
    """
    if challenge.by_id != by.pk and not by.is_staff:
        message = _("Only the person who started a comparison can stop it.")
        raise TournamentError(message, code="challenge.not_owner")
    with transaction.atomic():
        event = Tournament.objects.get(stages__challenge=challenge)
        locks.lock_standings(event)  # and no row of it before: folds lock in this order
        stage = Stage.objects.select_related("tournament", "ruleset").get(pk=challenge.stage_id)
        # What is over by now may decide it: then it is not stopped but decided.
        sequential_test.evaluate(stage)
        found = comparisons.open_challenges().filter(pk=challenge.pk).first()
        if found is None:
            message = _("This comparison is already over: there is nothing to stop.")
            raise TournamentError(message, code="challenge.already_decided")
        if found.state == Challenge.State.RUNNING:
            comparisons.end(found, Challenge.Reason.STOPPED)
        audit(ComparisonStopped, label(stage), actor=by, channel=event.channel, after={"state": found.state})
        comparisons.close(found)
    return found
