"""The workers' account in PostgreSQL, with the rights to each table that playing and folding take, and no more.

Workers run strangers' code, in locks. Should one ever break out, what it finds in its worker's connection is no
password, no session, no key, no address of a mail and no secret of a hook (decision 0095).

Every table has a line here, of what is granted or why nothing is; a table without one gets nothing. `migrate` makes the
account and gives it its rights, after every migration, where HANAMI_WORKER_DATABASE_URL names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import environ
import psycopg
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ProgrammingError
from psycopg import sql

READ: Final = ("SELECT",)
ADD: Final = ("SELECT", "INSERT")
CHANGE: Final = ("SELECT", "UPDATE")
WRITE: Final = ("SELECT", "INSERT", "UPDATE")
ALL: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")

# Some rights are of single columns: `SELECT (id)`. Locking a row (`SELECT .. FOR UPDATE`) takes a right to update.
GRANTED: Final[Mapping[str, Sequence[str]]] = {
    "accounts_user": ("SELECT (id)",),
    "bots_auditevent": ADD,
    "bots_blob": (*ADD, "UPDATE (packed)"),
    "bots_bot": CHANGE,
    "bots_botversion": CHANGE,
    "bots_channel": WRITE,
    "bots_check": CHANGE,
    "bots_lease": ALL,
    "bots_outbox": WRITE,
    "bots_worker": WRITE,
    "tables_answer": ADD,
    "tables_liveseat": ALL,
    "tables_livetable": WRITE,
    "tables_program": READ,
    "tables_tablechallenge": WRITE,
    "tournaments_adjustment": READ,
    "tournaments_botpolicy": READ,
    "tournaments_challenge": CHANGE,
    "tournaments_challengeset": ADD,
    "tournaments_clubtally": ALL,
    "tournaments_dealset": WRITE,
    "tournaments_entry": WRITE,
    "tournaments_entrytally": ALL,
    "tournaments_group": ADD,
    "tournaments_laddermedal": ADD,
    "tournaments_ladderseason": WRITE,
    "tournaments_match": WRITE,
    "tournaments_matchtally": ALL,
    "tournaments_pairrule": READ,
    "tournaments_player": ADD,
    "tournaments_progression": READ,
    "tournaments_rating": ALL,
    "tournaments_ratingevent": ALL,
    "tournaments_ratingpool": WRITE,
    "tournaments_requestedbye": READ,
    "tournaments_resultreport": WRITE,
    "tournaments_round": WRITE,
    "tournaments_ruleset": ADD,
    "tournaments_seat": WRITE,
    "tournaments_stage": WRITE,
    "tournaments_stageentry": WRITE,
    "tournaments_standing": ALL,
    "tournaments_stucknews": ALL,
    "tournaments_tournament": WRITE,
}
# Tables with which nothing may be done, by the reason.
REFUSED: Final[Mapping[str, Sequence[str]]] = {
    "keys, sessions and log-ins": (
        "accounts_token",
        "accounts_signin",
        "accounts_keptanswer",
        "django_session",
        "axes_accessattempt",
        "axes_accessattemptexpiration",
        "axes_accessfailurelog",
        "axes_accesslog",
    ),
    "mails and whom they are for": (
        "accounts_waitingletter",
        "tournaments_mailing",
        "tournaments_notice",
        "tournaments_noticeplan",
        "tournaments_pushsubscription",
        "tournaments_pushmessage",
        "tournaments_follow",
    ),
    "who registered, with what address and which answers": (
        "tournaments_birthyear",
        "tournaments_registeredteam",
        "tournaments_teamplace",
        "tournaments_registration",
        "tournaments_registrationanswer",
        "tournaments_registrationsettings",
        "tournaments_question",
    ),
    "prizes, and who is in which category": (
        "tournaments_prize",
        "tournaments_prizecategory",
        "tournaments_prizecategory_marked",
        "tournaments_prizesettings",
    ),
    "hooks and their secrets, and who has read which news": (
        "tournaments_hook",
        "tournaments_hooksecret",
        "tournaments_delivery",
        "tournaments_cursor",
        "tournaments_cursorplace",
    ),
    "private links, invitations, photos and calendars": (
        "tournaments_invitation",
        "tournaments_invitationlink",
        "tournaments_entrylink",
        "tournaments_linkrenewal",
        "tournaments_slipphoto",
        "tournaments_calendarlink",
    ),
    "who may do what": (
        "accounts_user_groups",
        "accounts_user_user_permissions",
        "auth_group",
        "auth_group_permissions",
        "auth_permission",
        "django_admin_log",
        "django_content_type",
        "tournaments_role",
    ),
    "pages, commands and migrations alone need them": (
        "bots_meter",
        "bots_publication",
        "bots_fork",
        "django_migrations",
        "tournaments_announcement",
        "tournaments_roundclock",
        "tournaments_member",
        "tournaments_partnerdraw",
        "tournaments_earliersecret",
        "tournaments_clubmember",
        "tournaments_season",
        "tournaments_seasondivision",
        "tournaments_seasonevent",
        "tournaments_seasonidentity",
        "tournaments_seasonperson",
        "tournaments_seasonresult",
        "tournaments_seasonrole",
    ),
}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Account:
    """The sign-in of the workers. password: "" where the server does not ask for one."""

    name: str
    password: str


def account_of(url: str) -> Account:
    """Return the account that an address of a database names. Raises ImproperlyConfigured if it names none."""
    found: dict[str, Any] = dict(environ.Env.db_url_config(url))
    options = found.get("OPTIONS", {})
    name = found.get("USER") or options.get("user")
    if not name:
        raise ImproperlyConfigured("HANAMI_WORKER_DATABASE_URL must name an account: postgresql://name:password@...")
    return Account(name, found.get("PASSWORD") or options.get("password") or "")


def put_up(connection: BaseDatabaseWrapper) -> None:
    """Make the account that the settings name and give it exactly its rights; nothing if they name none, or on SQLite.

    Done again it changes nothing, except that the account has the password of the settings from then on.
    """
    if connection.vendor == "postgresql" and settings.WORKER_DATABASE_URL:
        account = account_of(settings.WORKER_DATABASE_URL)
        _make(connection, account)
        grant(connection, account.name)


def _make(connection: BaseDatabaseWrapper, account: Account) -> None:
    """Make the account, without any right yet. One that could do everything anyway is refused."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        mine = cursor.fetchone()[0]
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = %s", [account.name])
        there = cursor.fetchone()
    if account.name == mine or (there and there[0]):
        raise ImproperlyConfigured(
            f"HANAMI_WORKER_DATABASE_URL names {account.name!r}, who may do everything; name an account of its own"
        )
    # A savepoint: PostgreSQL ends a transaction at the first refused statement, and this may be inside another one.
    try:
        with transaction.atomic(using=connection.alias):
            _write_down(connection, account, is_new=there is None)
    except ProgrammingError as refused:
        if not isinstance(refused.__cause__, psycopg.errors.InsufficientPrivilege):
            raise
        if there is None:
            raise ImproperlyConfigured(
                f"{mine!r} may not make the workers' account; let an administrator do it, then migrate again: "
                f"CREATE ROLE {account.name} LOGIN PASSWORD '...'"
            ) from refused
        log.info("worker_role.kept", account=account.name)  # an administrator made it and looks after its password


