"""A whole event as JSON, `hanafuda-tournament/1`: its shape, once, for reading, for writing and for the JSON Schema.

Everything an event's readers may know, so that anyone who has the file can check every deck, play every match again and
fold every table. Never in it: sources and logs of bots, secrets before their time, how the service ran a match.
Ids are the event's own, also in a file exported from an imported copy. The same event is always the same bytes.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from core.interchange.documents.parts import Body as Body
from core.interchange.documents.parts import (
    Count,
    Exact,
    ExactOrNone,
    Hash,
    HashOrNone,
    Hex,
    Json,
    Key,
    Line,
    Moment,
    Name,
    Part,
    Person,
    Slug,
    Small,
    Whole,
    Word,
)
from core.interchange.documents.parts import DealSet as DealSet
from core.interchange.documents.parts import EarlierSecret as EarlierSecret
from core.interchange.documents.teams import Member, PartnerDraw

FORMAT: Final = "hanafuda-tournament/1"
MAX_ROWS: Final = 200_000


class Player(Part):
    """A player. owner: of a bot, as shown to others; bot: its address where it comes from."""

    kind: Literal["human", "bot"]
    name: Name
    club: Name
    owner: Person
    bot: Slug


class Version(Part):
    """A bot's version: its number and the hash of its files."""

    n: Count
    hash: Hex


class Entry(Part, omit_defaults=True):
    """An entry, which is ranked. player: place in `players`, from 0. nonce: the text mixed into the decks, once public.

    copy: where one bot sits several times at a table, which of its seats this is.
    """

    uuid: UUID
    player: Small
    version: Version | None
    seed: Count | None
    state: Literal["waitlisted", "entered", "active", "withdrawn", "disqualified", "partnered"]
    nonce: Annotated[str, Meta(max_length=64)]
    entered_by: Person
    created_at: Moment
    copy: Small = 0


class Adjustment(Part, omit_defaults=True):
    """Units given or taken. id: the name under which tables are folded with it. counts_in: "": what ranks first."""

    id: Key
    round: Small | None
    units: Exact
    reason: Line
    by: Person
    revoked_by: Person | None
    created_at: Moment
    counts_in: Literal["", "decider"] = ""


class Came(Part):
    """The way of an entry from an earlier stage. way: place in `ways`, from 0; place: there."""

    way: Small
    place: Count


class StageEntry(Part, omit_defaults=True):
    """An entry in a stage. id: as of an adjustment, for what it carries in. group: its number, where there are several.

    carry_in, carry_also: units of the figure that ranks first, and of the others. strength: its rating when it joined,
    where the stage looks at it.
    """

    id: Key
    entry: UUID
    seed: Count
    group: Small | None
    came: Came | None
    by_lots: bool
    carry_in: Exact
    carry_also: dict[Literal["points", "victories", "place"], Exact]
    joined_round: Small
    left_round: Small | None
    adjustments: list[Adjustment]
    strength: ExactOrNone = ""


class Round(Part):
    """A round. plan, quality: the planner's own account.

    rng_seed: of the draw, once the stage's secret is public or the event is called off. Decks do not follow from it.
    """

    number: Small
    state: Literal["draft", "published", "playing", "complete", "locked"]
    plan: Json
    quality: Json
    rng_seed: Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]*$")]


class Feed(Part):
    """A feed: the entry that finishes at `place` of `match` sits here."""

    match: UUID
    place: Small


class Seat(Part, omit_defaults=True):
    """A seat. player: place in `players`. raw_*: before a forfeit. fault: {"code", "deal", "move"} of a forfeit.

    version: in a ladder, where no version is pinned, the one that plays. board: of a team whose members sit apart; with
    one and without a player nobody sits there.
    """

    index: Small
    side: Small
    entry: UUID | None
    feed: Feed | None
    player: Small | None
    points: Whole | None
    victories: Whole | None
    raw_points: Whole | None
    raw_victories: Whole | None
    place: Small | None
    outcome: Literal["open", "played", "forfeit"]
    fault: Json | None
    cpu_ms: Count | None
    version: Version | None = None
    board: Annotated[int, Meta(ge=1, le=7)] | None = None


class Record(Part):
    """The proof of a result: the record (docs/04), the preset's name, milliseconds of every move by deal."""

    record: Json
    preset: Word
    ms: list[list[Count | None]]


class Report(Part):
    """One claim about a result. hash: of the record, or of the body of people. body: as `Body` has it, at least."""

    version: Small
    attempt: Count | None
    source: Literal["record", "people"]
    state: Literal["submitted", "confirmed", "disputed", "rejected", "superseded"]
    body: Json
    hash: Annotated[str, Meta(max_length=80)]
    record: Record | None
    by: Person | None
    reason: Line
    created_at: Moment


class Match(Part, omit_defaults=True):
    """One sitting. round: its number. Reports: of matches that are over.

    extra: which extra deal it is of the knock-out match of its table that ended level. station: the table of the hall
    to which it was called, in a bracket that flows.
    """

    uuid: UUID
    round: Small | None
    deal_set: UUID | None
    leg: Small
    table: Small | None
    seats_n: Annotated[int, Meta(ge=2, le=7)]
    state: Literal[
        "pending",
        "ready",
        "queued",
        "claimed",
        "quarantined",
        "called",
        "playing",
        "reported",
        "disputed",
        "confirmed",
        "void",
    ]
    attempt: Count
    why: Line
    queued_at: Moment | None
    claimed_at: Moment | None
    finished_at: Moment | None
    seats: Annotated[list[Seat], Meta(max_length=7)]
    reports: Annotated[list[Report], Meta(max_length=100)]
    extra: Small = 0
    station: Small | None = None


