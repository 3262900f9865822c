"""Five hundred people register within a minute for two hundred places: real web processes, a real database."""

from __future__ import annotations

import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import pytest
from django.conf import settings
from django.utils.crypto import get_random_string

from tests.builders.registrations import an_event_with_registration
from tests.services.browser import _answers
from tests.services.plugin import redis_url_of, run_folder, worker_number
from tests.services.processes import Project, Started
from tests.services.project import test_database_url
from tests.services.waiting import wait_until
from tournaments.models import Entry, Registration, Tournament
from tournaments.registration.letters import token_of
from tournaments.registration.queries import registrations_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(900)]
PEOPLE, PLACES, PHONES, LEAVING = 500, 200, 16, 50


@pytest.fixture
def sites(transactional_db: None, collected_static: Path) -> Iterator[list[str]]:
    """Provide two web processes over one database. Each phone has a network of its own, as a proxy would say."""
    here, found = Project({}, run_folder()), []
    for n in (1, 2):
        listening = socket.create_server(("127.0.0.1", 0))
        address, door = f"http://127.0.0.1:{listening.getsockname()[1]}", listening.fileno()
        environment = {
            "HANAMI_DATABASE_URL": test_database_url(),
            "HANAMI_REDIS_URL": redis_url_of(worker_number()),
            "HANAMI_DATA_DIR": str(settings.DATA_DIR),
            "HANAMI_STATIC_DIR": str(collected_static),
            "HANAMI_DB_POOL": "8",
            "HANAMI_TRUSTED_PROXIES": "127.0.0.1",
            "HANAMI_LOG_LEVEL": "WARNING",
        }
        web = here.start(
            f"many{n}", "-m", "scripts.web", str(door), "--graceful", "1", extra=environment, pass_fds=(door,)
        )
        listening.close()
        _wait_for(address, web)
        found.append(address)
    yield found
    here.stop()


def _wait_for(address: str, web: Started) -> None:
    wait_until(lambda: _answers(address, lambda: web.is_alive, web.log), 80, f"the site at {address}")


def post(address: str, fields: dict[str, str], n: int) -> int:
    """Send a form as one phone does, and return the status."""
    key = get_random_string(32)
    data = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": key}).encode()
    headers = {"Cookie": f"csrftoken={key}", "X-Forwarded-For": f"10.1.{n // 250}.{n % 250 + 1}"}
    request = urllib.request.Request(address, data, headers)
    opener = urllib.request.build_opener(_Stay)
    try:
        with opener.open(request, timeout=120) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as other:
        return other.code


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object, **_given: object) -> None:
        """Follow no redirect: the status is what is asked for."""
        return


@dataclass(slots=True)
class Times:
    """Seconds of what people do at once: nothing is asserted of them, they are printed."""

    lines: list[str] = field(default_factory=list)

    def everybody(self, what: str, act: Callable[[int], int], people: int = PEOPLE) -> set[int]:
        """Let that many people act on all phones at once; return the statuses."""
        spent: list[float] = []

        def timed(n: int) -> int:
            began = time.monotonic()
            status = act(n)
            spent.append(time.monotonic() - began)
            return status

        began = time.monotonic()
        with ThreadPoolExecutor(PHONES) as pool:
            found = set(pool.map(timed, range(people)))
        whole = time.monotonic() - began
        middle, slow = median(spent), quantiles(spent, n=20)[-1]
        self.lines.append(f"{people} people {what}: {whole:.1f} s; each {middle:.2f} s, p95 {slow:.2f} s")
        return found


@pytest.fixture
def times(capsys: pytest.CaptureFixture[str]) -> Iterator[Times]:
    """Provide a stopwatch that prints at the end, also of a test that passes."""
    found = Times()
    yield found
    with capsys.disabled():
        print("", *found.lines, sep="\n")


def test_exactly_as_many_get_a_place_as_there_are(sites: list[str], times: Times) -> None:
    event = an_event_with_registration(places=PLACES)

    def send(n: int) -> int:
        fields = {"name": f"Person {n}", "email": f"p{n}@example.org"}
        return post(f"{sites[n % 2]}/t/{event.slug}/register/", fields, n)

    assert times.everybody("send the form", send) == {302}
    paths = [f"/t/{event.slug}/register/{token_of(row)}/" for row in Registration.objects.order_by("pk")]
    assert len(paths) == PEOPLE

    def confirm(n: int) -> int:
        # Every third presses twice, the second time at the other process.
        return max(post(f"{sites[(n + i) % 2]}{paths[n]}", {"act": "confirm"}, n) for i in range(1 + (n % 3 == 0)))

    assert times.everybody("open their link and confirm", confirm) == {302}
    entries = list(
        Entry.objects.filter(tournament=event).order_by("created_at", "pk").values_list("state", "player__name")
    )
    assert len({name for _state, name in entries}) == len(entries) == PEOPLE
    assert [state for state, _name in entries] == ["entered"] * PLACES + ["waitlisted"] * (PEOPLE - PLACES)
    found = registrations_of(event)
    assert sorted(line.place for line in found.lines if line.place) == list(range(1, PEOPLE - PLACES + 1))
    assert found.unconfirmed == 0
    as_many_move_up_as_withdraw(sites, event, times)


def as_many_move_up_as_withdraw(sites: list[str], event: Tournament, times: Times) -> None:
    """Let people who have a place withdraw at once: the first of those who wait have their places."""
    rows = list(Registration.objects.filter(tournament=event).order_by("entry__created_at", "entry__pk"))
    playing, waiting = rows[:PLACES], [row.name for row in rows[PLACES:]]
    paths = [f"/t/{event.slug}/register/{token_of(row)}/" for row in playing[:LEAVING]]
    expected = {row.name for row in playing[LEAVING:]} | set(waiting[:LEAVING])

    def leave(n: int) -> int:
        return post(f"{sites[n % 2]}{paths[n]}", {"act": "withdraw"}, n)

    assert times.everybody("withdraw, and as many move up", leave, LEAVING) == {302}
    entered = Registration.objects.filter(tournament=event, entry__state=Entry.State.ENTERED)
    assert {row.name for row in entered} == expected
    assert {row.told for row in entered} == {"entered"}
    assert [line.registration.name for line in registrations_of(event).lines if line.place] == waiting[LEAVING:]
