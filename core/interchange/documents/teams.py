"""Teams in an event's document: who is in one, and the draws that made partners."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from core.interchange.documents.parts import Hash, Hex, Line, Moment, Name, Part, Person, Small


class Member(Part):
    """A person in a team, on seat `number` of its side. person: the entry they came with.

    from_*, until_*: the stage's order and the round from which, and before which, they play for it.
    """

    team: UUID
    person: UUID
    number: Small
    from_stage: Small
    from_round: Small
    until_stage: Small | None
    until_round: Small | None


class Listed(Part):
    """One of those among whom partners were drawn, as they were then."""

    entry: UUID
    name: Name
    club: Name
    state: Literal["entered", "active"]


class PartnerDraw(Part, omit_defaults=True):
    """A draw of partners. seed: what was committed to, once it is drawn; with it the teams follow from the list.

    age_gap: the years that partners were to be apart; then years of birth, which are in no file, had their part in the
    teams, and too_close pairs are nearer in age. Left out where there was no such rule.

    drawn_by, undone_by: who did; reason: why it was taken back.
    """

    number: Small
    commitment: Hash
    seed: Hex | None
    rule: Literal["lots", "clubs"]
    size: Annotated[int, Meta(ge=2, le=7)]
    listed: Annotated[list[Listed], Meta(max_length=20_000)]
    teams: list[Annotated[list[UUID], Meta(min_length=2, max_length=7)]]
    left: list[UUID]
    created_at: Moment
    drawn_at: Moment | None
    drawn_by: Person | None
    undone_at: Moment | None
    undone_by: Person | None
    reason: Line
    age_gap: Annotated[int, Meta(ge=0, le=80)] = 0
    too_close: Small = 0
