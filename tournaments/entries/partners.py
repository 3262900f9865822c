"""Partners by lot: committed to before, drawn once, drawn again or undone with a reason. Organisers do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats.partners import Partners, Person, Rule
from core.formats.partners import draw_partners as by_lot
from tournaments.domain_events.entries import PartnersDrawn, PartnersUndone
from tournaments.entries.birth_years import years_of
from tournaments.entries.people import BEFORE
from tournaments.entries.team_building import build, dissolve, members_of
from tournaments.entries.teams import require_teams
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.lifecycle.values import bad_value, written_reason
from tournaments.models import Entry, Member, PartnerDraw, Tournament
from tournaments.pairing.lineups import commit_to_draw
from tournaments.pairing.lineups_query import singles_of, team_size
from tournaments.progress.derive import fold_event
from tournaments.undo.recorder import undoable

E = Entry.State
# Those among whom partners are drawn: people who are checked in, or everybody who is entered.
WHO: Final[dict[str, tuple[str, ...]]] = {"here": (E.ACTIVE,), "all": (E.ENTERED, E.ACTIVE)}


@undoable("draw_partners", never=True)
def draw_partners(
    *,
    tournament: Tournament,
    by: User,
    seen: int,
    rule: str = Rule.LOTS,
    who: str = "here",
    redraw: bool = False,
    reason: str = "",
) -> PartnerDraw:
    """Draw partners for everybody who has none, by the seed that was committed to. Its seed is public from then on.

    seen: the number of the draw whose commitment was shown. redraw: the teams of the last draw are drawn again, too,
    and everybody reads why. Raises TournamentError "tournament.not_organiser", "team.not_here", "partners.started",
    "partners.already_drawn" (a double click: nothing is drawn twice), "partners.bad_rule", "partners.bad_who",
    "partners.nothing_drawn" (to be drawn again), "partners.reason_*", and FormatError "partners.too_few".
    """
    for name, value, allowed in (("rule", rule, tuple(Rule)), ("who", who, tuple(WHO))):
        if value not in allowed:
            raise TournamentError(str(bad_value(name, value, allowed)), code=f"partners.bad_{name}")
    reason = written_reason(reason, kind="partners") if redraw else ""
    with transaction.atomic():
        event = _opened(tournament, by, "draw_partners")
        if redraw:
            _take_back(_last_standing(event), by, reason)
        draw = event.partner_draws.filter(drawn_at=None).first()
        if draw is None or draw.number != seen:
            message = _("This draw is already made: look at the teams. Another draw has its own commitment.")
            raise TournamentError(message, code="partners.already_drawn", extra={"number": seen})
        # By UUID: the lots depend on the people and the seed alone, so everybody can draw them again.
        people = list(singles_of(event, WHO[who]).select_related("player").order_by("uuid"))
        _write(draw, people, Rule(rule), by)
        _record(draw, PartnersDrawn, by, reason)
    fold_event(event)
    return draw


def _opened(tournament: Tournament, by: User, verb: str) -> Tournament:
    """Lock the event and return it, if partners may still change."""
    event = Tournament.objects.select_for_update().get(pk=tournament.pk)
    may(event, by, ORGANISERS, verb)
    require_teams(event)
    if event.state not in BEFORE:
        message = _(
            "The event is running, so partners stay as they are. Name a substitute for a person who is missing."
        )
        raise TournamentError(message, code="partners.started")
    return event


def _write(draw: PartnerDraw, people: Sequence[Entry], rule: Rule, by: User) -> Partners:
    """Write the teams of the draw, in the order of the lots, and commit to the next draw."""
    event = draw.tournament
    years = years_of(people) if event.age_gap else {}
    listed = [Person(str(person.uuid), person.player.club, years.get(person.pk)) for person in people]
    drawn = by_lot(listed, team_size(event), bytes(draw.secret), rule, event.age_gap)
    known = {str(person.uuid): person for person in people}
    draw.rule, draw.size, draw.drawn_at, draw.drawn_by = rule, team_size(event), timezone.now(), by
    draw.listed = [
        {"entry": str(each.uuid), "name": each.player.name, "club": each.player.club, "state": each.state}
        for each in people
    ]
    draw.teams, draw.left = [list(team) for team in drawn.teams], list(drawn.left)
    draw.age_gap, draw.too_close = event.age_gap, drawn.too_close
    draw.save()
    for team in drawn.teams:
        build(event, [known[entry] for entry in team], by)
    # In this transaction: from the moment a draw is public there is a commitment to the next one.
    commit_to_draw(event)
    return drawn


@undoable("undo_partners", never=True)
def undo_partner_draw(*, tournament: Tournament, by: User, number: int, reason: str) -> PartnerDraw:
    """Take the last draw back: its teams are single people again. Teams that were changed since stay.

    Doing it twice changes nothing. Raises TournamentError "tournament.not_organiser", "team.not_here",
    "partners.started", "partners.nothing_drawn", "partners.not_last", "partners.reason_*".
    """
    with transaction.atomic():
        event = _opened(tournament, by, "undo_partners")
        reason = written_reason(reason, kind="partners")
        done = event.partner_draws.filter(number=number).exclude(undone_at=None).first()
        if done is not None:
            return done
        draw = _last_standing(event)
        if draw.number != number:
            message = _("You can only undo the last draw. Reload the page to see which one that is.")
            raise TournamentError(message, code="partners.not_last")
        _take_back(draw, by, reason)
        _record(draw, PartnersUndone, by, reason)
    fold_event(event)
    return draw


def _last_standing(event: Tournament) -> PartnerDraw:
    """Return the last draw that was made and not undone. Raises TournamentError "partners.nothing_drawn"."""
    draw = event.partner_draws.exclude(drawn_at=None).filter(undone_at=None).order_by("-number").first()
    if draw is None:
        message = _("There is no draw to undo or repeat.")
        raise TournamentError(message, code="partners.nothing_drawn")
    return draw


def _take_back(draw: PartnerDraw, by: User, reason: str) -> None:
    """Dissolve its teams: their people are what they were before, or here if their team is by now."""
    before = {item["entry"]: item["state"] for item in draw.listed}
    people: list[Entry] = []
    for team in standing_teams(draw):
        is_here = team.state == E.ACTIVE
        people += dissolve(team)
        for person in people[-draw.size :]:
            person.state = E.ACTIVE if is_here else before[str(person.uuid)]
    Entry.objects.bulk_update(people, ["state"])
    draw.undone_at, draw.undone_by, draw.reason = timezone.now(), by, reason
    draw.save(update_fields=["undone_at", "undone_by", "reason"])


def standing_teams(draw: PartnerDraw) -> list[Entry]:
    """Return the draw's teams that are still as they were drawn, and have not left."""
    captains = [team[0] for team in draw.teams]
    rows = Member.objects.filter(person__uuid__in=captains, until_round=None, team__tournament=draw.tournament_id)
    found = []
    for member in rows.filter(team__state__in=(E.ENTERED, E.ACTIVE)).select_related("team__player", "person"):
        people = [str(each.person.uuid) for each in members_of(member.team)]
        if people in draw.teams:
            found.append(member.team)
    return found


def _record(draw: PartnerDraw, verb: type[DomainEvent], by: User, reason: str) -> None:
    event = draw.tournament
    names = {item["entry"]: item["name"] for item in draw.listed}
    after = {
        "number": draw.number,
        "teams": len(draw.teams),
        "left": [names[entry] for entry in draw.left],
        "seed": bytes(draw.secret).hex(),
        "reason": reason,
    }
    audit(verb, label(event), actor=by, channel=event.channel, after=after)
    publish(verb.of(event.channel, after))
