"""Objects that an address names, for the reader: an event, its stage, a round, a table. What they may not know of is a
404.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.models import User
from tournaments.lifecycle import visibility
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, ResultReport, Round, Stage, Tournament
from web.access import Of, reader, require, somebody

SLUG = OpenApiParameter("slug", OpenApiTypes.STR, OpenApiParameter.PATH, description="the event's address")
STAGE = OpenApiParameter(
    "stage", OpenApiTypes.INT, description="the number of a stage; without it the last one that was drawn"
)
READS = ("read", "event:write", "report:write")


def about(event: Tournament) -> Of:
    """Return what a token may be bound to."""
    return ("event", event.uuid)


def event_for(slug: str, request: Request) -> tuple[Tournament, User | None]:
    """Return an event that the reader may open, and who they are here; None: a stranger. Two queries. Raises
    Http404.
    """
    found = Tournament.objects.filter(slug=slug).first()
    # A token without these scopes, or of another event, reads as a stranger: what is public stays open to it.
    person = reader(request, of=about(found), scopes=READS) if found is not None else None
    if found is None or not Tournament.objects.filter(visibility.visible_to(person), pk=found.pk).exists():
        raise Http404(slug)
    return found, person


def event_to_change(slug: str, request: Request, *scopes: str) -> tuple[Tournament, User]:
    """Return an event, and the person who acts on it. The service checks their role.

    Raises Http404 for what they may not know of, NotAuthenticated, ScopeMissing, BoundElsewhere.
    """
    # By the person, not by the token: what they may see but the token may not change is a 403 that says why.
    found = Tournament.objects.filter(visibility.visible_to(somebody(request)), slug=slug).first()
    if found is None:
        raise Http404(slug)
    return found, require(request, *scopes, of=about(found))


def event_for_organiser(slug: str, request: Request) -> tuple[Tournament, User]:
    """Return an event and a person with a role in it. Raises Http404 for everybody else."""
    found, person = event_for(slug, request)
    if person is None or not roles_of(found, person):
        raise Http404(slug)
    return found, person


def event_organised(slug: str, request: Request) -> tuple[Tournament, User]:
    """Return an event and its organiser, to read what scorers and arbiters may not. Raises Http404 for everybody
    else.
    """
    found, person = event_for_organiser(slug, request)
    if not roles_of(found, person) & ORGANISERS:
        raise Http404(slug)
    return found, person


def entry_of(event: Tournament, uuid: UUID) -> Entry:
    """Return an entry of an event, or 404."""
    found = Entry.objects.select_related("player__bot__owner", "tournament").filter(tournament=event, uuid=uuid).first()
    if found is None:
        raise Http404(str(uuid))
    return found


def stage_of(event: Tournament, wanted: str) -> Stage | None:
    """Return the stage asked for, or the last one that was drawn; 404 for one that does not exist. One query."""
    stages = list(event.stages.select_related("tournament", "ruleset").order_by("order")) if event.pk else []
    found = visibility.shown_stage(stages, wanted)
    if found is None and wanted:
        raise Http404(wanted)
    return found


def stage_numbered(event: Tournament, order: int) -> Stage:
    """Return a stage by its number, or 404."""
    found = stage_of(event, str(order))
    if found is None:
        raise Http404(str(order))
    return found


def round_numbered(event: Tournament, number: int, stage: str) -> Round:
    """Return a round of a stage, or 404."""
    rows = Round.objects.select_related("stage__tournament", "stage__ruleset").filter(stage=stage_of(event, stage))
    # The column is a smallint: a larger number would be an error of the database.
    found = rows.filter(number=number).first() if number < 2**15 else None
    if found is None:
        raise Http404(str(number))
    return found


def matches_for(person: User | None) -> QuerySet[Match]:
    """Return matches of events that a person may open, with what a document of one says."""
    rows = Match.objects.filter(visibility.visible_to(person, "stage__tournament__"))
    # Results that people reported have no record.
    kept = ResultReport.objects.filter(match=OuterRef("pk"), state=ResultReport.State.CONFIRMED, record__isnull=False)
    rows = rows.annotate(has_record=Exists(kept))
    return rows.select_related("stage__tournament", "round", "deal_set").prefetch_related(seats_named())


def match_for(uuid: UUID, request: Request) -> tuple[Match, User | None]:
    """Return a match that the reader may know of. Raises Http404."""
    row = Match.objects.select_related("stage__tournament").filter(uuid=uuid).first()
    if row is None:
        raise Http404(str(uuid))
    _event, person = event_for(row.stage.tournament.slug, request)
    return row, person
