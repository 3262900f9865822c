"""The ASGI application: Django, and beside it the streams of live events and of remote programs.

They are mounted next to Django, not inside it: any synchronous middleware would keep one thread per open listener
(measured: 505 threads for 500 listeners, 6 this way).
"""

import os

from django import setup
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.proxies import TrustedProxies
from config.turns import InTurn
from web.memory import collect_seldom, return_large_pieces

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def _set_up() -> None:
    """Set Django up. Raises ImproperlyConfigured for a worker's settings."""
    # At the start, not at the first form: without a secret key every session and token would fail.
    if settings.ROLE == "worker":
        raise ImproperlyConfigured(
            "HANAMI_ROLE=worker has no secret key and serves no page; start the web service without it"
        )
    # Before the first large allocation; a later change of these settings leaves what is there.
    return_large_pieces()
    setup(set_prefix=False)


def _served() -> TrustedProxies:
    """Return everything that is served here."""
    # Not at the top: models may be imported only now that Django is set up.
    from django.urls import get_resolver

    from config.routing import Router

    # All pages are imported now, and not by the first who asks for one.
    _patterns = get_resolver().url_patterns
    collect_seldom()
    # Outermost: the limits of bodies and streams count by the client's own address.
    return TrustedProxies(Router(django), settings.TRUSTED_PROXIES)


_set_up()
django = InTurn(settings.PAGES_AT_ONCE)
application = _served()
