"""Tables: who sits there, what was reported of the result, and reporting it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from engine.errors import DomainError
from tournaments.api.acting import ActSerializer, DoneSerializer, asked, changes_json, perform
from tournaments.api.loading import SLUG, STAGE, about, event_for, match_for, matches_for, stage_of
from tournaments.api.scores.claims import ClaimSerializer, RulingSerializer
from tournaments.api.scores.serializers import ReportSerializer, TableSerializer
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, ResultReport
from tournaments.progress.corrections.level_decisions import accept_extra, draw_level_lots, rule_level, submit_extra
from tournaments.progress.corrections.results import correct_result, play_again, preview_correction
from tournaments.scores.actions import Actor, accept_result, dispute_result, submit_result
from tournaments.scores.renewed_slips import renew_slip
from tournaments.scores.rows import enter_seen, rule_seen
from tournaments.scores.slips import read_slip, slip_token, table_code
from tournaments.scores.tables import organiser_roles, table_of, tables_of, tables_with_reports
from web.access import require, somebody
from web.api_pages import InOrder, list_response, list_serializer
from web.bodies import read_body
from web.idempotency import KEY_NEEDED, once
from web.resource import Resource

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the table's match")
SIDE = OpenApiParameter("side", OpenApiTypes.INT, OpenApiParameter.PATH, description="of the table, from 0")
ROUND = OpenApiParameter("round", OpenApiTypes.INT, description="the number of a round")
VERBS: Final = ("confirm", "dispute", "rule", "correct", "extra", "agree", "decide", "lots")
FIGURES: Final = ("totals", "victories", "deals", "winners", "absent", "yaku", "bids", "losers", "margins")
NAMED: Final = {"report.winner_needed": "winners", "report.opponent_needed": "losers"}
"""Place in a body where a side is named that a deal lacks, by the code of its refusal."""
Payload = dict[str, Any]


class Tables(Resource, ListAPIView[Match]):
    """The tables of an event."""

    pagination_class = InOrder
    serializer_class = TableSerializer
    kwargs: dict[str, Any]
    for_organisers = False

    def get_queryset(self) -> QuerySet[Match]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return Match.objects.none()
        event, person = event_for(str(self.kwargs["slug"]), self.request)
        self.for_organisers = bool(organiser_roles(event, person))
        query = self.request.query_params
        # A table is its first leg: further legs and extra deals are matches of the same table.
        rows = matches_for(person).filter(stage__tournament=event, leg=1, extra=0)
        if query.get("stage"):
            rows = rows.filter(stage=stage_of(event, query["stage"]))
        if query.get("round"):
            rows = rows.filter(round__number=int(query["round"]))
        return rows

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        rows: Sequence[Match] = args[0] if args else []
        tables = tables_with_reports(rows) if self.for_organisers else tables_of(rows)
        return super().get_serializer(tables, *args[1:], **kwargs)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "for_organisers": self.for_organisers}

    @extend_schema(operation_id="tables_list", parameters=[SLUG, STAGE, ROUND])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the tables in the order they were drawn; of duplicate legs the first."""
        return super().get(request, *args, **kwargs)


