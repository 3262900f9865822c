"""The source of a version, for its owner and, once it is published, for everybody: read, download, compare."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from bots.licences import LICENCES
from bots.models import BotVersion
from bots.selectors import version_of
from bots.selectors.changes import changes_between, patch_of
from bots.selectors.owned import may_see_inside
from bots.selectors.published import (
    forks_of,
    may_read_source,
    origin_of,
    publication_of,
    readable_versions,
    source_of,
)
from bots.selectors.source_files import files_of, part_of
from bots.services.licensing import with_licence
from bots.uploads import zip_files
from web.page import render_page, viewer

Files = tuple[tuple[str, bytes], ...]


@require_safe
def bot_source(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Show the files of a version, one at a time: `?file=` which, `?part=` of a long one."""
    version = readable_version(request, slug, n)
    if version is None:
        return redirect_to_login(request.get_full_path())
    files = _files(request, version)
    shown = files_of(files)
    wanted = request.GET.get("file", "") or shown[0].path
    file = next((each for each in shown if each.path == wanted), None)
    if file is None:
        raise Http404(wanted)
    number = request.GET.get("part", "")
    part = (
        part_of(file.path, dict(files)[file.path], int(number) if number.isdecimal() else 1) if file.is_shown else None
    )
    context = {**of_source(request, version), "files": shown, "file": file, "part": part}
    return render_page(request, "bots/source.html", context)


@require_safe
def bot_source_zip(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Send all files as a .zip: byte for byte as they were uploaded, and for others than the owner with the licence."""
    version = readable_version(request, slug, n)
    if version is None:
        return redirect_to_login(request.get_full_path())
    return sent(
        zip_files(packed_files(version, _files(request, version), request)), f"{slug}-v{n}.zip", "application/zip"
    )


@require_safe
def bot_source_file(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Send one file as it is: `?file=`."""
    version = readable_version(request, slug, n)
    if version is None:
        return redirect_to_login(request.get_full_path())
    wanted = request.GET.get("file", "")
    content = dict(_files(request, version)).get(wanted)
    if content is None:
        raise Http404(wanted)
    return sent(content, wanted.rsplit("/", 1)[-1], "application/octet-stream")


@require_safe
def bot_changes(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Show what changed since another version of the bot, `?since=` its number, or since what it was forked from."""
    found = _two_versions(request, slug, n)
    if isinstance(found, HttpResponse):
        return found
    version, before, choices = found
    changes = changes_between(_files(request, before), _files(request, version)) if before is not None else None
    context = {"version": version, "bot": version.bot, "before": before, "choices": choices, "changes": changes}
    return render_page(request, "bots/changes.html", context)


@require_safe
def bot_patch(request: HttpRequest, slug: str, n: int) -> HttpResponse:
    """Send the same as a patch, whole."""
    found = _two_versions(request, slug, n)
    if isinstance(found, HttpResponse):
        return found
    version, before, _choices = found
    if before is None:
        raise Http404(slug)
    names = (f"{before.bot.slug}-v{before.n}", f"{slug}-v{n}")
    patch = patch_of(_files(request, before), _files(request, version), names)
    return sent(patch.encode(), f"{names[0]}-{names[1]}.diff", "text/x-diff; charset=utf-8")


def readable_version(request: HttpRequest, slug: str, n: int) -> BotVersion | None:
    """Return a version whose files the reader may see; None for a stranger, who may be its owner once signed in.

    Raises Http404 for everybody else.
    """
    person = viewer(request)
    # The URL takes any number of digits, the column ends at 2**31.
    version = version_of(slug, n, person) if n < 2**31 else None
    if version is not None and may_read_source(version, person):
        return version
    if person is None:
        return None
    raise Http404(slug)


def packed_files(version: BotVersion, files: Files, request: HttpRequest) -> Files:
    """Return what a download of all files holds: for others than the owner a notice of the licence, too."""
    if may_see_inside(version.bot, viewer(request)):
        return files
    address = f"{settings.SITE_URL}{reverse('bot-version', args=[version.bot.slug, version.n])}"
    return with_licence(version, files, address)


def of_source(request: HttpRequest, version: BotVersion) -> dict[str, Any]:
    """Return what pages about a source show beside it: licence, origin, forks, versions to compare with."""
    publication = publication_of(version)
    forks, forks_n = forks_of(version)
    return {
        "version": version,
        "bot": version.bot,
        "publication": publication,
        "licence": LICENCES.get(publication.licence) if publication is not None else None,
        "is_owner": may_see_inside(version.bot, viewer(request)),
        "origin": origin_of(version.bot),
        "forks": forks,
        "forks_n": forks_n,
    }


def sent(content: bytes, name: str, kind: str) -> HttpResponse:
    """Return bytes of a stranger as a download."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    # On our own origin: never rendered, only saved.
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response


def _files(request: HttpRequest, version: BotVersion) -> Files:
    files = source_of(version, viewer(request))
    # Erased with its owner's account, or not for this reader.
    if not files:
        raise Http404(version.bot.slug)
    return files


def _two_versions(
    request: HttpRequest, slug: str, n: int
) -> tuple[BotVersion, BotVersion | None, list[BotVersion]] | HttpResponse:
    """Return a version, the one to compare it with (None if there is none), and all that it may be compared with."""
    person, version = viewer(request), readable_version(request, slug, n)
    if version is None:
        return redirect_to_login(request.get_full_path())
    origin = origin_of(version.bot)
    choices = [each for each in readable_versions(version.bot, person) if each.pk != version.pk]
    if origin is not None and may_read_source(origin.origin, person):
        choices.append(origin.origin)
    wanted = request.GET.get("since", "")
    if wanted:
        before = next((each for each in choices if _name(each) == wanted), None)
        if before is None:
            raise Http404(wanted)
        return version, before, choices
    older = [each for each in choices if each.bot_id != version.bot_id or each.n < version.n]
    return version, next(iter([*older, *choices]), None), choices


def _name(version: BotVersion) -> str:
    """Return what `?since=` calls a version."""
    return f"{version.bot.slug}/{version.n}"
