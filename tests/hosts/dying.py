"""A worker whose host loses its power at the worst moment: in the transaction that records a result.

dying.py NODE: Celery's worker; after the last statement of its third result, whose locks it holds by then, its cable
goes dead and all its processes with it. The file HANAMI_DATA_DIR/died tells that it did.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, os.getcwd())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # the project's root has to be known first

django.setup()

from celery.__main__ import main  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from activity import journal  # noqa: E402
from activity.domain_events import DomainEvent  # noqa: E402
from tournaments.matches.records import record  # noqa: E402

publish, told = journal.publish, [0]


def publish_and_die(*events: DomainEvent, **named: Any) -> None:
    """Wait until the server has executed everything, then die without a word on the wire."""
    publish(*events, **named)
    told[0] += 1
    if told[0] == 3:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
        subprocess.run(["ip", "link", "set", "eth0", "down"], check=True)
        (Path(settings.DATA_DIR) / "died").touch()
        os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)


vars(record)["publish"] = publish_and_die
sys.argv = [
    "celery", "-A", "config", "worker", "--pool", "prefork", "--concurrency", "1", "--queues", "play,derive",
    "--without-gossip", "--without-mingle", "--loglevel", "INFO", "--hostname", sys.argv[1],
]  # fmt: skip
main()