class OneTable(Resource):
    """One table."""

    @extend_schema(operation_id="tables_retrieve", parameters=[UUID_OF], responses=TableSerializer)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Get one table."""
        match, person = match_for(uuid, request)
        context = {"for_organisers": bool(organiser_roles(match.stage.tournament, person))}
        return Response(TableSerializer(table_of(match), context=context).data)


class TableAgain(Resource):
    """Playing a table again."""

    @extend_schema(operation_id="tables_again", parameters=[UUID_OF], request=ActSerializer, responses=DoneSerializer)
    def post(self, request: Request, uuid: UUID) -> Response:
        """Cancel a table at which others belong by now, and all that it fed (`reason`). Scope: report:write."""
        match, by = _to_rule(uuid, request)
        payload = asked(request.data)
        event = match.stage.tournament
        return perform(
            event, lambda: play_again(match=match, by=by, reason=payload["reason"]), dry_run=payload["dry_run"]
        )


class SlipSerializer(serializers.Serializer[Any]):
    """Keys that open a table to one of its sides. address: as the slip shows it; letters: to be typed."""

    address = serializers.CharField()
    letters = serializers.CharField(allow_blank=True)


class SlipRenew(Resource):
    """Renewal of a slip that fell into the wrong hands."""

    @extend_schema(operation_id="slips_renew", parameters=[UUID_OF, SIDE], request=None, responses=SlipSerializer)
    def post(self, request: Request, uuid: UUID, side: int) -> Response:
        """Make a new slip for one side of a table; the old one opens nothing any more. Scope: report:write."""
        match, by = _to_rule(uuid, request)
        renewal = renew_slip(match=match, side=side, by=by).pk
        path = reverse("slip", args=[slip_token(match, side, renewal)])
        slip = {"address": request.build_absolute_uri(path), "letters": table_code(match, side, renewal)}
        return Response(SlipSerializer(slip).data, headers={"Cache-Control": "no-store"})


class Reports(Resource):
    """Reports of a table's result."""

    @extend_schema(operation_id="reports_list", parameters=[UUID_OF], responses=list_serializer(ReportSerializer))
    def get(self, request: Request, uuid: UUID) -> Response:
        """List every version, newest first: for anyone who runs the event; others see what counts."""
        match, person = match_for(uuid, request)
        rows = ResultReport.objects.filter(match=match).select_related("by").order_by("-version")
        if not organiser_roles(match.stage.tournament, person):
            # What sides said and withdrew is between them and the organisers.
            rows = rows.filter(state=ResultReport.State.CONFIRMED)
        return list_response(ReportSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="reports_create",
        parameters=[UUID_OF, KEY_NEEDED],
        request=ClaimSerializer,
        responses={201: ReportSerializer},
    )
    def post(self, request: Request, uuid: UUID) -> Response:
        """Report a result: of a scorer it counts at once, with a slip the other side confirms. Scope: report:write.

        A scorer overrules a report of a side only with the `seen` of the table as it is now: else 409 `row.changed`.
        """
        wanted = ClaimSerializer(data=request.data)
        match, actor, who = _hand(uuid, request)
        wanted.is_valid(raise_exception=True)
        payload = wanted.validated_data
        return once(request, who, lambda: _answer(submit(match, actor, payload), status=201))


def submit(match: Match, actor: Actor, payload: Payload) -> ResultReport:
    """Submit the report; a refusal points into what was sent."""
    claim, by = claim_from(payload), actor.user
    if by is not None:
        return _pointed(payload, lambda: enter_seen(match=match, by=by, claim=claim, seen=payload["seen"]))
    return _pointed(payload, lambda: submit_result(match=match, actor=actor, claim=claim))


def claim_from(payload: Payload) -> Claim:
    """Return the figures of a body."""
    victories = payload.get("victories")
    return Claim(
        deals=tuple(tuple(deal) for deal in payload.get("deals", ())),
        winners=tuple(payload.get("winners", ())),
        totals=tuple(payload.get("totals", ())),
        victories=tuple(victories) if victories is not None else None,
        absent=tuple(payload.get("absent", ())),
        # Each yaku once, in the order sent: to name one twice is no second one.
        yaku=tuple(tuple(tuple(dict.fromkeys(side)) for side in deal) for deal in payload.get("yaku", ())),
        bids=tuple(tuple(deal) for deal in payload.get("bids", ())),
        losers=tuple(payload.get("losers", ())),
        margins=tuple(payload.get("margins", ())),
    )


def _pointed(payload: Payload, do: Callable[[], ResultReport]) -> ResultReport:
    try:
        return do()
    except DomainError as error:
        error.extra.setdefault("pointer", _pointer(payload, error))
        raise


def _pointer(payload: Payload, error: DomainError) -> str:
    """Return the JSON pointer to the figure to blame; sides and deals are counted from 1 in errors."""
    # Services count sides and deals from 1, as people do; a body counts from 0.
    if error.code == "report.no_version":
        return "/version"
    side, deal = error.extra.get("side"), error.extra.get("deal")
    if error.code == "report.victories_impossible":
        return f"/victories/{int(str(side)) - 1}" if side else "/victories"
    if error.code in NAMED and deal:
        return f"/{NAMED[error.code]}/{int(str(deal)) - 1}"
    yaku = "/yaku" if error.code == "report.yaku_impossible" else ""
    here = yaku or ("/bids" if payload.get("bids") else "/deals" if payload.get("deals") else "/totals")
    here += f"/{int(str(deal)) - 1}" if deal and here != "/totals" else ""
    return f"{here}/{int(str(side)) - 1}" if side else here


