"""Our key at push services (VAPID, RFC 8292): it follows from the key of the service, so nobody stores it.

A push service takes messages to a subscription only under the public key with which the browser subscribed.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.crypto import salted_hmac
from py_vapid import Vapid02

# The order of the curve P-256 (FIPS 186-5): private keys are 1 to ORDER - 1.
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
VALID_S: Final = 12 * 3600


def server_key() -> str:
    """Return our public key as browsers want it: base64url of 65 bytes."""
    return _public(_key_of(settings.SECRET_KEY))


def authorization(public: str, origin: str, now_s: int) -> str | None:
    """Return the header Authorization of a message to a push service; None if this public key is not ours any more.

    origin: of the service, "https://push.example.org". now_s: seconds since 1970.
    """
    # A key that was replaced still signs for browsers that subscribed under it, as long as it is among the fallbacks.
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        key = _key_of(secret)
        if _public(key) == public:
            claims = {"aud": origin, "exp": now_s + VALID_S, "sub": _contact()}
            # no-strict: an installation without a domain of its own has no address that the library would take.
            return str(Vapid02(key, {"no-strict": True}).sign(claims)["Authorization"])
    return None


def _contact() -> str:
    """Return where a push service finds the operator."""
    site = settings.SITE_URL
    return site if site.startswith("https://") else f"mailto:hanami@{site.partition('://')[2].partition(':')[0]}"


@cache
def _key_of(secret: str | bytes) -> ec.EllipticCurvePrivateKey:
    # 512 bits: the remainder favours no private key by more than 2 to the -256.
    digest = salted_hmac("hanami.push", "vapid", secret=secret, algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(digest, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def _public(key: ec.EllipticCurvePrivateKey) -> str:
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")
