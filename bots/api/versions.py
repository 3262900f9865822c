"""Versions of a bot: uploads, the outcome of their checks, and the acts of their owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import Max, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.api.bots import READS, SLUG, bot_named, own_bot
from bots.api.serializers import (
    NewVersionSerializer,
    ReasonSerializer,
    VersionDetailSerializer,
    VersionSerializer,
)
from bots.models import Bot, BotVersion
from bots.runner.printed import readable
from bots.selectors import check_of, version_of, versions_of
from bots.services import activate, hide, retire, retry_check, unhide, upload_version
from bots.uploads.limits import UPLOAD_BYTES
from web.access import Of, reader, require, somebody
from web.api_pages import Pages
from web.bodies import read_body
from web.idempotency import KEY_NEEDED, once
from web.resource import LimitReached, Resource

N = OpenApiParameter("n", OpenApiTypes.INT, OpenApiParameter.PATH, description="the version's number, from 1")
VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=["activate", "retire", "hide", "unhide"])
VERBS: Final[dict[str, Callable[[BotVersion, User, str], BotVersion]]] = {
    "activate": lambda version, by, _reason: activate(version=version, by=by),
    "retire": lambda version, by, _reason: retire(version=version, by=by),
    "hide": lambda version, by, reason: hide(version=version, by=by, reason=reason),
    "unhide": lambda version, by, _reason: unhide(version=version, by=by),
}
FOR_OPERATORS: Final = ("hide", "unhide")


def version_for(slug: str, n: int, request: Request, *scopes: str) -> tuple[BotVersion, User | None]:
    """Return a version that the person who asks may know of, and that person. Raises Http404, NotFound."""
    bot = Bot.objects.filter(slug=slug).first()
    person = reader(request, of=about(bot) if bot else None, scopes=scopes or READS)
    if bot is None:
        raise Http404(slug)
    return _numbered(bot, n, person), person


def _numbered(bot: Bot, n: int, person: User | None) -> BotVersion:
    """Return this version of a bot; the error for a number that is not there says which the newest is."""
    # The URL takes any number of digits; PostgreSQL's integer column ends at 2**31 and would answer with an error.
    version = version_of(bot.slug, n, person) if n < 2**31 else None
    if version is None:
        newest = versions_of(bot, person).values_list("n", flat=True).first()
        if newest is None:
            raise Http404(bot.slug)
        raise NotFound(
            _("%(bot)s has no version %(n)d that you can see; the newest is %(newest)d")
            % {"bot": bot.name, "n": n, "newest": newest}
        )
    return version


def about(bot: Bot) -> Of:
    """Return what a token may be bound to."""
    return ("bot", bot.uuid)


def version_response(version: BotVersion, request: Request, person: User | None, *, status: int = 200) -> Response:
    """The document of a version."""
    fresh = BotVersion.objects.select_related("bot", "check_run", "publication").get(pk=version.pk)
    data = VersionDetailSerializer(fresh, context={"request": request, "reader": person}).data
    return Response(data, status=status)


class Versions(Resource, ListAPIView[BotVersion]):
    """The versions of a bot, newest first; a new one."""

    serializer_class = VersionSerializer
    pagination_class = Pages
    parser_classes = (MultiPartParser,)
    uploads = True
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[BotVersion]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return BotVersion.objects.none()
        bot = bot_named(str(self.kwargs["slug"]), None)
        return versions_of(bot, reader(self.request, of=about(bot), scopes=READS)).order_by("-id")

    @extend_schema(operation_id="versions_list", parameters=[SLUG])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The versions of a bot, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="versions_create",
        parameters=[SLUG, KEY_NEEDED],
        request={"multipart/form-data": NewVersionSerializer},
        responses={200: VersionDetailSerializer, 201: VersionDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Upload a version; its check is queued at once. 200: these very bytes are a version already. Scope: bot:write.

        A source that cannot run is kept as failed, `checks` says why.
        """
        bot, by = own_bot(slug, request, "bot:write")
        payload = read_body(NewVersionSerializer, request)
        return once(request, f"user:{by.pk}", lambda: self._upload(request, bot, by, payload))

    def _upload(self, request: Request, bot: Bot, by: User, asked: dict[str, Any]) -> Response:
        # Read before the upload: known bytes give back a version numbered at most this, which is 200 and not 201.
        newest = bot.versions.aggregate(newest=Max("n"))["newest"] or 0
        file = asked["file"]
        try:
            version = upload_version(
                owner=by,
                bot=bot,
                filename=str(file.name),
                # One byte more than allowed is enough to see that a file is too large.
                data=file.read(UPLOAD_BYTES + 1),
                plays=asked.get("plays") or None,
                note=asked["note"],
                admit=lambda: self.count_upload(request),
            )
        except LimitReached as reached:
            # An answer, not an error: that would undo what the person's limit of tries has counted.
            return self.handle_exception(reached)
        answer = version_response(version, request, by, status=201 if version.n > newest else 200)
        answer.headers["Location"] = reverse("api-version", args=[bot.slug, version.n])
        return answer


class OneVersion(Resource):
    """One version with its check."""

    @extend_schema(operation_id="versions_retrieve", parameters=[SLUG, N], responses=VersionDetailSerializer)
    def get(self, request: Request, slug: str, n: int) -> Response:
        """One version; for its owner with its checks and their place in the queue."""
        version, person = version_for(slug, n, request)
        return version_response(version, request, person)


class VersionAct(Resource):
    """An act of an owner on a version."""

    @extend_schema(
        operation_id="versions_act",
        parameters=[SLUG, N, VERB],
        request=ReasonSerializer,
        responses=VersionDetailSerializer,
    )
    def post(self, request: Request, slug: str, n: int, verb: str) -> Response:
        """Activate, retire, hide or show a version. Operators hide others' with a reason. Scope: bot:write (admin)."""
        if verb not in VERBS:
            raise Http404(verb)
        by = self._actor(request, slug, verb)
        payload = read_body(ReasonSerializer, request)
        version = _numbered(bot_named(slug, None), n, by)
        return version_response(VERBS[verb](version, by, payload["reason"]), request, by)

    def _actor(self, request: Request, slug: str, verb: str) -> User:
        person = somebody(request)
        # Operators act on bots that are not theirs, for which `own_bot` would raise 404.
        if person is not None and person.is_staff and verb in FOR_OPERATORS:
            return require(request, "admin")
        return own_bot(slug, request, "bot:write")[1]


class VersionRecheck(Resource):
    """A held check gets another try."""

    @extend_schema(
        operation_id="versions_recheck", parameters=[SLUG, N], request=None, responses=VersionDetailSerializer
    )
    def post(self, request: Request, slug: str, n: int) -> Response:
        """Put a held check back into the queue. One that is not held stays as it is. Scope: bot:write."""
        own_bot(slug, request, "bot:write")
        version, _person = version_for(slug, n, request)
        by = require(request, "bot:write", of=about(version.bot))
        retry_check(check=version.check_run, by=by)
        return version_response(version, request, by)


class VersionLog(Resource):
    """The log of a version's check."""

    @extend_schema(
        operation_id="versions_log",
        parameters=[SLUG, N],
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, description="n, and log: the text")},
    )
    def get(self, request: Request, slug: str, n: int) -> Response:
        """Return what a version printed in its check, tracebacks included. Its owner alone. Scope: bot:logs."""
        _bot, by = own_bot(slug, request, "bot:logs")
        version = version_of(slug, n, by) if n < 2**31 else None
        if version is None:
            raise Http404(slug)
        _check, log = check_of(version, by)
        return Response({"n": version.n, "log": readable(log or b"")})