def _hand(uuid: UUID, request: Request) -> tuple[Match, Actor, str]:
    """Return the match, the actor, and the owner of its Idempotency-Keys. A slip opens its table to anybody who holds
    it.
    """
    data = request.data if isinstance(request.data, dict) else {}
    slip = data.get("slip")
    if isinstance(slip, str):
        match, side = read_slip(slip)
        # A slip of another table is a 404, as if there were no such table.
        if match.uuid != uuid:
            raise Http404(str(uuid))
        # By the slip's hash: the key's row must not hold what opens the table.
        return match, Actor(side=side), f"slip:{hashlib.sha256(slip.encode()).hexdigest()[:32]}"
    match, by = _to_rule(uuid, request)
    return match, Actor(user=by), f"user:{by.pk}"


def _to_rule(uuid: UUID, request: Request) -> tuple[Match, User]:
    if somebody(request) is None:
        require(request)
    match, _person = match_for(uuid, request)
    return match, require(request, "report:write", of=about(match.stage.tournament))


def _answer(report: ResultReport, *, status: int = 200) -> Response:
    row = ResultReport.objects.select_related("by").get(pk=report.pk)
    return Response(ReportSerializer(row).data, status=status)


class ReportAct(Resource):
    """Acts on a report."""

    @extend_schema(
        operation_id="reports_act",
        parameters=[UUID_OF, OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS))],
        request=RulingSerializer,
        responses=ReportSerializer,
    )
    def post(self, request: Request, uuid: UUID, verb: str) -> Response:
        """Confirm or dispute (the other side or a scorer), rule or correct with a reason (arbiters). Scope:
        report:write.

        confirm takes the `version` that was seen: if another one waits by now, it is refused (409).
        Of a knock-out match that ended level: extra (the figures of an extra deal), agree (with one that was reported):
        a side or a scorer; decide (`sides` that go on, reason), lots: arbiters.
        rule and correct take a `version` or figures. correct with dry_run answers what would follow and `seen`, which
        the act needs.
        """
        if verb not in VERBS:
            raise Http404(verb)
        # Before the body is checked: a stranger learns nothing about what it lacks.
        match, actor, _who = _hand(uuid, request)
        payload = read_body(RulingSerializer, request)
        if verb == "confirm":
            return _answer(accept_result(match=match, actor=actor, version=payload.get("version")))
        if verb == "dispute":
            return _answer(dispute_result(match=match, actor=actor))
        if verb == "extra":
            return _answer(_pointed(payload, lambda: submit_extra(match=match, actor=actor, claim=claim_from(payload))))
        if verb == "agree":
            return _answer(accept_extra(match=match, actor=actor, version=payload.get("version")))
        if actor.user is None:
            # A slip is no arbiter: with a token this says what is missing, without one it is a 401.
            require(request, "report:write", of=about(match.stage.tournament))
            raise Http404(verb)
        return RULINGS[verb](match, actor.user, payload)


def _chosen(payload: Payload) -> tuple[Claim | None, int | None]:
    """Return a version of the report, or figures."""
    has_figures = any(name in payload for name in FIGURES)
    return (claim_from(payload) if has_figures else None), payload.get("version")


def _rule(match: Match, by: User, payload: Payload) -> Response:
    claim, version = _chosen(payload)
    rule = {"match": match, "by": by, "claim": claim, "version": version, "reason": payload["reason"]}
    return _answer(_pointed(payload, lambda: rule_seen(**rule, seen=payload["seen"])))


def _correct(match: Match, by: User, payload: Payload) -> Response:
    claim, version = _chosen(payload)
    about_it: dict[str, Any] = {"match": match, "by": by, "claim": claim, "version": version, "then": payload["then"]}
    if payload["dry_run"]:
        return Response(_followed(about_it))
    report = _pointed(payload, lambda: correct_result(reason=payload["reason"], seen=payload["seen"], **about_it))
    return _answer(report)


def _decide(match: Match, by: User, payload: Payload) -> Response:
    return _answer(rule_level(match=match, by=by, sides=payload.get("sides", ()), reason=payload["reason"]))


def _lots(match: Match, by: User, payload: Payload) -> Response:
    return _answer(draw_level_lots(match=match, by=by, reason=payload["reason"]))


RULINGS: Final = {"rule": _rule, "correct": _correct, "decide": _decide, "lots": _lots}
"""Acts of arbiters, by verb."""


def _followed(about_it: dict[str, Any]) -> dict[str, Any]:
    """Return what would follow from a correction."""
    found = preview_correction(**about_it)
    return {"dry_run": True, "seen": found.hash, "then": found.then, "changes": changes_json(found.changes)}
