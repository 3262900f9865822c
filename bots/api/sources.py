"""Sources of versions: download, publication under a licence and its way back, forks."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.api.bots import SLUG, own_bot
from bots.api.serializers import ForkSerializer, LicenceSerializer, VersionDetailSerializer
from bots.api.versions import N, about, version_response
from bots.models import Bot, BotVersion
from bots.selectors import version_of
from bots.selectors.owned import may_see_inside
from bots.selectors.published import may_read_source, source_of
from bots.services import fork_version, publish_source, withdraw_source
from bots.services.licensing import with_licence
from bots.uploads import zip_files
from web.access import reader, require
from web.bodies import read_body
from web.idempotency import OPTIONAL_KEY, once_if_keyed
from web.resource import Resource

FILE = OpenApiResponse(OpenApiTypes.BINARY, description="the files as a .zip")


class VersionSource(Resource):
    """The files of a version."""

    @extend_schema(operation_id="versions_source", parameters=[SLUG, N], responses={(200, "application/zip"): FILE})
    def get(self, request: Request, slug: str, n: int) -> HttpResponse:
        """The files as a .zip. Of a published version for everybody, with the licence; else its owner. Scope: bot:logs.

        The owner gets them byte for byte as they were sent.
        """
        version = _of_address(slug, n)
        # An owner's token without the scope reads what everybody may.
        person = reader(request, of=about(version.bot), scopes=("bot:logs",)) if version is not None else None
        # To a stranger a private source answers as before there was any publication: 401 without a name, else 404.
        if version is None or not may_read_source(version, person):
            _bot, person = own_bot(slug, request, "bot:logs")
            version = _of_address(slug, n, person)
        files = source_of(version, person) if version is not None else None
        if version is None or files is None:
            raise Http404(slug)
        if not may_see_inside(version.bot, person):
            address = f"{settings.SITE_URL}{reverse('bot-version', args=[slug, n])}"
            files = with_licence(version, files, address)
        response = HttpResponse(zip_files(files), content_type="application/zip")
        response.headers["Content-Disposition"] = f'attachment; filename="{slug}-v{n}.zip"'
        response.headers["Cache-Control"] = "private, no-store"
        return response


class VersionPublish(Resource):
    """Publication of a source."""

    @extend_schema(
        operation_id="versions_publish",
        parameters=[SLUG, N],
        request=LicenceSerializer,
        responses=VersionDetailSerializer,
    )
    def post(self, request: Request, slug: str, n: int) -> Response:
        """Let everybody read, download and fork the files of a version under a licence. Scope: bot:write.

        It can be undone by `:unpublish`; copies and forks that were made meanwhile stay, under that licence.
        """
        version, by = _own_version(request, slug, n)
        payload = read_body(LicenceSerializer, request)
        publish_source(version=version, by=by, licence=payload["licence"])
        return version_response(version, request, by)


class VersionUnpublish(Resource):
    """The end of a publication."""

    @extend_schema(
        operation_id="versions_unpublish", parameters=[SLUG, N], request=None, responses=VersionDetailSerializer
    )
    def post(self, request: Request, slug: str, n: int) -> Response:
        """Stop showing the files of a version to others. One that is not public stays as it is. Scope: bot:write."""
        version, by = _own_version(request, slug, n)
        withdraw_source(version=version, by=by)
        return version_response(version, request, by)


class VersionFork(Resource):
    """A bot that begins with the files of a published version."""

    @extend_schema(
        operation_id="versions_fork",
        parameters=[SLUG, N, OPTIONAL_KEY],
        request=ForkSerializer,
        responses={201: VersionDetailSerializer},
    )
    def post(self, request: Request, slug: str, n: int) -> Response:
        """Make a bot of your own whose first version has these files; its check is queued. Scope: bot:write."""
        by = require(request, "bot:write")
        version = version_of(slug, n, by) if n < 2**31 else None
        if version is None:
            raise Http404(slug)
        payload = read_body(ForkSerializer, request)
        return once_if_keyed(request, f"user:{by.pk}", lambda: self._fork(request, version, by, payload["name"]))

    def _fork(self, request: Request, version: BotVersion, by: User, name: str) -> Response:
        made = fork_version(version=version, by=by, name=name)
        answer = version_response(made, request, by, status=201)
        answer.headers["Location"] = reverse("api-version", args=[made.bot.slug, made.n])
        return answer


def _of_address(slug: str, n: int, person: User | None = None) -> BotVersion | None:
    """Return the version of an address as a person, or a stranger, may know of it."""
    return version_of(slug, n, person) if n < 2**31 and Bot.objects.filter(slug=slug).exists() else None


def _own_version(request: Request, slug: str, n: int) -> tuple[BotVersion, User]:
    _bot, by = own_bot(slug, request, "bot:write")
    version = version_of(slug, n, by) if n < 2**31 else None
    if version is None:
        raise Http404(slug)
    return version, by
