"""Addresses of webhooks: refusals when one is typed, and when something is sent to it."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable

import pytest
from django.conf import LazySettings
from django.db import transaction

from bots.models import AuditEvent
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.receivers import Receiver, a_hook, a_receiver, the_delivery
from tests.services.names import names
from tests.services.processes import ROOT
from tournaments.models import Delivery
from tournaments.webhooks import actions as services
from tournaments.webhooks import sender
from tournaments.webhooks.addresses import read_url

__all__ = ["names"]
pytestmark = pytest.mark.django_db
State = Delivery.State


CERTIFICATE = ROOT / "tests" / "data" / "own_example.pem"
REFUSED = """
http://127.0.0.1/ http://[::1]/ http://10.1.2.3/ http://192.168.1.1/ http://172.16.0.1/ http://169.254.169.254/latest/
http://100.64.0.1/ http://0.0.0.0/ http://[::]/ http://[fe80::1]/ http://[fd00::1]/ http://[::ffff:127.0.0.1]/
http://[::ffff:8.8.8.8]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b:1::1]/ http://[2002:7f00:1::]/ http://[2001:0:1::1]/
http://224.0.0.1/ http://255.255.255.255/ http://198.18.0.1/ http://192.0.2.1/ http://[ff02::1]/ http://[2001:db8::1]/
ftp://example.org/ file:///etc/passwd javascript:alert(1) //example.org/ example.org https:///path https://user@example.org/
https://user:pw@example.org/ https://example.org/#part https://example.org:22/ https://example.org:6379/
http://localhost:9911/ http://hall.localhost/ http://2130706433/ http://127.1/ http://0x7f000001/
https://example.org:25/ https://example.org:99999/ https://example.org:0/ https://exa\tmple.org/ https://ex%61mple.org/
"""


@pytest.mark.parametrize("url", [*REFUSED.split(" "), "https://example.org/" + "x" * 500, "", "https://[::1"])
def test_an_address_that_cannot_be_is_refused_when_it_is_typed(url: str, settings: LazySettings) -> None:
    settings.HOOK_NETWORKS = []
    for one in url.split("\n") or [""]:
        if one or not url:
            with pytest.raises(TournamentError) as refused:
                read_url(one)
            assert refused.value.code == "hook.bad_url"


@pytest.mark.parametrize(
    ("url", "receiver"),
    [
        ("https://Example.org/x?y=1", "example.org:443"),
        ("http://8.8.8.8:8080/", "8.8.8.8:8080"),
        ("https://[2606:4700::1111]/", "[2606:4700::1111]:443"),
    ],
)
def test_an_address_of_the_public_internet_is_taken(url: str, receiver: str) -> None:
    assert read_url(url).receiver == receiver


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["100.100.100.200"], ["::1"],
        ["::ffff:10.0.0.1"], ["64:ff9b::a00:1"], ["2002:a00:1::1"], ["fe80::1%eth0"], ["fd12::1"], ["0.0.0.0"],
    ],
)  # fmt: skip
def test_a_name_that_means_a_machine_of_our_own_is_refused_at_every_sending(
    names: Callable[..., list[str]], settings: LazySettings, found: list[str]
) -> None:
    settings.HOOK_NETWORKS = []
    names("inside.example", found)
    hook, _secret = a_hook(a.a_user(), "http://inside.example:8080/")
    services.send_test(hook=hook, by=hook.user)
    sender.send_waiting()
    assert (the_delivery().state, the_delivery().error, the_delivery().status) == (
        State.FAILED,
        "address.refused",
        None,
    )


def test_a_name_that_means_nothing_is_refused_with_the_same_words(settings: LazySettings) -> None:
    """Otherwise the code of an error would tell which names there are in our own network."""
    settings.HOOK_NETWORKS = []
    hook, _secret = a_hook(a.a_user(), "http://nobody.invalid:8080/")
    services.send_test(hook=hook, by=hook.user)
    sender.send_waiting()
    assert (the_delivery().state, the_delivery().error) == (State.FAILED, "address.refused")


def test_a_name_that_means_another_machine_the_next_time_gains_nothing(
    names: Callable[..., list[str]], settings: LazySettings, receiver: Receiver
) -> None:
    """The name is asked for once, and the connection goes to the very address that was judged, under its own name."""
    port = int(receiver.url.rpartition(":")[2].partition("/")[0])
    settings.HOOK_NETWORKS = ["127.0.0.2/32"]
    with a_receiver("127.0.0.2", port) as allowed:
        asked = names("turns.example", ["127.0.0.2"], ["127.0.0.1"])
        hook, _secret = a_hook(a.a_user(), f"http://turns.example:{port}/in?x=1")
        services.send_test(hook=hook, by=hook.user)
        sender.send_waiting()
        assert len(asked) == 1
        assert not receiver.sent
        (sent,) = allowed.sent
        assert (sent.headers["host"], sent.path) == (f"turns.example:{port}", "/in?x=1")
        services.send_test(hook=hook, by=hook.user)
        sender.send_waiting()
    assert not receiver.sent, "the second time it means 127.0.0.1, which is not opened"
    assert Delivery.objects.order_by("-pk")[0].error == "address.refused"


def test_a_certificate_is_asked_for_by_name_and_has_to_be_good(
    names: Callable[..., list[str]], settings: LazySettings
) -> None:
    """A machine with a certificate of nobody's: the name is sent (SNI), the certificate refused."""
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    with socket.create_server(("127.0.0.1", 0)) as server:
        names("own.example", ["127.0.0.1"])
        hook, _secret = a_hook(a.a_user(), f"https://own.example:{server.getsockname()[1]}/")
        services.send_test(hook=hook, by=hook.user)

        def take() -> None:
            taken, _peer = server.accept()
            try:
                context.wrap_socket(taken, server_side=True).close()
            except OSError:
                taken.close()

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        sender.send_waiting()
        thread.join(10)
    assert asked == ["own.example"]
    assert (the_delivery().state, the_delivery().error) == (State.FAILED, "tls.failed")


def test_nothing_that_is_told_of_a_sending_names_its_address(
    receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address may hold a key of the receiver's: neither the log nor the audit has it."""
    hook, _secret = a_hook(a.a_user(), f"{receiver.url}?key=plum-key-17")
    services.send_test(hook=hook, by=hook.user)
    sender.send_waiting()
    services.delete_hook(hook=hook, by=hook.user)
    said = capsys.readouterr()
    assert "plum-key-17" not in said.out + said.err + str(list(AuditEvent.objects.values_list("after", flat=True)))
    assert re.search(r"hook\.sent", said.out + said.err) is None or "state" in said.out + said.err


def test_there_is_a_limit_and_deleting_makes_room(receiver: Receiver) -> None:
    user = a.a_user()
    made = [a_hook(user, receiver.url)[0] for _ in range(services.MAX_HOOKS)]
    with pytest.raises(TournamentError) as refused:
        a_hook(user, receiver.url)
    assert refused.value.code == "hook.limit"
    services.delete_hook(hook=made[0], by=user)
    with transaction.atomic():
        a_hook(user, receiver.url)
