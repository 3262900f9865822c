"""The settings of an event in event files (`tournament.policies`), and the columns and rows that hold them.

A copy repeats what its file says word by word: files of other versions name settings that are no columns here, or leave
some out, and a copy's export is the file again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from tournaments.interchange.prizes_document import prizes_document, write_prizes
from tournaments.models import Announcement, Entry, PairRule, RequestedBye, Round, RoundClock, Stage, Tournament
from tournaments.models.presence import PresenceSettings
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.pairing import draw_settings
from tournaments.registration.copying import form_document

T = TypeVar("T")
Policies = Mapping[str, Any]
Moment = Annotated[datetime, Meta(tz=True)]
Natural = Annotated[int, Meta(ge=0, le=2_147_483_647)]
Minutes = Annotated[int, Meta(ge=0, le=1_000_000)]
Seconds = Annotated[float, Meta(ge=-1e8, le=1e8)]
# Years a moment may have: others cannot be added to, or be read back from a database in another time zone.
YEARS: Final = range(1900, 2200)
CHOICES: Final[Mapping[str, Collection[str]]] = {
    "who": Tournament.Who.values,
    "draws": Tournament.Draws.values,
    "partners": Tournament.Partners.values,
    "apart": Tournament.Apart.values,
}
# The settings on presence, by their columns, and what each is unless it was chosen.
PRESENCE: Final[Mapping[str, Any]] = {field.name: field.get_default() for field in PresenceSettings._meta.fields}


def _require_our_time(*moments: datetime | None) -> None:
    if any(moment is not None and moment.year not in YEARS for moment in moments):
        raise ValueError("a moment far from ours")


class ClockDocument(Struct):
    """The clock of a round."""

    began: Moment
    minutes: Minutes
    stopped_s: Seconds
    stopped: Moment | None
    by_event: bool

    def __post_init__(self) -> None:
        """Raise ValueError, which msgspec makes a ValidationError, at a moment far from ours."""
        _require_our_time(self.began, self.stopped)


class ClocksDocument(Struct):
    """Length of rounds; the clocks of rounds that were called, by "stage/round"."""

    minutes: Minutes | None = None
    rounds: dict[str, ClockDocument] = {}


class AnnouncementDocument(Struct):
    """An announcement that stands."""

    n: Natural
    text: Annotated[str, Meta(max_length=280)]
    at: Moment

    def __post_init__(self) -> None:
        """Raise ValueError, which msgspec makes a ValidationError, at a moment far from ours."""
        _require_our_time(self.at)


class AnnouncementsDocument(Struct):
    """The number of the last announcement, and those that stand."""

    last: Natural = 0
    rows: list[AnnouncementDocument] = []


class HallDocument(Struct):
    """How many tables there are, and whether they are filled as they get free."""

    tables: Annotated[int, Meta(ge=1, le=500)] | None = None
    calls: bool = False


def policies_of(event: Tournament, entries: Iterable[Entry], stages: Iterable[Stage]) -> dict[str, Any]:
    """Return the settings for a file, without those that have their default.

    At most six queries, none for requested byes, clocks, announcements and registrations that an event cannot have.
    """
    if event.is_copy:
        return dict(event.settings_as_imported)
    policies = {
        "draws": event.draws,
        "partners": event.partners,
        "apart": event.apart,
        "age_gap": event.age_gap,
        "pairs": event.separated_pairs,
        "leaders": "" if event.leaders is None else str(event.leaders),
        "rated": event.rated,
        "boards": event.boards,
        "team_score": event.team_score,
        "team_best": event.team_best,
        "board_by": event.board_by if event.board_by != Tournament.BoardBy.POINTS else "",
        "report": event.fide_report,
        "challenge": event.is_challenge,
        "official": None if event.official_deal_sets is None else {"deal_sets": event.official_deal_sets},
        "tables": {str(each.uuid): each.fixed_table for each in entries if each.fixed_table is not None},
        "seeding": {str(each.order): _seeding(each) for each in stages if each.seeding or each.seeding_ratings},
        "draw_rules": {str(each.order): found for each in stages if (found := draw_settings.settings_of(each))},
        "pair_rules": _pair_rules(event),
        "excused": _requested_byes(event),
        "presence": _presence(event),
        "registration": form_document(event),
        "round_clock": _clocks(event),
        "announcements": _announcements(event),
        "prizes": prizes_document(event),
        "hall": {"tables": event.hall_tables, "calls": event.calls_alone} if event.hall_tables else None,
    }
    return {"who": event.who, **{name: value for name, value in policies.items() if value}}


def _pair_rules(event: Tournament) -> list[dict[str, Any]]:
    """Return the rules about two entries, without reasons: a file goes to everybody who may see the event."""
    rows = PairRule.objects.filter(tournament=event).select_related("one", "other", "stage")
    return [
        {
            "kind": row.kind,
            "one": str(row.one.uuid),
            "other": str(row.other.uuid),
            "round": row.round_number,
            "stage": None if row.stage is None else row.stage.order,
        }
        for row in rows
    ]


def _seeding(stage: Stage) -> dict[str, Any]:
    return {"by": stage.seeding, "hand": stage.seeding_order, "ratings": stage.seeding_ratings}


def _presence(event: Tournament) -> dict[str, Any]:
    """Return the settings on presence that are not as they come."""
    values = {name: (getattr(event, name), default) for name, default in PRESENCE.items()}
    return {name: value for name, (value, default) in values.items() if value != default}


def _requested_byes(event: Tournament) -> dict[str, dict[str, dict[str, str]]]:
    """Return {number of a stage: {entry UUID: {round: "0", "1/2" or "1"}}}."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    if event.is_of_people:
        rows = RequestedBye.objects.filter(stage__tournament=event).select_related("stage", "entry")
        for row in rows:
            own = found.setdefault(str(row.stage.order), {}).setdefault(str(row.entry.uuid), {})
            own[str(row.round_number)] = row.worth
    return found


