"""Signatures by which a receiver knows our sendings: secrets that nobody stores, and the header `Hf-Signature`.

`Hf-Signature: t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` by the secret, one `v1` for each live secret. A
receiver takes it if any `v1` is right and `t` is not older than five minutes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

from django.db.models import Q
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from tournaments.models import Hook, HookSecret

PREFIX: Final = "hfw_"
SHOWN: Final = 10


def new_secret(hook: Hook) -> str:
    """Make one more secret of a hook, as its owner is shown it this once."""
    nonce = secrets.token_urlsafe(32)
    secret = _secret(nonce)
    HookSecret.objects.create(hook=hook, nonce=nonce, digest=_digest(secret), start=secret[:SHOWN])
    return secret


def live_secrets(hook: Hook) -> list[str]:
    """Return the secrets that sign now, the newest first, without those made under another key of the service."""
    rows = HookSecret.objects.filter(Q(ends_at=None) | Q(ends_at__gt=Now()), hook=hook).order_by("-pk")
    found = [(_secret(row.nonce), row.digest) for row in rows]
    # With another SECRET_KEY the same nonce gives another secret: its digest is not the stored one.
    return [secret for secret, digest in found if hmac.compare_digest(_digest(secret), digest)]


def secret_that_begins(hook: str, start: str) -> str:
    """Return the secret of the hook with this uuid that begins like this, to be shown; "" if it is gone."""
    row = HookSecret.objects.filter(hook__uuid=hook, start=start).first()
    return _secret(row.nonce) if row is not None else ""


def _secret(nonce: str) -> str:
    """Derive a secret from the service's key, so that neither the database nor a backup holds it."""
    digest = salted_hmac("hanami.hook", nonce, algorithm="sha256").digest()
    return PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def signature(secrets_of_hook: Sequence[str], at_s: int, body: bytes) -> str:
    """Return the header of a sending. at_s: now, in seconds since 1970."""
    signed = f"{at_s}.".encode() + body
    made = (hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets_of_hook)
    return ",".join([f"t={at_s}", *(f"v1={each}" for each in made)])
