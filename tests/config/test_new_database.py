"""A new database, made in one step an app, is what the migrations of all versions make."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.services.earlier_tables import migrate_to, step_by_step
from tests.services.elsewhere import connected_to

ASKED = {
    "postgresql": {
        "columns": "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default,"
        " is_identity FROM information_schema.columns WHERE table_schema = 'public'",
        "constraints": "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace",
        "indexes": "SELECT tablename, regexp_replace(indexdef, 'INDEX [^ ]+ ON', 'INDEX ON') FROM pg_indexes"
        " WHERE schemaname = 'public'",
        "triggers": "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
        "rights": "SELECT table_name, column_name, grantee, privilege_type FROM information_schema.column_privileges"
        " WHERE table_schema = 'public'",
    },
    "sqlite": {
        "columns": 'SELECT tables.name, found.name, found.type, found."notnull", found.dflt_value, found.pk'
        " FROM sqlite_master tables, pragma_table_info(tables.name) found WHERE tables.type = 'table'",
        "indexes": "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'index'",
        "triggers": "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'",
    },
}


def parts() -> dict[str, Any]:
    """Return what the connected database consists of. What the names of keys and indexes are does not matter: a table
    that was renamed keeps the old ones.
    """
    with connection.cursor() as cursor:
        found: dict[str, Any] = {}
        for what, asked in ASKED[connection.vendor].items():
            cursor.execute(asked)
            found[what] = sorted(cursor.fetchall(), key=str)
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
            found["constraints"] = {name: clauses(sql) for name, sql in cursor.fetchall()}
    return found


def clauses(table: str) -> list[str]:
    """Return the columns and constraints of CREATE TABLE in an order of their own."""
    return sorted(table[table.index("(") + 1 : table.rindex(")")].split(", "))


def the_other(tmp_path: Path) -> str:
    """Return the address of a second database without tables."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{tmp_path / 'steps.sqlite3'}"
    name = str(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}_steps"')
        cursor.execute(f'CREATE DATABASE "{name}_steps"')
    return re.sub(r"(?<=/)\w+(?=\?|$)", f"{name}_steps", os.environ["TEST_DATABASE_URL"])


@pytest.mark.slow  # the steps of all versions take a minute of processor time
@pytest.mark.timeout(600)
def test_one_step_makes_the_tables_of_all_steps(own_database: None, tmp_path: Path) -> None:
    at_once = parts()
    with connected_to(the_other(tmp_path)):
        with step_by_step():
            call_command("migrate", verbosity=0)
        by_steps = parts()
        # Nothing is left to do for one that went the long way.
        executor = MigrationExecutor(connection)
        assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    assert at_once == by_steps
    assert len(at_once["columns"]) > 1000


@pytest.mark.thorough
def test_a_new_database_takes_few_steps_and_can_go_all_the_way_back(own_database: None) -> None:
    graph = MigrationExecutor(connection).loader.graph
    assert {app: sum(node[0] == app for node in graph.nodes) for app in ("accounts", "bots", "tables")} == {
        "accounts": 1,
        "bots": 1,
        "tables": 2,  # and the one that wakes tables which their deal had decided: it finds none here
    }
    call_command("migrate", "tables", "zero", verbosity=0)
    call_command("migrate", "tournaments", "zero", verbosity=0)
    with connection.cursor() as cursor:
        assert not [name for name in connection.introspection.table_names(cursor) if name.startswith("tournaments_")]
    migrate_to()
    with connection.cursor() as cursor:
        assert "tournaments_tournament" in connection.introspection.table_names(cursor)