def _clocks(event: Tournament) -> dict[str, Any]:
    """Return {"minutes": .., "rounds": {"stage/round": ..}}. Clocks of a stage called off stay until others begin."""
    if event.round_minutes is None:
        return {}
    rows = RoundClock.objects.filter(round__stage__tournament=event).select_related("round__stage")
    # Stages that were called off come first, so that the one in their place, of the same number, has the last word.
    found = sorted(rows, key=lambda row: (row.round.stage.order < Stage.VOID_ORDER, row.round.stage.order))
    clocks = {f"{row.round.stage.number}/{row.round.number}": _clock(row) for row in found}
    return {"minutes": event.round_minutes, **({"rounds": clocks} if clocks else {})}


def _clock(row: RoundClock) -> dict[str, Any]:
    return {
        "began": row.began_at.isoformat(),
        "minutes": row.minutes,
        "stopped_s": row.stopped_s,
        "stopped": row.stopped_at.isoformat() if row.stopped_at else None,
        "by_event": row.by_event,
    }


def _announcements(event: Tournament) -> dict[str, Any]:
    """Return {"last": number of the last one, "rows": [those that stand]}."""
    if not event.announcements_made:
        return {}
    rows = event.announcements.order_by("number")
    items = [{"n": row.number, "text": row.text, "at": row.made_at.isoformat()} for row in rows]
    return {"last": event.announcements_made, "rows": items}


def columns_from(policies: Policies) -> dict[str, Any]:
    """Return the columns of an event for these settings of a file. Values that are unknown here count as missing.

    policies: as `core.interchange.documents.policies.check` lets it pass. An official ladder comes from no file.
    """
    leaders = str(policies.get("leaders", ""))
    return {
        **{name: _known(policies, name, values) for name, values in CHOICES.items()},
        "separated_pairs": [list(pair) for pair in policies.get("pairs", ())],
        "age_gap": policies.get("age_gap", 0),
        "leaders": int(leaders) if leaders in map(str, range(MAX_LEADER_ROUNDS + 1)) else None,
        "round_minutes": _read(policies, "round_clock", ClocksDocument).minutes,
        "announcements_made": _read(policies, "announcements", AnnouncementsDocument).last,
        "rated": policies.get("rated") is True,
        "fide_report": dict(policies.get("report", {})),
        "is_challenge": "challenge" in policies,
        **{name: policies.get("presence", {}).get(name, default) for name, default in PRESENCE.items()},
        "hall_tables": _read(policies, "hall", HallDocument).tables,
        "calls_alone": _read(policies, "hall", HallDocument).calls,
        **_teams(policies),
    }


