"""Secrets of hooks: two may live, none is stored, the receiver of the documentation checks them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import LazySettings

from accounts import backup
from tests.builders import events as a
from tests.builders.receivers import Receiver, a_hook, the_delivery
from tournaments.api.schema.receiver import RECEIVER
from tournaments.models import Delivery, HookSecret
from tournaments.webhooks import actions as services
from tournaments.webhooks import sender

pytestmark = pytest.mark.django_db
State = Delivery.State


def test_two_secrets_sign_until_the_old_one_ends(receiver: Receiver) -> None:
    hook, first = a_hook(a.a_user(), receiver.url)
    second = services.rotate_secret(hook=hook, by=hook.user)
    third = services.rotate_secret(hook=hook, by=hook.user)

    def tried() -> list[bool]:
        services.send_test(hook=hook, by=hook.user)
        sender.send_waiting()
        return [receiver.sent[-1].is_signed_with(secret) for secret in (first, second, third)]

    assert tried() == [False, True, True]
    assert services.end_old_secret(hook=hook, by=hook.user) == 1
    assert tried() == [False, False, True]
    assert receiver.kinds == ["ping", "ping"]


def test_under_another_key_of_the_service_nothing_is_sent_and_the_hook_says_so(
    receiver: Receiver, settings: LazySettings
) -> None:
    hook, _secret = a_hook(a.a_user(), receiver.url)
    settings.SECRET_KEY = "another-" * 8
    services.send_test(hook=hook, by=hook.user)
    assert sender.send_waiting() == 0
    hook.refresh_from_db()
    assert (hook.state, hook.reason) == ("stopped", "secret")
    secret = services.rotate_secret(hook=hook, by=hook.user, keep_hours=0)
    hook.refresh_from_db()
    services.send_test(hook=hook, by=hook.user)
    sender.send_waiting()
    assert receiver.sent[-1].is_signed_with(secret)


@pytest.mark.django_db(transaction=True)
def test_a_backup_has_the_hook_and_not_its_secret(receiver: Receiver, tmp_path: Path) -> None:
    _hook, secret = a_hook(a.a_user(), receiver.url)
    summary = backup.write(tmp_path / "all.zst")
    rows = {name: n for name, n in summary.rows.items() if name.startswith("tournaments.hook")}
    assert rows == {"tournaments.hook": 1, "tournaments.hooksecret": 1}
    plain = b"".join(line for model in backup.stored_models() for line in backup._lines(model))
    assert HookSecret.objects.get().nonce.encode() in plain
    assert secret[4:].encode() not in plain


def test_the_receiver_of_the_documentation_takes_what_we_send_and_nothing_else(receiver: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hook, secret = a_hook(a.a_user(), f"http://127.0.0.1:{port}/")
    environment = {**os.environ, "HOOK_SECRET": secret, "PORT": str(port)}
    running = subprocess.Popen([sys.executable, "-c", RECEIVER], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)  # fmt: skip
    try:
        assert running.stdout is not None
        for _try in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            running.poll()
            threading.Event().wait(0.05)
        services.send_test(hook=hook, by=hook.user)
        sender.send_waiting()
        assert the_delivery().status == 204
        assert running.stdout.readline().startswith("ping ")
        services.rotate_secret(hook=hook, by=hook.user, keep_hours=0)
        services.send_test(hook=hook, by=hook.user)
        sender.send_waiting()
        assert Delivery.objects.order_by("-pk")[0].status == 400, "signed with a secret it does not know"
    finally:
        running.send_signal(signal.SIGKILL)
        running.communicate()
