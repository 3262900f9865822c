"""Check of the teams of an event, and of its draws of partners against what was committed to."""

from __future__ import annotations

from core.formats.errors import FormatError
from core.formats.partners import Person, Rule, committed, draw_partners, follows_lots
from core.interchange.documents.event import Event
from core.interchange.documents.teams import PartnerDraw
from core.interchange.errors import refusal


def check(event: Event) -> None:
    """Check that members are entries, nobody plays for two teams at once, and every draw follows from its seed.

    Raises InterchangeError "event.reference", "event.number_twice", "event.draw".
    """
    entries = {entry.uuid for entry in event.entries}
    persons: set[object] = set()
    numbers: set[object] = set()
    for at, member in enumerate(event.members):
        where = f"members[{at}]"
        if not {member.team, member.person} <= entries or member.team == member.person or member.number < 1:
            raise refusal(
                "event.reference", "At %(where)s the file refers to something that it does not contain.", where=where
            )
        if (member.until_stage is None) != (member.until_round is None):
            raise refusal(
                "event.reference", "At %(where)s the file refers to something that it does not contain.", where=where
            )
        # A membership that has ended may overlap with nobody's present one.
        if member.until_round is not None:
            continue
        if member.person in persons or (member.team, member.number) in numbers:
            raise refusal("event.number_twice", "%(name)s appears twice in the file.", name=where, where=where)
        persons.add(member.person)
        numbers.add((member.team, member.number))
    for at, draw in enumerate(event.draws):
        _draw(draw, f"draws[{at}]")
    if len({draw.number for draw in event.draws}) < len(event.draws):
        raise refusal("event.number_twice", "%(name)s appears twice in the file.", name="draws", where="draws")
    if sum(draw.drawn_at is None for draw in event.draws) > 1:
        raise refusal("event.draw", "Two draws are open at once.", where="draws")


def _draw(draw: PartnerDraw, where: str) -> None:
    """A draw that was made shows its seed, and list and seed give these teams."""
    message = "At %(where)s the draw of partners does not follow from its seed and its list."
    if draw.drawn_at is None or draw.seed is None:
        if draw.seed is not None or draw.drawn_at is not None or draw.teams or draw.left or draw.listed:
            raise refusal("event.draw", message, where=where)
        return
    if draw.age_gap:
        _under_rule(draw, message, where)
        return
    people = [Person(str(item.entry), item.club) for item in draw.listed]
    try:
        drawn = draw_partners(people, draw.size, bytes.fromhex(draw.seed), Rule(draw.rule))
    except FormatError as wrong:
        raise refusal("event.draw", message, where=where) from wrong
    teams = [[str(entry) for entry in team] for team in draw.teams]
    is_so = [list(team) for team in drawn.teams] == teams and list(drawn.left) == [str(entry) for entry in draw.left]
    if not is_so or committed(bytes.fromhex(draw.seed)) != draw.commitment:
        raise refusal("event.draw", message, where=where)


def _under_rule(draw: PartnerDraw, message: str, where: str) -> None:
    """Check a draw in which years of birth had a part, as far as lots alone decide."""
    seed = bytes.fromhex(draw.seed or "")
    teams, left = [[str(entry) for entry in team] for team in draw.teams], [str(entry) for entry in draw.left]
    listed = sorted(str(item.entry) for item in draw.listed)
    is_whole = sorted([*(entry for team in teams for entry in team), *left]) == listed
    if not is_whole or not follows_lots(teams, left, draw.size, seed) or committed(seed) != draw.commitment:
        raise refusal("event.draw", message, where=where)
