"""Idempotency-Key: what was sent before with the same key and the same body is answered as it was then.

The key's row, what the request does and the answer are one transaction. A twin waits at the row's unique key until the
first has committed; after a crash in the middle there is neither row nor deed, so the next try does it afresh. A
refusal did nothing, so it is not kept: the key is free for another try.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, Final

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.answers import KEPT
from accounts.models import KeptAnswer
from engine.errors import DomainError
from web.problems import refusal

KEY: Final = re.compile(r"[!-~]{1,128}")
KEPT_HEADERS: Final = ("Location", "ETag")
_ABOUT: Final = "a text of your own; the same one when the same request is sent again"
KEY_NEEDED: Final = OpenApiParameter(
    "Idempotency-Key", OpenApiTypes.STR, OpenApiParameter.HEADER, required=True, description=_ABOUT
)
OPTIONAL_KEY: Final = OpenApiParameter(
    "Idempotency-Key", OpenApiTypes.STR, OpenApiParameter.HEADER, description=f"{_ABOUT}; without one it is done again"
)


def once(request: Request, who: str, act: Callable[[], Response]) -> Response:
    """Do `act` once for this key. who: whose key it is ("user:17").

    Raises DomainError "idem.key_missing", "idem.key_invalid", "idem.key_reused"; what `act` refuses is its answer.
    """
    key, digest = _key(request), fingerprint(request)
    with transaction.atomic():
        row, is_new = _row(who, key, digest)
        if not is_new:
            return _again(row, digest)
        try:
            answer = act()
        except DomainError as refused:  # services take back what they began; what they counted stays counted
            answer = refusal(refused)
        if answer.status_code < 300:
            _keep(row, answer)
        else:
            row.delete()
    return answer


def once_if_keyed(request: Request, who: str, act: Callable[[], Response]) -> Response:
    """The same where a key was sent; without one `act` is done as often as it is asked for."""
    return once(request, who, act) if "Idempotency-Key" in request.headers else act()


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not key:
        message = _(
            "Send a header Idempotency-Key with a text of your own (for example a UUID), and the same "
            "text when you try again."
        )
        raise DomainError(message, code="idem.key_missing")
    if not KEY.fullmatch(key):
        message = _("An Idempotency-Key has up to 128 visible ASCII characters and no spaces.")
        raise DomainError(message, code="idem.key_invalid")
    return key


def fingerprint(request: Request) -> str:
    """SHA-256 of method, address and what was sent: of a form its fields and its files' bytes, regardless of the
    boundary.
    """
    data: Any = request.data
    said = [f"{request.method} {request.get_full_path()}", _said(data)]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _said(data: Any) -> Any:
    if hasattr(data, "lists"):
        return sorted((name, [_said(value) for value in values]) for name, values in data.lists())
    if isinstance(data, UploadedFile):
        digest = hashlib.sha256(data.read()).hexdigest()
        data.seek(0)
        return [data.name, digest]
    return data


def _row(who: str, key: str, digest: str) -> tuple[KeptAnswer, bool]:
    """The key's row, and whether it is ours to fill. Waits while a twin is at it."""
    rows = KeptAnswer.objects.filter(who=who, key=key)
    rows.filter(created_at__lt=timezone.now() - KEPT).delete()
    found = rows.first()
    while found is None:
        try:
            with transaction.atomic():
                return KeptAnswer.objects.create(who=who, key=key, request=digest), True
        except IntegrityError:
            found = rows.first()
    return found, False


def _again(row: KeptAnswer, digest: str) -> Response:
    if row.request != digest:
        message = _("This Idempotency-Key was used for another request. Use a new key for each request.")
        raise DomainError(message, code="idem.key_reused")
    headers = {**row.headers, "Idempotent-Replayed": "true"}
    return Response(json.loads(row.body), status=row.status, headers=headers)


def _keep(row: KeptAnswer, answer: Response) -> None:
    row.status, row.body = answer.status_code, JSONRenderer().render(answer.data).decode()
    row.headers = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}
    row.save(update_fields=["status", "body", "headers"])
