"""Asking the API with a token."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from accounts.tokens import SCOPES, Bound, make_token

ALL = tuple(scope for scope in SCOPES if scope != "admin")


class Caller:
    """A program with a token. It keeps no cookies."""

    def __init__(self, user: User | None, *scopes: str, bound: Bound | None = None) -> None:
        self.client = Client(raise_request_exception=True, enforce_csrf_checks=True)
        self.key = make_token(user=user, name="test", scopes=scopes or ALL, bound=bound)[1] if user is not None else ""

    def headers(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the headers with its key."""
        return {**({"Authorization": f"Bearer {self.key}"} if self.key else {}), **(more or {})}

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, headers=self.headers(headers))

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send a request with a JSON body. Underscores of header names become dashes."""
        data = json.dumps(body if body is not None else {})
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(method, path, data, content_type="application/json", headers=self.headers(named))

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: object = None, **headers: str) -> Any:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str) -> Any:
        return self.client.delete(path, headers=self.headers())

    def upload(self, slug: str, source: bytes, *, key: str = "", name: str = "bot.py", **fields: Any) -> Any:
        """Upload a new version of a bot."""
        data = {"file": SimpleUploadedFile(name, source), **fields}
        headers = self.headers({"Idempotency-Key": key or uuid4().hex})
        return self.client.post(f"/api/v1/bots/{slug}/versions", data, headers=headers)


def problem(answer: Any) -> tuple[int, str]:
    """Return status and code of a problem document."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    body = answer.json()
    assert body["status"] == answer.status_code
    return answer.status_code, str(body["code"])
