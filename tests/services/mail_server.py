"""A real mail server in this process: what it took, and what it shall answer (aiosmtpd).

`smtp_server` is the fixture: Django sends to it over a socket, as to any other.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller


class MailServer:
    """Takes mails on a free port of this machine.

    taken: every mail that it said yes to. answer: decides about one, by its recipient; "" takes it. upon: is called
    when a mail was taken, before the sender hears of it.
    """

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.answer: Callable[[str], str] = lambda _address: ""
        self.upon: Callable[[], None] = lambda: None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._controller: Controller | None = None

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]) -> str:
        """Answer a recipient."""
        said = self.answer(address)
        if not said:
            envelope.rcpt_tos.append(address)
        return said or "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        """Take in a whole mail."""
        found = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        self.taken.append(found)
        self.upon()
        return "250 OK"

    def start(self) -> None:
        """Begin to take mails, also after `stop`."""
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self) -> None:
        """Go away. Twice changes nothing."""
        if self._controller is not None:
            self._controller.stop()
        self._controller = None


@pytest.fixture
def smtp_server(settings: Any) -> Iterator[MailServer]:
    """Provide a mail server of this test, to which Django sends."""
    found = MailServer()
    found.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", found.port
    yield found
    found.stop()