def _known(policies: Policies, name: str, values: Collection[str]) -> str:
    found = policies.get(name)
    return str(found if found in values else getattr(Tournament(), name))


def _read(policies: Policies, name: str, shape: type[T]) -> T:
    """Read one of them in its shape; where it has another, as if it were missing."""
    try:
        return msgspec.convert(policies.get(name, {}), shape)
    except msgspec.ValidationError:
        return shape()


def _teams(policies: Policies) -> dict[str, Any]:
    """Return how teams whose members sit apart score; nothing where a team shares a side."""
    boards = policies.get("boards", 0)
    if not boards:
        return {}
    score = policies.get("team_score", Tournament.TeamScore.SUM)
    return {
        "boards": boards,
        "team_score": score,
        "team_best": policies.get("team_best", 0) if score == Tournament.TeamScore.BEST else 0,
        "board_by": policies.get("board_by", Tournament.BoardBy.POINTS),
    }


def stage_columns_from(policies: Policies, order: int) -> dict[str, Any]:
    """Return the seeding of a stage, and how its rounds are drawn, for these settings of a file."""
    seeding = policies.get("seeding", {}).get(str(order), {})
    by = seeding.get("by", "")
    return {
        "seeding": by if by in Stage.Seeding.values else Stage.Seeding.ENTERED,
        "seeding_order": seeding.get("hand", []),
        "seeding_ratings": seeding.get("ratings", {}),
        **policies.get("draw_rules", {}).get(str(order), {}),
    }


def fixed_tables_from(policies: Policies) -> Mapping[str, int]:
    """Return fixed tables by entry (UUID)."""
    found: Mapping[str, int] = policies.get("tables", {})
    return found


def write_rows(event: Tournament, policies: Policies, entries: Mapping[UUID, Entry], stages: Iterable[Stage]) -> None:
    """Write the rows of an event for these settings of a file. Settings of no entry and no round make no row."""
    numbered, named = {str(stage.order): stage for stage in stages}, {str(uuid): each for uuid, each in entries.items()}
    RequestedBye.objects.bulk_create(
        RequestedBye(stage=numbered[order], entry=named[entry], round_number=int(number), worth=worth)
        for order, byes in policies.get("excused", {}).items()
        for entry, rounds in byes.items()
        # "1" and "01" are one round: of two spellings the last one counts, or the unique constraint would refuse both.
        for number, worth in {str(int(number)): worth for number, worth in rounds.items()}.items()
        if order in numbered and entry in named
    )
    PairRule.objects.bulk_create(_pair_rule_rows(event, policies, named, numbered))
    write_prizes(event, policies.get("prizes", {}), named)
    rounds = {f"{row.stage.order}/{row.number}": row for row in _rounds(event)}
    clocks = _read(policies, "round_clock", ClocksDocument).rounds
    RoundClock.objects.bulk_create(
        _clock_row(rounds[key], documents) for key, documents in clocks.items() if key in rounds
    )
    documents = {row.n: row for row in _read(policies, "announcements", AnnouncementsDocument).rows}
    Announcement.objects.bulk_create(
        Announcement(tournament=event, number=row.n, text=row.text, made_at=row.at) for row in documents.values()
    )


def _pair_rule_rows(
    event: Tournament, policies: Policies, entries: Mapping[str, Entry], stages: Mapping[str, Stage]
) -> Iterable[PairRule]:
    for rule in policies.get("pair_rules", ()):
        stage = None if rule["stage"] is None else stages.get(str(rule["stage"]))
        one, other = entries.get(rule["one"]), entries.get(rule["other"])
        # A rule about somebody or a stage that the file does not have is about nothing.
        if one is None or other is None or one == other or (stage is None and rule["stage"] is not None):
            continue
        named = {"kind": rule["kind"], "one": one, "other": other, "round_number": rule["round"]}
        yield PairRule(tournament=event, stage=stage, **named)


def _rounds(event: Tournament) -> Iterable[Round]:
    return Round.objects.filter(stage__tournament=event).defer("plan", "quality").select_related("stage")


def _clock_row(row: Round, clock: ClockDocument) -> RoundClock:
    return RoundClock(
        round=row,
        began_at=clock.began,
        minutes=clock.minutes,
        stopped_s=clock.stopped_s,
        stopped_at=clock.stopped,
        by_event=clock.by_event and clock.stopped is not None,
    )
