"""Registration of people: the form, the organiser's list and acts, one's own registration."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.loading import SLUG, about, event_for, event_to_change
from tournaments.api.registration.serializers import (
    NewRegistrationSerializer,
    OwnRegistrationSerializer,
    RegistrationActSerializer,
    RegistrationFormSerializer,
    RegistrationsDoneSerializer,
    RegistrationSerializer,
    shown_line,
)
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import Registration, Tournament
from tournaments.registration.decide import approve_registrations, note_payment, reject_registrations
from tournaments.registration.own import edit_registration, renew_link, return_to, withdraw_registration
from tournaments.registration.queries import chosen_of, line_of, own_registration, registrations_of
from tournaments.registration.register import Details, Sender, register
from tournaments.registration.set_up import Asked, has_opened, questions_of, set_up_registration, settings_of
from web.access import require
from web.api_pages import PAGED, in_pages, list_serializer
from web.bodies import read_body
from web.resource import Resource
from web.throttles import where_from

VERBS: Final = ("approve", "refuse", "paid", "unpaid", "renew")
MAX_RENEWED: Final = 50
NOT_STORED: Final = {"Cache-Control": "no-store"}


def _form(event: Tournament) -> dict[str, Any]:
    chosen = settings_of(event)
    columns = ("is_on", "opens_at", "needs_approval", "consent", "payment_url")
    values = {name: getattr(chosen, name) for name in columns}
    shown = SimpleNamespace(
        **values, is_open=has_opened(chosen, event), asks_birth_year=bool(event.age_gap), questions=questions_of(event)
    )
    return dict(RegistrationFormSerializer(shown).data)


class RegistrationForm(Resource):
    """The registration form of an event."""

    @extend_schema(operation_id="registration_form", parameters=[SLUG], responses=RegistrationFormSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get the form that people fill in."""
        event, _person = event_for(slug, request)
        if not event.is_of_people:
            raise Http404(slug)
        return Response(_form(event))

    @extend_schema(
        operation_id="registration_form_update",
        parameters=[SLUG],
        request=RegistrationFormSerializer(partial=True),
        responses=RegistrationFormSerializer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the form. Questions are replaced as a whole. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(RegistrationFormSerializer, request, partial=True)
        questions = payload.pop("questions", None)
        set_up_registration(
            tournament=event,
            by=by,
            changes=payload,
            questions=None if questions is None else [_asked(each) for each in questions],
        )
        return Response(_form(event))


def _asked(read: dict[str, Any]) -> Asked:
    return Asked(
        words=read["words"],
        kind=read.get("kind", "text"),
        choices=tuple(read.get("choices", ())),
        is_required=read.get("is_required", False),
        uuid=str(read.get("uuid") or ""),
    )


def _organised(slug: str, request: Request) -> tuple[Tournament, User]:
    """Return the event and its organiser; 404 for others. Addresses and answers are nobody else's business."""
    event, by = event_to_change(slug, request, "event:write")
    if not roles_of(event, by) & ORGANISERS:
        raise Http404(slug)
    return event, by


class Registrations(Resource):
    """Everybody who registered."""

    @extend_schema(
        operation_id="registrations_list", parameters=[SLUG, *PAGED], responses=list_serializer(RegistrationSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the registrations with addresses and answers, first come first. For organisers. Scope: event:write."""
        event, _by = _organised(slug, request)
        found = registrations_of(event)

        def show(rows: Any) -> Any:
            return RegistrationSerializer([shown_line(each, found.questions) for each in rows], many=True).data

        answer = in_pages(request, found.lines, show)
        answer.headers["Cache-Control"] = "no-store"
        return answer


class RegistrationsAct(Resource):
    """Acts on registrations."""

    @extend_schema(
        operation_id="registrations_act",
        parameters=[
            SLUG,
            OpenApiParameter(
                "verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="what is done"
            ),
        ],
        request=RegistrationActSerializer,
        responses=RegistrationsDoneSerializer,
    )
    def post(self, request: Request, slug: str, verb: str) -> Response:
        """Approve or refuse registrations, note who has paid, or mail new links. Organisers. Scope: event:write."""
        if verb not in VERBS:
            raise Http404(verb)
        event, by = _organised(slug, request)
        payload = read_body(RegistrationActSerializer, request)
        chosen = chosen_of(event, [str(each) for each in payload["registrations"]])
        if verb == "approve":
            n = approve_registrations(tournament=event, by=by, wanted=chosen)
        elif verb == "refuse":
            n = reject_registrations(tournament=event, by=by, wanted=chosen, reason=payload["reason"])
        elif verb == "renew":
            n = sum(bool(renew_link(registration=each, by=by)) for each in chosen[:MAX_RENEWED])
        else:
            n = note_payment(tournament=event, by=by, wanted=chosen, paid=verb == "paid")
        return Response({"changed": n})


class OwnRegistration(Resource):
    """One's own registration."""

    @extend_schema(operation_id="own_registration", parameters=[SLUG], responses=OwnRegistrationSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get your own registration; 404 without one. Scope: event:write."""
        event, person = own_event(slug, request)
        return _shown(event, registered(event, person))

    @extend_schema(
        operation_id="own_registration_create",
        parameters=[SLUG],
        request=NewRegistrationSerializer,
        responses={200: OwnRegistrationSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Register yourself, or once more after having withdrawn; twice is once. Scope: event:write."""
        event, person = own_event(slug, request)
        details = details_from(read_body(NewRegistrationSerializer, request))
        row = register(tournament=event, person=person, details=details, sender=Sender(where_from(request)))
        if row.state == Registration.State.WITHDRAWN:
            row = return_to(registration=row)
        return _shown(event, row)

    @extend_schema(
        operation_id="own_registration_update",
        parameters=[SLUG],
        request=NewRegistrationSerializer,
        responses=OwnRegistrationSerializer,
    )
    def put(self, request: Request, slug: str) -> Response:
        """Change what you wrote: name, club and answers. Scope: event:write."""
        event, person = own_event(slug, request)
        details = details_from(read_body(NewRegistrationSerializer, request))
        row = edit_registration(registration=registered(event, person), details=details)
        return _shown(event, row)

    @extend_schema(operation_id="own_registration_delete", parameters=[SLUG], responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Withdraw; somebody who waits gets the place. Scope: event:write."""
        event, person = own_event(slug, request)
        withdraw_registration(registration=registered(event, person))
        return Response(status=204)


def own_event(slug: str, request: Request) -> tuple[Tournament, User]:
    """Return an event of people and the person who asks."""
    event, _person = event_for(slug, request)
    if not event.is_of_people:
        raise Http404(slug)
    return event, require(request, "event:write", of=about(event))


def registered(event: Tournament, person: User) -> Registration:
    """Return a person's own registration, or 404."""
    found = own_registration(event, person)
    if found is None:
        raise Http404("registration")
    return found


def details_from(payload: Mapping[str, Any]) -> Details:
    """Return what somebody wrote about themselves, as `NewRegistrationSerializer` read it."""
    answers = {str(each["question"]): each["value"] for each in payload["answers"]}
    return Details(
        name=payload["name"],
        club=payload["club"],
        answers=answers,
        agrees=payload["agrees"],
        born=payload["birth_year"],
    )


def _shown(event: Tournament, row: Registration) -> Response:
    questions = questions_of(event)
    line = line_of(row, questions)
    return Response(OwnRegistrationSerializer(shown_line(line, questions)).data, headers=NOT_STORED)
