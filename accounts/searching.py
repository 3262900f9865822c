"""Search for words in names by an index of all pairs of their letters: a word that nobody has is known at once.

`name__holds=words` is `name__icontains=words`. On PostgreSQL it asks a GIN index on `hanami_pairs(name)` first, which
needs no extension and knows Japanese words of two signs (decision 0066); one letter alone, and SQLite, which is for one
machine, look at the names themselves. SQLite's own LIKE takes É and é for two letters: every connection is taught
another, so that `icontains`, `iexact` and the like mean the same on both databases.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from django.db.backends.signals import connection_created
from django.db.models import CharField, Lookup
from django.db.models.lookups import IContains
from django.db.models.sql.compiler import SQLCompiler

from accounts.name_indexes import NameIndex

FUNCTION: Final = """
CREATE OR REPLACE FUNCTION hanami_pairs(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT COALESCE(array_agg(DISTINCT substr(upper($1), place, 2)), '{}')
    FROM generate_series(1, length(upper($1)) - 1) AS place
$$
"""


class ContainsText(Lookup[str]):
    """Test that a text holds these words, ignoring the case of letters."""

    lookup_name = "holds"

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        """Return the SQL of `icontains`."""
        return IContains(self.lhs, self.rhs).as_sql(compiler, connection)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        """Return the same for names that have all pairs of the words."""
        # One letter has no pair: every name would be a candidate.
        if len(self.rhs) < 2:
            return self.as_sql(compiler, connection)
        column, params = compiler.compile(self.lhs)
        # Not LIKE: its guess times that of the index would take words that everybody has for rare ones.
        found = f"strpos(UPPER({column}::text), UPPER(%s)) > 0"
        # The pairs find candidates by the index; strpos then tells "abc" from "ab bc".
        return f"(hanami_pairs({column}) @> hanami_pairs(%s) AND {found})", [*params, self.rhs, *params, self.rhs]


def connect() -> None:
    """Let text fields be asked `__holds`; let SQLite compare small and capital letters of every script."""
    CharField.register_lookup(ContainsText)
    connection_created.connect(_teach)


def _teach(sender: object, connection: Any, **_also: object) -> None:
    if connection.vendor == "sqlite":
        for arguments in (2, 3):  # the third is what ESCAPE names
            connection.connection.create_function("like", arguments, is_like, deterministic=True)


def is_like(pattern: object, value: object, escape: str = "") -> bool | None:
    r"""Return SQL's LIKE, ignoring the case of letters; None where there is nothing to compare.

    >>> is_like("é%", "Élodie"), is_like(r"50\%", "50%", "\\"), is_like("_", "ab")
    (True, True, False)
    """
    if pattern is None or value is None:
        return None
    return _expression(str(pattern), escape).fullmatch(str(value).upper()) is not None


# A query calls LIKE for every row with the same pattern.
@lru_cache(maxsize=64)
def _expression(pattern: str, escape: str) -> re.Pattern[str]:
    """Return the pattern as a regular expression, of capital letters as PostgreSQL's UPPER makes them."""
    escaped = re.escape(escape)
    parts = re.findall(rf"{escaped}.|." if escape else ".", pattern, re.DOTALL)
    wildcards = {"%": ".*", "_": "."}
    each = (wildcards.get(part) or re.escape(part.removeprefix(escape).upper() or part) for part in parts)
    return re.compile("".join(each), re.DOTALL)


class IndexNames(NameIndex):
    """The pairs of letters of one column of names as an index."""

    pattern = "{table}_{column}_pairs"
    what = "Index the names in {table}.{column} by pairs of letters"

    def function(self) -> str:
        """Return what writes `hanami_pairs`."""
        return FUNCTION

    def definition(self) -> str:
        """Return a GIN index; names are put into it at once: a search never reads a heap of new ones."""
        return f"USING gin (hanami_pairs({self.column})) WITH (fastupdate = off)"
