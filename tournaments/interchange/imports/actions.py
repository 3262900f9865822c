"""Imports by a person: a preview of what a file would make, and making it."""

from __future__ import annotations

import string
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from bots.runner.spec import CUSTOM
from core.errors import TournamentError
from core.formats import format_of
from core.formats.stage_format import TeamSeating
from core.interchange.documents import event as doc
from core.interchange.documents.event import Event, Stage, Way
from core.standings.model import Scoring
from core.standings.ranking import in_order, keys_for
from tournaments.events.create import create_tournament, require_room
from tournaments.events.validation import entry_bounds
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.event import Bounds, CheckedFile
from tournaments.interchange.settings_document import PRESENCE, columns_from, stage_columns_from
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.models import Tournament
from tournaments.pairing.constraints import DRAW
from tournaments.ratings.ladders.actions import MAX_DURATION
from tournaments.registration.copying import write_form
from web.rate_limits import count

PER_HOUR: Final = 30
SETTINGS: Final = (
    "name",
    "description",
    "visibility",
    "time_zone",
    "venue",
    "min_entries",
    "entries_per_owner",
)
POLICIES: Final = ("who", "apart", "age_gap", "round_minutes", "boards", "team_score", "team_best")
"""Settings of an event that its plan has under the same name."""
BESIDE: Final = ("rated", "leaders", "hall_tables", "calls_alone", *PRESENCE)
"""Settings that are made on pages of their own, after the event: no plan has them."""
STAGE: Final = (
    "name",
    "kind",
    "seats_min",
    "seats_max",
    "advance",
    "third_place",
    "consolation",
    "scoring",
    "legs",
    "bye_policy",
    "flows",
    "where",
    "site_clock",
    "admits_programs",
)
# Bounds of a page: some seconds of checking at most. The command takes more.
BY_PAGE: Final = Bounds(bytes=32 * 1024 * 1024, moves=400_000, rows=50_000, values=2_000_000)
ADDRESSES_TRIED: Final = 3


def validate_file(*, by: User, data: bytes) -> CheckedFile:
    """Check and prove what a file holds, as far as that goes without writing.

    Raises TournamentError "event.*" (extra: where) and "event.rate" (extra: retry_after).
    """
    wait = count(f"event.import:{by.pk}", most=PER_HOUR, within=timedelta(hours=1))
    if wait is not None:
        message = _("You have reached the limit of %(n)s files an hour. Try again in %(minutes)s minutes.")
        shown = {"n": PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="event.rate", extra={"retry_after": wait})
    return importing.validate_event(data, BY_PAGE)


def import_event(*, by: User, checked: CheckedFile) -> Tournament:
    """Make what was checked: a copy in the archive, or a draft of the same set-up, without its entries.

    Never changes an event that is there. Raises TournamentError "event.*", "tournament.*", AccountGone.
    """
    if not checked.is_over:
        with transaction.atomic():
            draft = create_tournament(by=by, plan=plan_of(checked.event))
            _keep_settings(draft, checked.event.tournament)
            write_form(draft, checked.event.tournament.policies.get("registration", {}))
        return draft
    require_room(by)
    for _attempt in range(ADDRESSES_TRIED):
        try:
            with transaction.atomic():
                lock_account(by)
                return importing.write(checked, by=by, slug=address(checked))
        except IntegrityError:  # somebody took the address at the same moment
            continue
    message = _("Too many events with this name are being created right now. Try again in a moment.")
    raise TournamentError(message, code="tournament.name_taken")


def plan_of(event: Event) -> EventPlan:
    """Return the set-up of an event as a plan for another one. Raises TournamentError "event.stages"."""
    document = event.tournament
    if not event.stages:
        raise TournamentError(_("The event in the file has no stage."), code="event.stages", extra={"where": "stages"})
    first, *others = event.stages
    if {(each.preset, each.ruleset.hash) for each in event.stages} != {(first.preset, first.ruleset.hash)}:
        message = _("The stages of the event play by different rules; a draft has the same rules for all stages.")
        raise TournamentError(message, code="event.stages", extra={"where": "stages"})
    first_stage, chosen = _stage(first, document), columns_from(document.policies)
    is_open_ended = format_of(first.kind).is_open_ended
    return EventPlan(
        preset=first.preset,
        options=first.ruleset.options,
        draws=str(document.policies.get("draws", "")),
        partners=str(document.policies.get("partners", "")),
        seeding=DRAW if stage_columns_from(document.policies, first.order)["seeding"] == DRAW else "",
        # An official ladder has room for more than people may ask for.
        max_entries=min(document.max_entries, entry_bounds(is_open_ended=is_open_ended)["max_entries"][1]),
        stage_name=first_stage.pop("name"),
        then=tuple(StagePlan(waits=each.waits, **_stage(each, document)) for each in others),
        ways=tuple(_way(each) for each in event.ways),
        **{name: getattr(document, name) for name in SETTINGS},
        **{name: chosen[name] for name in POLICIES if name in chosen},
        **first_stage,
    )


def _keep_settings(draft: Tournament, document: doc.Tournament) -> None:
    """Give a draft those settings of the event in the file that are no part of its plan."""
    chosen = columns_from(document.policies)
    # Results of bots always count for their ratings; whether those of people do is a setting of people's events alone.
    chosen["rated"] = chosen["rated"] and draft.is_of_people
    for name in BESIDE:
        setattr(draft, name, chosen[name])
    draft.save(update_fields=BESIDE)


def _stage(stage: Stage, event: doc.Tournament) -> dict[str, Any]:
    """Return the fields that a stage and an event of one stage have in common.

    A stage of the first edition names what stood before the tie-breaks that were chosen.
    """
    score = str(event.policies.get("team_score", ""))
    keys = keys_for(Scoring(stage.scoring), score, teams_meet=format_of(stage.kind).teams is TeamSeating.MEETINGS)
    return {
        "tie_breaks": tuple(stage.tie_breaks) if stage.edition > 1 else in_order(keys, stage.tie_breaks, 1)[1:],
        "seats": stage.seats_pref,
        "rounds": stage.rounds_planned,
        "clock": stage.clock.name,
        "figures": stage.clock.figures if stage.clock.name == CUSTOM else {},
        "groups": stage.groups_n,
        "ends_at": _end_of(stage),
        **{name: getattr(stage, name) for name in STAGE},
    }


def _end_of(stage: Stage) -> datetime | None:
    """Return when a ladder like this one ends: as it would, or as late as one can if nothing else would end it."""
    if not format_of(stage.kind).is_open_ended:
        return None
    latest = timezone.now() + MAX_DURATION
    if stage.ends_at is not None and timezone.now() < stage.ends_at <= latest:
        return stage.ends_at
    return None if stage.rounds_planned else latest


def _way(rule: Way) -> AdvancementPlan:
    return AdvancementPlan(
        source=rule.source + 1,
        target=rule.target + 1,
        first=rule.first,
        last=rule.last,
        most=rule.most,
        by=rule.by,
        carry=rule.carry,
    )


def address(checked: CheckedFile) -> str:
    """Return an address for it that nobody guesses: a copy is not listed."""
    stem = slugify(checked.event.tournament.name)[:40].rstrip("-") or "event"
    return f"{stem}-{get_random_string(8, string.ascii_lowercase + string.digits)}"
