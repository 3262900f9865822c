"""Idempotency-Key: a request that was sent before with the same key and the same body gets the same answer.

The key's row, the deed of the request and the answer are one transaction. A twin waits at the row's unique key until
the first has committed; after a crash in the middle there is neither row nor deed, so the next attempt does it from the
start. A refusal did nothing, so it is not kept: the key is free for another attempt.
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

from accounts.answers import RETENTION
from accounts.models import KeptAnswer
from engine.errors import DomainError
from web.problems import refusal

KEY: Final = re.compile(r"[!-~]{1,128}")
STORED_HEADERS: Final = ("Location", "ETag")
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
    # One transaction for key, deed and answer: a crash between two of them could otherwise do the deed twice.
    with transaction.atomic():
        row, is_new = _row(who, key, digest)
        if not is_new:
            return _again(row, digest)
        try:
            answer = act()
        except DomainError as refused:  # services take back what they began; what they counted stays counted
            answer = refusal(refused)
        if answer.status_code < 300:
            _store(row, answer)
        else:
            # A refusal did nothing: a corrected request may use the same key.
            row.delete()
    return answer


def once_if_keyed(request: Request, who: str, act: Callable[[], Response]) -> Response:
    """Do the same where a key was sent; without one `act` is done as often as it is asked for."""
    return once(request, who, act) if "Idempotency-Key" in request.headers else act()


def _key(request: Request) -> str:
    # The draft of the header writes the key as a quoted string; most programs send it bare. Both are one key.
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
    """Return the SHA-256 of method, address and content: of a form its fields and the bytes of its files, regardless of
    the boundary.
    """
    data: Any = request.data
    # With the query string: the same key at another address is another request.
    parts = [f"{request.method} {request.get_full_path()}", _fingerprint_value(data)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _fingerprint_value(data: Any) -> Any:
    if hasattr(data, "lists"):
        return sorted((name, [_fingerprint_value(value) for value in values]) for name, values in data.lists())
    if isinstance(data, UploadedFile):
        digest = hashlib.sha256(data.read()).hexdigest()
        # The view reads the file after us.
        data.seek(0)
        return [data.name, digest]
    return data


def _row(who: str, key: str, digest: str) -> tuple[KeptAnswer, bool]:
    """Return the key's row, and whether it is ours to fill. Waits while a twin works on it."""
    rows = KeptAnswer.objects.filter(who=who, key=key)
    # An expired key may be used again even where the sweep has not been yet.
    rows.filter(created_at__lt=timezone.now() - RETENTION).delete()
    found = rows.first()
    # The twin's row may vanish between our failed insert and our look (it was refused): then we try again.
    while found is None:
        try:
            # A savepoint: on PostgreSQL a failed insert would spoil the transaction around it.
            with transaction.atomic():
                return KeptAnswer.objects.create(who=who, key=key, request=digest), True
        except IntegrityError:
            found = rows.first()
    return found, False


def _again(row: KeptAnswer, digest: str) -> Response:
    if row.request != digest:
        message = _("This Idempotency-Key was used for another request. Use a new key for each request.")
        raise DomainError(message, code="idem.key_reused")
    # Programs can tell a repeated answer from a first one.
    headers = {**row.headers, "Idempotent-Replayed": "true"}
    return Response(json.loads(row.body), status=row.status, headers=headers)


def _store(row: KeptAnswer, answer: Response) -> None:
    row.status, row.body = answer.status_code, JSONRenderer().render(answer.data).decode()
    row.headers = {name: answer.headers[name] for name in STORED_HEADERS if name in answer.headers}
    row.save(update_fields=["status", "body", "headers"])
