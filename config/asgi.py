"""The ASGI application: Django, and beside it the streams of live events and of remote programs.

They are mounted next to Django, not inside it: any synchronous middleware would keep one thread per open listener
(measured: 505 threads for 500 listeners, 6 this way).
"""

import os
from typing import Any

from django import setup
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.memory import return_large_pieces
from config.proxies import TrustedProxies
from config.turns import InTurn

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# At the start, not at the first form: without a secret key every session and token would fail.
if settings.ROLE == "worker":
    raise ImproperlyConfigured(
        "HANAMI_ROLE=worker has no secret key and serves no page; start the web service without it"
    )
# Before the first large allocation; a later change of these settings leaves what is there.
return_large_pieces()
setup(set_prefix=False)
django = InTurn(settings.PAGES_AT_ONCE)

from config.bodies import Bodies, announced  # noqa: E402  # models may be imported only now that Django is set up
from tables.api.streaming import is_stream, stream  # noqa: E402  # likewise
from tournaments.pages.site.oversize import most_bytes_of  # noqa: E402  # likewise
from tournaments.sse import events  # noqa: E402  # likewise

bodies = Bodies()


async def lifespan(receive: Any, send: Any) -> None:
    """Answer the server's start and stop; nothing has to be opened before the first request."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        else:
            await send({"type": "lifespan.shutdown.complete"})
            return


async def doors(scope: Any, receive: Any, send: Any) -> None:
    """Send each connection to its application."""
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "http" and scope["path"] == "/events/":
        await events(scope, receive, send)
    elif is_stream(scope):
        await stream(scope, receive, send, django)
    elif scope["type"] == "http":
        await bodies.within(await most_bytes_of(scope, announced(dict(scope["headers"]))), django, scope, receive, send)
    else:
        await django(scope, receive, send)


# Outermost: the limits of bodies and streams count by the client's own address.
application = TrustedProxies(doors, settings.TRUSTED_PROXIES)
