"""Bodies that are too large are answered with 413; `config.bodies` keeps them from being read."""

import re
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.views.errors import problem, wants_json

PHOTO: Final = re.compile(r"/x/[0-9a-f-]{36}/photo/")


def most_bytes(path: str) -> int:
    """How large a body may be that is sent to this address: only a phone's photo is larger than a bot."""
    return settings.PHOTO_UPLOAD_MAX_SIZE if PHOTO.fullmatch(path) else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class RefuseOversize:
    """Answer 413 to a request that announces more than a form may hold. Stands before anything reads the body."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > most_bytes(request.path):
            if wants_json(request):
                return problem(413, "request.too_large", _("The body is larger than anything here may be"))
            return render(request, "413.html", {"is_photo": PHOTO.fullmatch(request.path)}, status=413)
        return self.get_response(request)
