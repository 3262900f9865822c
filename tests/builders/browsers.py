"""A push service of this test over real TLS, and browsers that decrypt what it carries with keys of their own."""

from __future__ import annotations

import base64
import http.server
import json
import secrets
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from django.utils import timezone

from tournaments.models import PushMessage
from tournaments.notifications import consumer
from tournaments.notifications.push import sender
from tournaments.notifications.push.subscriptions import BrowserKeys

Answer = tuple[int, dict[str, str]]
TAKEN: Answer = (201, {})


def letters(raw: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Browser:
    """A browser with its key pair and secret, as it hands them to pages."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def public_key(self) -> str:
        return letters(self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def keys(self) -> BrowserKeys:
        """What `subscribe` takes."""
        return BrowserKeys(self.endpoint, self.public_key, letters(self.secret))

    @property
    def form(self) -> dict[str, str]:
        """What a page sends."""
        return {"endpoint": self.endpoint, "p256dh": self.public_key, "auth": letters(self.secret)}

    def read(self, raw: bytes) -> Any:
        """Decrypt a message as RFC 8291 says."""
        return json.loads(http_ece.decrypt(raw, private_key=self.private, auth_secret=self.secret))


@dataclass
class Pushed:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    raw: bytes


@dataclass
class PushService:
    """answer: called for each request; what it returns is answered."""

    url: str
    pushed: list[Pushed] = field(default_factory=list)
    answer: Callable[[Pushed], Answer] = lambda _pushed: TAKEN

    def browser(self) -> Browser:
        """Make a browser that is registered here."""
        return Browser(f"{self.url}/{secrets.token_urlsafe(12)}")

    def messages(self, browser: Browser) -> list[Any]:
        """Return what came for a browser, decrypted."""
        return [browser.read(each.raw) for each in self.pushed if browser.endpoint.endswith(each.path)]


def a_certificate(folder: Path) -> Path:
    """Make a certificate of 127.0.0.1 with its key in one file; it is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push service of a test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "push-service.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + made.public_bytes(Encoding.PEM))
    return path


@contextmanager
def a_push_service(certificate: Path) -> Iterator[PushService]:
    """Start a push service on a port of its own for as long as the block runs."""
    here: PushService

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            pushed = Pushed(self.path, {name.lower(): value for name, value in self.headers.items()}, raw)
            here.pushed.append(pushed)
            status, headers = here.answer(pushed)
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_arguments: Any) -> None:
            """Write nothing on the screen."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.daemon_threads = True
    here = PushService(f"https://127.0.0.1:{server.server_address[1]}/push")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def told_and_pushed() -> int:
    """Do what the two tasks do: make notices of what is new, and send what is due. Returns how many were sent."""
    consumer.notice_news()
    return sender.send_waiting()


def pushes_due_now() -> None:
    """End the wait between two tries."""
    PushMessage.objects.filter(state=PushMessage.State.OPEN).update(due_at=timezone.now() - timedelta(seconds=1))
