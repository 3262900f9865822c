"""What an upload may be: every number and word that the checks of this package use."""

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

SOURCE_BYTES: Final = 512 * 1024
"""One Python file. Tables belong into an asset (json, npy, bin)."""
SOURCE_LINES: Final = 20_000
LINE_LENGTH: Final = 5_000
TOKENS: Final = 200_000
BRACKET_DEPTH: Final = 60
INDENT_DEPTH: Final = 40
STATEMENT_TOKENS: Final = 20_000
"""Tokens in one logical line: keeps chains such as 1+1+1.. from becoming deep trees."""
PROBLEMS: Final = 20
"""So many problems are reported; the rest is not looked for."""

SDK_MODULES: Final = frozenset({"hanami", "engine", "numpy"})
"""What a bot may import besides the standard library."""
RESERVED_MODULES: Final = (
    frozenset(sys.stdlib_module_names)
    | SDK_MODULES
    | {"bots", "bot", "sitecustomize", "usercustomize", "__main__", "__init__"}
)
"""Top-level names that a file of an upload may not take (`bot` is the entry file itself)."""
DEVICE_NAMES: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
)
