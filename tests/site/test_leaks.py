"""No answer of any page or of the API shows anybody another owner's source, log or hidden hand, or our own insides."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from bots.jobs.process import Process
from bots.runner.zygote import Zygote
from tests.pipeline.builders import a_worker
from tests.site.crawling import Crawl, examples, routes, watch_of
from tests.site.guarded import World, a_world

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
WALKERS = ("", "ann", "ben")
"""Who follows every link: nobody, and two owners."""
ROLES = ("organiser", "director", "arbiter", "scorer", "follower", "operator", "root")
"""Who is asked at four addresses of each kind."""


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker, sandbox: Zygote) -> Iterator[World]:
    """The world of this module: played once, inside a transaction that is rolled back at its end."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_world(Process(a_worker(), sandbox))
        transaction.set_rollback(True)


@pytest.fixture
def world(built: World, db: None) -> World:
    """The world; what a test changes in it is undone."""
    return copy.deepcopy(built)


@pytest.fixture
def crawl_as(world: World) -> Callable[[str], Crawl]:
    """`crawl_as("ben")`: a walk as one of the world's people, "" is nobody."""

    def begin(name: str) -> Crawl:
        reader = world.people.get(name)
        client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        if reader is not None:
            client.force_login(reader, backend=BACKEND)
        return Crawl(client, watch_of(world, reader))

    return begin


def admin_paths() -> list[str]:
    """Every page of the admin, with the first row of each model in its place."""
    paths = [reverse(f"admin:{name}") for name in ("index", "login", "logout", "password_change", "jsi18n")]
    paths += [reverse("admin:password_change_done"), reverse("admin:autocomplete"), "/admin/no/such/page/"]
    for model in admin.site._registry:
        meta = model._meta
        paths += [reverse("admin:app_list", args=[meta.app_label])]
        names = [f"admin:{meta.app_label}_{meta.model_name}_{page}" for page in ("changelist", "add")]
        paths += [reverse(name) for name in names]
        first = model._default_manager.first()
        key = first.pk if first else 1
        here = reverse(names[0]) + f"{key}/"
        paths += [here, *(f"{here}{page}/" for page in ("change", "history", "delete"))]
    return [*paths, "/admin/r/1/1/"]


@pytest.mark.parametrize("reader", [*WALKERS, *ROLES])
def test_no_reader_is_shown_what_is_not_theirs(reader: str, world: World, crawl_as: Callable[[str], Crawl]) -> None:
    crawl = crawl_as(reader)
    paths = [*examples(world), *admin_paths()]
    if reader in WALKERS:
        crawl.everywhere(paths)
    else:
        crawl.at_some(paths, most=4)
    assert crawl.found == {}
    assert [path for path, status in crawl.seen.items() if status >= 500] == []
    assert set(routes()) - crawl.visited == set(), "give each new address an example in tests/site/crawling.py"