def _write_down(connection: BaseDatabaseWrapper, account: Account, *, is_new: bool) -> None:
    """CREATE or ALTER ROLE. The password is sent as PostgreSQL stores it (SCRAM): no log of the server shows it."""
    if not is_new and not account.password:
        return
    with connection.cursor() as cursor:
        verifier = _scram(cursor.connection, account) if account.password else None
        words = sql.SQL("{what} ROLE {name} LOGIN NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD {password}").format(
            what=sql.SQL("CREATE" if is_new else "ALTER"),
            name=sql.Identifier(account.name),
            password=sql.Literal(verifier),
        )
        cursor.execute(words.as_string(cursor.connection))


def _scram(connection: psycopg.Connection[Any], account: Account) -> str:
    found = connection.pgconn.encrypt_password(account.password.encode(), account.name.encode(), b"scram-sha-256")
    return found.decode()


@transaction.atomic
def grant(connection: BaseDatabaseWrapper, name: str) -> None:
    """Give the account exactly its rights; it loses any others. Workers that run meanwhile notice nothing.

    Tables that are not there (yet) are passed over.
    """
    there = set(connection.introspection.table_names())
    who = sql.Identifier(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database(), current_schema()")
        database, schema = map(sql.Identifier, cursor.fetchone())
        # REVOKE and GRANT in one transaction (see the decorator): between the two no statement of a worker is refused.
        for words in (
            sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {who}").format(schema=schema, who=who),
            sql.SQL("REVOKE ALL ON ALL SEQUENCES IN SCHEMA {schema} FROM {who}").format(schema=schema, who=who),
            sql.SQL("GRANT CONNECT ON DATABASE {database} TO {who}").format(database=database, who=who),
            sql.SQL("GRANT USAGE ON SCHEMA {schema} TO {who}").format(schema=schema, who=who),
            *(words for table, words in _grants(who) if table in there),
        ):
            cursor.execute(words.as_string(cursor.connection))


def _grants(who: sql.Identifier) -> Iterator[tuple[str, sql.Composed]]:
    """Yield (table, statement) for each line of `GRANTED`."""
    for table, rights in GRANTED.items():
        some = sql.SQL(", ").join(map(sql.SQL, rights))
        words = sql.SQL("GRANT {some} ON {table} TO {who}").format(some=some, table=sql.Identifier(table), who=who)
        yield table, words
