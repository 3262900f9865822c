"""Limits of an upload: every number and word that the checks of this package use."""

from __future__ import annotations

import sys
from typing import Final

UPLOAD_BYTES: Final = 2 * 1024 * 1024
"""Size of the uploaded file itself."""
ENTRIES: Final = 64
TOTAL_BYTES: Final = 4 * 1024 * 1024
"""Size of all files together once unpacked."""
PATH_LENGTH: Final = 120
PATH_PARTS: Final = 4

ENTRY_FILE: Final = "bot.py"
MANIFEST_FILE: Final = "hanami.toml"
MANIFEST_BYTES: Final = 16 * 1024
NAME_LENGTH: Final = 60
PROTOCOLS: Final = (1,)

TEXT_EXTENSIONS: Final = frozenset({"py", "json", "toml", "txt", "csv"})
BINARY_EXTENSIONS: Final = frozenset({"bin", "npy"})
EXTENSIONS: Final = TEXT_EXTENSIONS | BINARY_EXTENSIONS
LEFT_OUT: Final = frozenset({"md"})
"""Kinds of files that an archive may hold and a bot does not get: `hanami new` writes a README.md."""

SOURCE_BYTES: Final = 512 * 1024
"""One Python file. Tables belong into an asset (json, npy, bin)."""
SOURCE_LINES: Final = 20_000
LINE_LENGTH: Final = 5_000
TOKENS: Final = 100_000
"""Of all Python files of an upload together: it bounds the work of the static check."""
# Far below the limits of CPython itself: 200 brackets, 100 indents.
BRACKET_DEPTH: Final = 60
INDENT_DEPTH: Final = 40
STATEMENT_TOKENS: Final = 20_000
"""Tokens in one logical line: keeps chains such as 1+1+1.. from becoming deep trees."""
PROBLEMS: Final = 20
"""Most problems that are reported; the rest is not looked for."""

SDK_MODULES: Final = frozenset({"hanami", "hanafuda", "engine", "numpy"})
"""Modules that a bot may import besides the standard library."""
_MISSING: Final = """
    aifc asynchat asyncio asyncore audioop bdb cProfile cgi cgitb chunk cmd code codeop compileall configparser crypt
    curses dbm distutils doctest email ensurepip filecmp fileinput ftplib getpass gzip http idlelib imaplib imghdr
    lib2to3 mailbox mailcap mimetypes modulefinder msilib nntplib optparse ossaudiodev pdb pipes pkgutil plistlib
    poplib profile pstats pty pyclbr pydoc quopri readline rlcompleter shelve shlex smtpd smtplib sndhdr socketserver
    sqlite3 ssl sunau symtable syslog tabnanny tarfile telnetlib tkinter tomllib trace turtle uu venv wave webbrowser
    wsgiref xdrlib xml xmlrpc zipapp zipfile
"""
MISSING_MODULES: Final = frozenset(_MISSING.split())
"""Modules of the standard library that a bot's process does not have (bots/runner/preload.py)."""
RESERVED_MODULES: Final = (
    frozenset(sys.stdlib_module_names)
    | SDK_MODULES
    | {"bots", "bot", "sitecustomize", "usercustomize", "__main__", "__init__"}
)
"""Top-level names that a file of an upload may not take (`bot` is the entry file itself)."""
# Files of these names cannot be made on Windows, where an owner may want the sources back.
DEVICE_NAMES: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
)
