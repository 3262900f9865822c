"""The workers' account in PostgreSQL: exactly the rights that are written down, and a line for every table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection, transaction
from psycopg import sql

from accounts.models import Token
from tests.builders import events as a
from tests.services.plugin import WORKER, worker_url_of
from tests.services.project import test_database_url as database_url
from tournaments.worker_role import ALL, GRANTED, REFUSED, account_of, put_up

pytestmark = pytest.mark.django_db(transaction=True)
RIGHTS = (*ALL, "TRUNCATE", "REFERENCES", "TRIGGER")
NOT_THEIRS = [table for tables in REFUSED.values() for table in tables]
# Accounts are the server's, not a database's: each test process makes one of its own.
MADE = f"hanami_made_by_test_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"


@contextmanager
def as_worker() -> Iterator[psycopg.Connection[Any]]:
    """A connection of the workers' account."""
    with psycopg.connect(worker_url_of(database_url()), autocommit=True) as connected:
        yield connected


def rights() -> dict[str, set[str]]:
    """Return the rights of the account to each whole table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, privilege FROM pg_class, unnest(%s::text[]) privilege "
            "WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace "
            "AND has_table_privilege(%s, oid, privilege)",
            [list(RIGHTS), WORKER],
        )
        found: dict[str, set[str]] = {}
        for table, right in cursor.fetchall():
            found.setdefault(table, set()).add(right)
        return found


def test_every_table_has_a_line_and_every_line_a_table() -> None:
    """A new table: write into `tournaments.worker_role` what workers may do with it, or why nothing."""
    lines = [*GRANTED, *NOT_THEIRS]
    assert len(lines) == len(set(lines)), "a table has one line"
    assert set(connection.introspection.table_names()) == set(lines)


def whole() -> dict[str, set[str]]:
    """Return the grants of whole tables."""
    found = {table: {right for right in some if "(" not in right} for table, some in GRANTED.items()}
    return {table: some for table, some in found.items() if some}


def columns() -> set[tuple[str, str]]:
    """Return the grants of columns: (table, "SELECT (id)")."""
    return {(table, right) for table, some in GRANTED.items() for right in some if "(" in right}


def test_the_account_has_these_rights_and_no_others() -> None:
    assert rights() == whole()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attrelid::regclass::text, format('%%s (%%s)', given.privilege_type, attname) "
            "FROM pg_attribute, aclexplode(attacl) given WHERE grantee = %s::regrole",
            [WORKER],
        )
        assert set(cursor.fetchall()) == columns()
        cursor.execute(
            "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles "
            "WHERE rolname = %s",
            [WORKER],
        )
        assert cursor.fetchone() == (False,) * 5
        cursor.execute("SELECT has_schema_privilege(%s, current_schema(), 'CREATE')", [WORKER])
        assert cursor.fetchone() == (False,)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("table", [*NOT_THEIRS, "accounts_user"])
def test_what_is_not_for_workers_is_refused(table: str) -> None:
    name = sql.Identifier(table)
    asked = ["SELECT * FROM {}", "DELETE FROM {}", "TRUNCATE {}", "COPY {} TO STDOUT"]
    with as_worker() as worker:
        for words in asked:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                worker.execute(sql.SQL(words).format(name))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "words",
    [
        "SELECT password FROM accounts_user", "SELECT email FROM accounts_user", "SELECT last_login FROM accounts_user",
        "UPDATE accounts_user SET is_superuser = true", "UPDATE accounts_user SET password = 'x'",
        "INSERT INTO accounts_user (username) VALUES ('kimo')", "SELECT to_jsonb(u) FROM accounts_user u",
        "INSERT INTO django_session VALUES ('k', 'd', now())", "SET ROLE hanami", "CREATE TABLE mine (n int)",
        "ALTER TABLE bots_bot DISABLE TRIGGER ALL", "DROP TABLE bots_bot", "SELECT rolpassword FROM pg_authid",
        "SELECT pg_read_file('/etc/passwd')", "COPY bots_bot TO PROGRAM 'cat'", "CREATE ROLE another",
        "ALTER ROLE hanami_worker SUPERUSER", "GRANT hanami TO hanami_worker",
    ],
)  # fmt: skip
def test_secrets_and_more_rights_are_out_of_reach(words: str) -> None:
    with as_worker() as worker, pytest.raises(psycopg.errors.InsufficientPrivilege):
        worker.execute(words.encode())


def test_what_it_had_besides_is_taken_away_and_running_workers_notice_nothing() -> None:
    key = Token.objects.create(user=a.a_user(), name="plum", digest="d" * 64, start="hana")
    with connection.cursor() as cursor, as_worker() as worker:
        cursor.execute(f"GRANT SELECT ON accounts_token TO {WORKER}")
        cursor.execute(f"GRANT SELECT (email) ON accounts_user TO {WORKER}")
        assert worker.execute("SELECT digest FROM accounts_token").fetchall() == [(key.digest,)]
        before = worker.execute("SELECT count(*) FROM bots_bot").fetchall()
        for _twice in range(2):
            put_up(connection)
        assert worker.execute("SELECT count(*) FROM bots_bot").fetchall() == before
        for words in (b"SELECT digest FROM accounts_token", b"SELECT email FROM accounts_user"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                worker.execute(words)


@pytest.mark.thorough
def test_migrate_gives_a_table_that_it_makes_its_rights_and_an_unknown_one_none() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"REVOKE ALL ON bots_bot FROM {WORKER}")
        cursor.execute("CREATE TABLE unheard_of (n int)")
        try:
            call_command("migrate", verbosity=0)
            assert rights() == whole()
        finally:
            cursor.execute("DROP TABLE unheard_of")


@pytest.fixture
def own_account(settings: Any) -> Iterator[str]:
    """The settings name an account that is not there yet. Its name."""
    settings.WORKER_DATABASE_URL = f"postgresql://{MADE}:first-password@db/hanami"
    yield MADE
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [MADE])
        if cursor.fetchone():
            cursor.execute(f"DROP OWNED BY {MADE}")
            cursor.execute(f"DROP ROLE {MADE}")


def kept_password() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", [MADE])
        return str(cursor.fetchone()[0])


def test_the_account_is_made_and_gets_another_password_when_the_settings_say_so(
    settings: Any, own_account: str
) -> None:
    put_up(connection)
    first = kept_password()
    assert first.startswith("SCRAM-SHA-256$")
    settings.WORKER_DATABASE_URL = f"postgresql://{own_account}:second-password@db/hanami"
    put_up(connection)
    assert kept_password() != first


def test_an_account_that_may_do_everything_is_refused(settings: Any) -> None:
    mine = connection.settings_dict["USER"] or connection.settings_dict["OPTIONS"].get("user")
    settings.WORKER_DATABASE_URL = f"postgresql://{mine}:x@db/hanami"
    with pytest.raises(ImproperlyConfigured, match="who may do everything; name an account of its own"):
        put_up(connection)
    with pytest.raises(ImproperlyConfigured, match="must name an account"):
        account_of("postgresql://db/hanami")


def test_an_owner_that_may_make_no_account_says_what_an_administrator_has_to_do(own_account: str) -> None:
    """Migrate as with a database that somebody else runs.

    Once the account is there, the owner of the tables gives the rights.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE ROLE hanami_owner_of_test")
        cursor.execute("SELECT current_database()")
        database = cursor.fetchone()[0]
        for table in connection.introspection.table_names():
            cursor.execute(f'ALTER TABLE "{table}" OWNER TO hanami_owner_of_test')
        cursor.execute("GRANT ALL ON SCHEMA public TO hanami_owner_of_test WITH GRANT OPTION")
        cursor.execute(f'GRANT CONNECT ON DATABASE "{database}" TO hanami_owner_of_test WITH GRANT OPTION')
        cursor.execute("SET LOCAL ROLE hanami_owner_of_test")
        with pytest.raises(ImproperlyConfigured, match=f"CREATE ROLE {own_account} LOGIN PASSWORD"):
            put_up(connection)
        cursor.execute("RESET ROLE")
        cursor.execute(f"CREATE ROLE {own_account} LOGIN")
        cursor.execute("SET LOCAL ROLE hanami_owner_of_test")
        put_up(connection)
        cursor.execute("RESET ROLE")
        cursor.execute("SELECT has_table_privilege(%s, 'bots_bot', 'SELECT')", [own_account])
        assert cursor.fetchone() == (True,)
        transaction.set_rollback(True)