class Row(Part):
    """A row of a table. key: the compared values, exact; explanation: what each is made of."""

    entry: UUID
    rank: Small
    row: Small
    key: list[Any]
    explanation: list[Json]


class Table(Part):
    """The standings after a round (0: now). Derived: anyone who reads the file folds them again and compares."""

    after_round: Small
    input_hash: Hex
    rows: list[Row]


class Ruleset(Part):
    """A game with every option, and their hash."""

    game: Word
    options: Json
    hash: Hash


class Group(Part):
    """A pool of a stage, with standings of its own."""

    number: Small
    label: Word


class Way(Part):
    """Places `first` to `last` of a stage get seeds of another. source, target: places in `stages`, from 0."""

    source: Small
    target: Small
    order: Small
    first: Small
    last: Small
    most: Small | None
    by: Literal["rank", "draw"]
    carry: Literal["none", "half", "full"]


class Clock(Part):
    """A bot's clock by name, and what it is made of."""

    name: Word
    figures: Json


class Stage(Part, omit_defaults=True):
    """One part of an event. secret, mix: of its decks (docs/fairness), the secret once the stage is closed.

    ends_at: of a ladder. earlier: secrets before this one; lots_seed, draw_seed: what lots, and a bracket, go on to be
    drawn from then. reason: why it was called off. edition: of the rules of standings; older files know only the first.
    lots_rounds: up to this round of a bracket lots decided who goes on from a level match; left out: in all of them.
    flows: of a bracket: each match is drawn once its sides are known. consolation: a knock-out of those who lose in the
    first round. where, site_clock: at tables of the site that the file comes from, and their clock; admits_programs:
    remote programs could be entered.
    """

    uuid: UUID
    order: Small
    name: Name
    kind: Word
    state: Literal["planned", "seeded", "active", "settling", "closed", "void"]
    ruleset: Ruleset
    preset: Word
    seats_min: Annotated[int, Meta(ge=2, le=7)]
    seats_pref: Annotated[int, Meta(ge=2, le=7)]
    seats_max: Annotated[int, Meta(ge=2, le=7)]
    rounds_planned: Small
    advance: Small
    third_place: bool
    scoring: Literal["cumulative", "round_victory", "place"]
    tie_breaks: Annotated[list[Word], Meta(max_length=40)]
    bye_policy: Annotated[str, Meta(max_length=12)]
    clock: Clock
    legs: Literal["single", "cyclic"]
    commitment: HashOrNone
    secret: Hex | None
    mix: Hex | None
    revealed_at: Moment | None
    groups_n: Small
    waits: bool
    groups: list[Group]
    entries: list[StageEntry]
    rounds: list[Round]
    deal_sets: list[DealSet]
    matches: list[Match]
    standings: list[Table]
    ends_at: Moment | None = None
    lots_seed: HashOrNone = ""
    draw_seed: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    earlier: Annotated[list[EarlierSecret], Meta(max_length=100)] = []
    reason: Line = ""
    edition: Literal[1, 2, 3] = 1
    lots_rounds: Small | None = None
    flows: bool = False
    consolation: bool = False
    where: Literal["hall", "site"] = "hall"
    site_clock: Literal["live", "days"] = "live"
    admits_programs: bool = False


class Act(Part):
    """One line of the log: who did what to what. by: empty for what happened on its own."""

    at: Moment
    by: Person
    verb: Annotated[str, Meta(max_length=60)]
    subject: Annotated[str, Meta(max_length=120)]


class Tournament(Part, omit_defaults=True):
    """The event itself. starts_at, venue: when and where people were to come; left out where nobody said."""

    uuid: UUID
    slug: Slug
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    description: Annotated[str, Meta(max_length=2000)]
    state: Literal["draft", "published", "registration", "running", "paused", "finished", "archived", "cancelled"]
    visibility: Literal["public", "unlisted", "private"]
    time_zone: Annotated[str, Meta(max_length=40)]
    min_entries: Small
    max_entries: Small
    entries_per_owner: Small
    entries_close_at: Moment | None
    policies: Json
    reason: Line
    created_by: Person
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None
    starts_at: Moment | None = None
    venue: Annotated[str, Meta(max_length=120)] = ""


class Event(Part, kw_only=True):
    """The whole document. members, draws: of teams; called_off: stages that do not count. Older files do without."""

    format: Literal["hanafuda-tournament/1"]
    tournament: Tournament
    players: Annotated[list[Player], Meta(max_length=20_000)]
    entries: Annotated[list[Entry], Meta(max_length=20_000)]
    members: Annotated[list[Member], Meta(max_length=20_000)] = []
    draws: Annotated[list[PartnerDraw], Meta(max_length=1_000)] = []
    stages: Annotated[list[Stage], Meta(max_length=50)]
    called_off: Annotated[list[Stage], Meta(max_length=50)] = []
    ways: Annotated[list[Way], Meta(max_length=200)]
    log: list[Act]


def encode(event: Event) -> bytes:
    """The bytes of an event: one line of JSON, fields in the order above, keys of free objects sorted."""
    return msgspec.json.encode(event, order="deterministic") + b"\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the format, as `docs/hanafuda-tournament-1.schema.json` holds it."""
    made = msgspec.json.schema(Event)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FORMAT}
    return {**head, "description": "A whole hanafuda event: docs/07-exchange.md says what stands where.", **made}
