"""A new tournament as a draft, validated before anything is written."""

from __future__ import annotations

import string
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from engine.game import Ruleset as Rules
from tournaments.domain_events.tournaments import TournamentCreated
from tournaments.events.plan_rows import columns_of, write_stages
from tournaments.events.validation import Checked, validate_plan
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.transitions import label
from tournaments.models import Role, Tournament
from tournaments.pairing.lineups import commit_to_draw

__all__ = ["EventPlan", "create_tournament", "free_slug"]

ADDRESSES_TRIED: Final = 8
RESERVED_SLUGS: Final = frozenset({"new", "do", "import"})
# Of one person: an event that nobody plays is cheap to make and stays.
PER_HOUR: Final = 20
DRAFTS: Final = 30
HOUR: Final = timedelta(hours=1)


def create_tournament(*, by: User, plan: EventPlan) -> Tournament:
    """Make a draft of `plan` whose owner is `by`. Everything is validated first; nothing is half-written.

    Raises what `validate_plan` raises, TournamentError "tournament.name_taken", "tournament.rate",
    "tournament.too_many_drafts", AccountGone.
    """
    checked = validate_plan(plan)
    require_room(by)
    for _attempt in range(ADDRESSES_TRIED):
        try:
            return _write(by, plan, checked)
        except IntegrityError:  # somebody took the same address at the same moment: take the next one
            continue
    message = _("Too many events with this name are being created right now. Try again in a moment.")
    raise TournamentError(message, code="tournament.name_taken")


@transaction.atomic
def _write(by: User, plan: EventPlan, checked: Checked) -> Tournament:
    # Locked: an account that is erased at this moment must not become the owner of an event.
    lock_account(by)
    event = _event(by, plan, checked.rules)
    write_stages(event, plan, checked)
    if event.partners:
        commit_to_draw(event)
    Role.objects.create(user=by, tournament=event, role=Role.Kind.OWNER)
    audit(TournamentCreated, label(event), actor=by, channel=event.channel, after={"state": event.state})
    publish(TournamentCreated(event.channel))
    return event


def _event(by: User, plan: EventPlan, rules: Rules) -> Tournament:
    return Tournament.objects.create(
        slug=free_slug(plan.name, is_unlisted=plan.visibility == Tournament.Visibility.UNLISTED),
        created_by=by,
        **columns_of(plan, rules),
    )


def free_slug(name: str, *, is_unlisted: bool = False) -> str:
    """Return an address made of the name that no tournament has yet.

    is_unlisted: anyone who has the address may look, so it ends in eight random letters and cannot be guessed.
    """
    stem = slugify(name)[:50] or "event"
    if is_unlisted:
        stem = f"{stem[:40].rstrip('-')}-{get_random_string(8, string.ascii_lowercase + string.digits)}"
    # Only a proposal: the unique column decides, and `create_tournament` tries the next one.
    taken = set(Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in taken or slug in RESERVED_SLUGS:
        number += 1
    return slug


def require_room(by: User) -> None:
    """Raise TournamentError "tournament.rate" (extra: retry_after, seconds) or "tournament.too_many_drafts".

    The rows themselves are counted, so the limit survives every restart and needs nothing but the database.
    """
    now = timezone.now()
    lately = Tournament.objects.filter(created_by=by, created_at__gt=now - HOUR).order_by("-created_at")
    # The twentieth newest of the hour: when it is an hour old the next one may be made.
    oldest = list(lately.values_list("created_at", flat=True)[PER_HOUR - 1 : PER_HOUR])
    if oldest:
        wait = max(1, round((oldest[0] + HOUR - now).total_seconds()))
        message = _("You have reached the limit of %(n)s events an hour. Try again in %(minutes)s minutes.")
        shown = {"n": PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="tournament.rate", extra={"retry_after": wait})
    if Tournament.objects.filter(created_by=by, state=Tournament.State.DRAFT).count() >= DRAFTS:
        message = _("You have %(n)s drafts, which is the limit. Announce or cancel one of them first.")
        raise TournamentError(message % {"n": DRAFTS}, code="tournament.too_many_drafts")
