"""The signed address by which the captain of a team gives its line-ups without an account.

The captain is the member who has been in the team longest. The address is dead once they have left it.
"""

from __future__ import annotations

from uuid import UUID

from django.core import signing
from django.utils.translation import gettext as _

from core.errors import TournamentError
from tournaments.models import Entry, Member, Tournament
from tournaments.scores.renewals import newest_of_captain, of_captain


def _signer() -> signing.Signer:
    """Make the signer when it is needed: a worker loads this module, and has no key (decision 0095)."""
    return signing.Signer(salt="hanami.captain")


def captain_token(captain: Member, renewal: int = 0) -> str:
    """Return what the captain's address carries: the team, the person, its renewal (0: none), and a signature.

    captain: with team and person.
    """
    parts = (captain.team.uuid.hex, captain.person.uuid.hex, *([str(renewal)] if renewal else []))
    return _signer().sign(".".join(parts))


def token_now(captain: Member) -> str:
    """Return the same for the address as it is now. captain: one of `captains_of`, which reads its renewal."""
    return captain_token(captain, captain.renewal)  # type: ignore[attr-defined]  # annotated


def captains_of(event: Tournament) -> dict[int, Member]:
    """Return, per team (its key), its captain, as the row that holds now, with the `renewal` of the address.

    One query.
    """
    rows = Member.objects.filter(team__tournament=event).select_related("team", "person__player").order_by("pk")
    rows = rows.annotate(renewal=newest_of_captain("team"))
    came: dict[tuple[int, int], int] = {}
    now: dict[int, list[Member]] = {}
    for member in rows:
        # By the first row of a person in the team: line-ups end rows and begin new ones for people who stay.
        came.setdefault((member.team_id, member.person_id), member.pk)
        if member.until_round is None:
            now.setdefault(member.team_id, []).append(member)
    return {team: min(own, key=lambda each: came[each.team_id, each.person_id]) for team, own in now.items()}


def read_captain(token: str, event: Tournament) -> Entry:
    """Return the team whose captain has this address. Raises TournamentError "captain.unknown"."""
    # One refusal for all cases: what is wrong with an address tells a stranger something about the team.
    refused = TournamentError(
        _("This is not the address of a captain's page any more. Ask the organiser for the line-up page of your team."),
        code="captain.unknown",
    )
    try:
        team, person, *renewal = _signer().unsign(token).split(".")
        wanted = UUID(team), UUID(person)
    except (signing.BadSignature, ValueError) as forged:
        raise refused from forged
    rows = Member.objects.filter(team__uuid=wanted[0], person__uuid=wanted[1], until_round=None)
    found = rows.filter(team__tournament=event).select_related("team__player", "team__tournament").first()
    if found is None or captains_of(event)[found.team_id].pk != found.pk:
        raise refused
    if of_captain(found.team) != int((renewal or ["0"])[0]):
        raise refused
    return found.team
