"""Names in the order in which a person looks for them, the same on PostgreSQL and on SQLite.

`order_by(ByName("player__name"), "pk")`, and `name_key` for what is sorted in Python. Élodie stands with Elodie, Åsa
with Asa, capital letters with small ones; Greek, Cyrillic and Japanese follow Latin by code point. No collation is
asked: the two databases have none in common, and PostgreSQL's differ by machine (decision 0072).
"""

from __future__ import annotations

import re
from typing import Any, Final
from unicodedata import normalize

from django.db.backends.signals import connection_created
from django.db.models import CharField, Func
from django.db.models.sql.compiler import SQLCompiler

from accounts.name_indexes import NameIndex


def _letters(first: str, last: str) -> str:
    return "".join(map(chr, range(ord(first), ord(last) + 1)))


# What decomposition leaves as it is. A change needs a migration that writes the function and its indexes again.
LARGE: Final = (
    _letters("A", "Z") + "ØĐÐŁĦŦŊ" + _letters("Α", "Ρ") + _letters("Σ", "Ω") + _letters("Ѐ", "Я") + _letters("Ա", "Ֆ")
)
SMALL: Final = (
    _letters("a", "z") + "oddlhtn" + _letters("α", "ρ") + _letters("σ", "ω")
    + _letters("ѐ", "џ") + _letters("а", "я") + _letters("ա", "ֆ")
)  # fmt: skip
PLAIN: Final = {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ŋ": "n", "ı": "i", "ς": "σ"}
SEVERAL: Final = {"ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th"}
FROM: Final = LARGE + "".join(PLAIN)
TO: Final = SMALL + "".join(PLAIN.values())
MARKS: Final = r"[\u0300-\u036f\u3099\u309a]"
"""Accents, and the two that make a syllable of kana another."""
TABLE: Final = str.maketrans(dict(zip(FROM, TO, strict=True)) | SEVERAL)


def name_key(name: str) -> str:
    """Return the key that names are compared by: letters without accents, small; then the name itself, where keys are
    the same.

    >>> sorted(["Zoë", "Élodie", "emil", "Elodie", "Åsa", "花子"], key=name_key)
    ['Åsa', 'Elodie', 'Élodie', 'emil', 'Zoë', '花子']
    """
    # \x01 sorts before every letter: "Ann" stands before "Anna", however their spelling differs.
    return f"{re.sub(MARKS, '', normalize('NFKD', name)).translate(TABLE)}\x01{name}"


def _function() -> str:
    """Return the same in PostgreSQL's words; most names are plain ASCII and take the short way."""
    folded = f"translate(regexp_replace(normalize($1, NFKD), '{MARKS}', '', 'g'), '{FROM}', '{TO}')"
    for letter, letters in SEVERAL.items():
        folded = f"replace({folded}, '{letter}', '{letters}')"
    return f"""
CREATE OR REPLACE FUNCTION hanami_name_key(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length($1) = length($1) THEN lower($1 COLLATE "C") ELSE {folded} END || chr(1) || $1
$$
"""


class ByName(Func):
    """The key of a column of names, to order by."""

    function = "hanami_name_key"
    output_field = CharField()

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        """Compare by code point, as SQLite does, no matter what the database's collation is."""
        return self.as_sql(compiler, connection, template='(%(function)s(%(expressions)s) COLLATE "C")')


def connect() -> None:
    """Teach every SQLite connection the function; PostgreSQL keeps it."""
    connection_created.connect(_teach)


def _teach(sender: object, connection: Any, **_also: object) -> None:
    if connection.vendor == "sqlite":
        # deterministic: SQLite need not call it again for a constant.
        connection.connection.create_function("hanami_name_key", 1, _key_or_null, deterministic=True)


def _key_or_null(name: str | None) -> str | None:
    return None if name is None else name_key(name)


class IndexByName(NameIndex):
    """The order of one long list of names as an index."""

    pattern = "{table}_by_{column}"
    what = "Index the order of the names in {table}.{column}"

    def function(self) -> str:
        """Return what writes `hanami_name_key`."""
        return _function()

    def definition(self) -> str:
        """Return the order that `ByName` asks for, then that of the rows."""
        return f'((hanami_name_key({self.column}) COLLATE "C"), id)'
