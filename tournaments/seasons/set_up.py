"""Making a season and changing its rules. The table follows at once."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.seasons import SeasonChanged, SeasonCreated
from tournaments.models import Season, SeasonDivision, SeasonEvent, SeasonPerson, SeasonRole, Tournament
from tournaments.seasons.access import label, require_open, require_role, season_locked
from tournaments.seasons.updating import refresh

USUAL_POINTS: Final = (2500, 1800, 1500, 1200, 1000, 800, 600, 400, 200, 100)
"""Points for the first ten places where nobody has chosen, in hundredths: as in motor racing."""
MAX_PLACES: Final = 100
MAX_POINTS: Final = 1_000_000
MAX_BEST: Final = 100
MAX_DIVISIONS: Final = 10
MAX_MOVES: Final = 100
MAX_WORDS: Final = 2000
NAME: Final = 80
PER_DAY: Final = 20
DAY: Final = timedelta(days=1)
ADDRESSES_TRIED: Final = 8
RESERVED_SLUGS: Final = frozenset({"new", "do"})


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """A division, the first the highest. up, down: how many change divisions when the season is closed."""

    name: str = ""
    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """What an organiser chooses. place_points, other_points: hundredths of a point; loss: percent."""

    name: str
    description: str = ""
    visibility: str = Tournament.Visibility.PUBLIC
    measure: str = Season.Measure.PLACES
    place_points: tuple[int, ...] = USUAL_POINTS
    other_points: int = 0
    best: int = 0
    decay: str = Season.Decay.NONE
    loss: int = 0
    divisions: tuple[DivisionPlan, ...] = field(default=(DivisionPlan(),))


def create_season(*, by: User, plan: SeasonPlan) -> Season:
    """Make a season whose owner is `by`.

    Raises TournamentError "season.bad_plan" (extra: field), "season.rate", "season.name_taken", AccountGone.
    """
    plan = _validated(plan)
    lately = Season.objects.filter(created_by=by, created_at__gt=timezone.now() - DAY).count()
    if lately >= PER_DAY:
        message = _("You have reached the limit of %(n)s seasons a day. Try again tomorrow.") % {"n": PER_DAY}
        raise TournamentError(message, code="season.rate", extra={"retry_after": 3600})
    for _attempt in range(ADDRESSES_TRIED):
        try:
            return _write(by, plan)
        except IntegrityError:  # somebody took the same address at the same moment: take the next one
            continue
    message = _("Too many seasons with this name are being created right now. Try again in a moment.")
    raise TournamentError(message, code="season.name_taken")


@transaction.atomic
def _write(by: User, plan: SeasonPlan) -> Season:
    lock_account(by)
    season = Season.objects.create(
        slug=free_slug(plan.name, is_unlisted=plan.visibility == Tournament.Visibility.UNLISTED),
        created_by=by,
        **columns_of(plan),
    )
    write_divisions(season, plan.divisions)
    SeasonRole.objects.create(season=season, user=by, role=SeasonRole.Kind.OWNER)
    audit(SeasonCreated, label(season), actor=by, channel=season.channel, after=_shown(plan))
    publish(SeasonCreated(season.channel))
    return season


def columns_of(plan: SeasonPlan) -> dict[str, Any]:
    """Return the columns of a season."""
    columns = asdict(plan)
    columns.pop("divisions")
    return {**columns, "place_points": list(plan.place_points)}


def plan_of(season: Season) -> SeasonPlan:
    """Return a season as an organiser chose it. One query."""
    divisions = tuple(DivisionPlan(each.name, each.up, each.down) for each in season.divisions.order_by("position"))
    return SeasonPlan(
        **{name: getattr(season, name) for name in columns_of(SeasonPlan("")) if name != "place_points"},
        place_points=tuple(season.place_points),
        divisions=divisions,
    )


def free_slug(name: str, *, is_unlisted: bool = False) -> str:
    """Return an address made of the name that no season has yet; of an unlisted one it cannot be guessed."""
    stem = slugify(name)[:50] or "season"
    if is_unlisted:
        stem = f"{stem[:40].rstrip('-')}-{get_random_string(8, string.ascii_lowercase + string.digits)}"
    taken = set(Season.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in taken or slug in RESERVED_SLUGS:
        number += 1
    return slug


@transaction.atomic
def change_season(*, season: Season, by: User, plan: SeasonPlan) -> Season:
    """Change the rules or words of a season; its table follows. The same plan again changes nothing.

    A division that is dropped leaves its people in the lowest one. Raises TournamentError "season.not_organiser",
    "season.wrong_state", "season.bad_plan" (extra: field).
    """
    locked = season_locked(season)
    require_role(locked, by)
    require_open(locked)
    plan, before = _validated(plan), plan_of(locked)
    if plan == before:
        return locked
    for name, value in columns_of(plan).items():
        setattr(locked, name, value)
    locked.save()
    write_divisions(locked, plan.divisions)
    if plan.visibility != before.visibility:
        # Which events count depends on who may see the season.
        SeasonEvent.objects.filter(season=locked).update(is_stale=True)
    refresh(locked)
    was, now, all_was = _shown(before), _shown(plan), asdict(before)
    changed = [name for name, value in asdict(plan).items() if value != all_was[name]]
    audit(
        SeasonChanged,
        label(locked),
        actor=by,
        channel=locked.channel,
        before={name: was[name] for name in changed if name in was},
        after={"changed": changed, **{name: now[name] for name in changed if name in now}},
    )
    publish(SeasonChanged(locked.channel, changed=changed))
    return locked


def write_divisions(season: Season, plans: Sequence[DivisionPlan]) -> None:
    """Write the divisions of a season, in their order."""
    there = {each.position: each for each in season.divisions.all()}
    for position, plan in enumerate(plans, 1):
        row = there.pop(position, None) or SeasonDivision(season=season, position=position)
        row.name, row.up, row.down = plan.name, plan.up, plan.down
        row.save()
    if there:
        lowest = season.divisions.get(position=len(plans))
        people = SeasonPerson.objects.filter(division__in=there.values())
        people.update(division=lowest, is_assigned=False)
        for row in there.values():
            row.delete()


def _shown(plan: SeasonPlan) -> dict[str, Any]:
    """Return what the audit says of a plan: no texts, since operators read it of private seasons, too."""
    shown = asdict(plan)
    limits = [[each.up, each.down] for each in plan.divisions]
    kept = {name: value for name, value in shown.items() if name not in ("name", "description")}
    return {**kept, "place_points": list(plan.place_points), "divisions": limits}


def _validated(plan: SeasonPlan) -> SeasonPlan:
    """Return the plan with tidy texts, and nothing that its measure or decay does not use. Raises "season.bad_plan"."""
    name = " ".join(plan.name.split())
    if not 1 <= len(name) <= NAME or not is_printable(name):
        raise _bad("name", _("Give a name of 1 to %(n)s printable characters.") % {"n": NAME})
    if len(plan.description) > MAX_WORDS or not is_printable(plan.description.replace("\n", "").replace("\r", "")):
        raise _bad("description", _("Write at most %(n)s printable characters.") % {"n": MAX_WORDS})
    if plan.visibility not in Tournament.Visibility.values:
        raise _bad("visibility", _("Choose who can see the season."))
    if not 0 <= plan.best <= MAX_BEST:
        raise _bad("best", _("Choose a number up to %(n)s; 0 counts all results.") % {"n": MAX_BEST})
    places, others = _points_of(plan)
    decay, loss = _decay_of(plan)
    return SeasonPlan(
        name=name,
        description=plan.description.strip(),
        visibility=plan.visibility,
        measure=plan.measure,
        place_points=places,
        other_points=others,
        best=plan.best,
        decay=decay,
        loss=loss,
        divisions=_divisions_of(plan),
    )


def _points_of(plan: SeasonPlan) -> tuple[tuple[int, ...], int]:
    if plan.measure not in Season.Measure.values:
        raise _bad("measure", _("Choose what an event gives points for."))
    if plan.measure != Season.Measure.PLACES:
        return (), 0
    amounts = (*plan.place_points, plan.other_points)
    if not 1 <= len(plan.place_points) <= MAX_PLACES or not all(0 <= each <= MAX_POINTS for each in amounts):
        message = _("Give points for 1 to %(n)s places, the first place first, each from 0 to %(most)s.")
        raise _bad("place_points", message % {"n": MAX_PLACES, "most": MAX_POINTS // 100})
    if any(later > earlier for earlier, later in pairwise(amounts)):
        raise _bad("place_points", _("A better place cannot give fewer points than a worse one."))
    return plan.place_points, plan.other_points


def _decay_of(plan: SeasonPlan) -> tuple[str, int]:
    if plan.decay not in Season.Decay.values:
        raise _bad("decay", _("Choose when older results lose a part of their worth."))
    if not plan.decay:
        return plan.decay, 0
    if not 1 <= plan.loss <= 99:
        raise _bad("loss", _("Choose a whole number from 1 to 99 percent."))
    return plan.decay, plan.loss


def _divisions_of(plan: SeasonPlan) -> tuple[DivisionPlan, ...]:
    if not 1 <= len(plan.divisions) <= MAX_DIVISIONS:
        raise _bad("divisions", _("A season has 1 to %(n)s divisions.") % {"n": MAX_DIVISIONS})
    found = []
    last = len(plan.divisions) - 1
    for position, each in enumerate(plan.divisions):
        name = " ".join(each.name.split())
        if len(name) > 60 or not is_printable(name):
            raise _bad("divisions", _("The name of a division has at most 60 printable characters."))
        if not (0 <= each.up <= MAX_MOVES and 0 <= each.down <= MAX_MOVES):
            raise _bad("divisions", _("At most %(n)s people change divisions.") % {"n": MAX_MOVES})
        # Nobody goes up from the highest division, or down from the lowest.
        found.append(DivisionPlan(name, each.up if position else 0, each.down if position < last else 0))
    return tuple(found)


def _bad(name: str, message: str) -> TournamentError:
    return TournamentError(message, code="season.bad_plan", extra={"field": name})
