"""`/kit/`: the page about our packages, the index that `pip` reads, and the wheels."""

from __future__ import annotations

import hashlib
import ipaddress
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe
from packaging.utils import canonicalize_name

from packages.simple import ELSEWHERE, HTML, JSON, PLAIN, address_of, project_document, projects_document
from packages.wheels import ENGINE, KIT, PROJECTS, named, newest, of_project, wheels
from web.highlighting import highlighted
from web.page import render_page
from web.sending import is_known

YEAR_S: Final = 365 * 24 * 3600
WHEEL: Final = "application/octet-stream"


@require_safe
def kit(request: HttpRequest) -> HttpResponse:
    """Show what the packages are, how they are installed, and every file with its hash."""
    index = request.build_absolute_uri(reverse("kit-index"))
    install = f"pip install{trust_needed(request)} --index-url {index}"
    context = {
        "install": highlighted(install, "sh"),
        "new": highlighted("hanami new mybot \\\n  --preset koikoi_nintendo\ncd mybot", "sh"),
        "test": highlighted("hanami test\nhanami play", "sh"),
        "send": highlighted("hanami submit", "sh"),
        "kit": newest(KIT),
        "engine": newest(ENGINE),
        "files": [(wheel, request.build_absolute_uri(address_of(wheel))) for wheel in wheels()],
        "is_http": bool(trust_needed(request)),
        "is_building": settings.KIT_BUILDING.exists(),
    }
    return render_page(request, "packages/kit.html", context)


def trust_needed(request: HttpRequest) -> str:
    """Return the option without which `pip` passes over a site that has no https; "" where it needs none."""
    host = urlsplit(request.build_absolute_uri()).hostname or ""
    return "" if request.is_secure() or _is_this_machine(host) else f" --trusted-host {host}"


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List our projects for `pip`."""
    kind = _kind(request)
    return _document(request, projects_document([name for name in PROJECTS if of_project(name)], kind), kind)


@require_safe
def project(request: HttpRequest, name: str) -> HttpResponse:
    """List the files of a project for `pip`; another project is at the public index, and that is where we send it.

    Ours never are: a stranger might have one of that name there.
    """
    normalised = canonicalize_name(name)
    if normalised not in PROJECTS:
        return HttpResponseRedirect(f"{ELSEWHERE}{normalised}/")
    if name != normalised:
        return HttpResponseRedirect(reverse("kit-project", args=[normalised]))
    found = of_project(normalised)
    if not found:
        raise Http404(normalised)
    kind = _kind(request)
    return _document(request, project_document(normalised, found, kind), kind)


def _kind(request: HttpRequest) -> str:
    return request.get_preferred_type([PLAIN, JSON, HTML]) or PLAIN


def _document(request: HttpRequest, text: str, kind: str) -> HttpResponse:
    """Return a document of the index. It is asked for again each time, and answered with 304 while it is the same."""
    etag = f'"{hashlib.sha256(f"{kind} {text}".encode()).hexdigest()[:32]}"'
    response: HttpResponse
    if is_known(request.headers.get("If-None-Match"), etag):
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(text, content_type=f"{kind}; charset=utf-8" if kind == PLAIN else kind)
    response["ETag"] = etag
    patch_cache_control(response, public=True, no_cache=True)
    patch_vary_headers(response, ["Accept"])
    return response


@require_safe
def file(request: HttpRequest, part: str, name: str) -> HttpResponse:
    """Send a wheel, or the metadata of one: `hanafuda-0.1.0-py3-none-any.whl.metadata`."""
    wheel = named(name.removesuffix(".metadata"), part)
    if wheel is None:
        raise Http404(name)
    content = wheel.metadata if name.endswith(".metadata") else wheel.path.read_bytes()
    response = HttpResponse(content, content_type=WHEEL)
    # Its hash is in the address: what is there never changes.
    patch_cache_control(response, public=True, max_age=YEAR_S, immutable=True)
    return response
