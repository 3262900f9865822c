#!/usr/bin/env python3
"""Compile locale/*/LC_MESSAGES/django.po to .mo; the same input gives the same bytes, and gettext need not be there.

python scripts/compile_messages.py            write the .mo files
python scripts/compile_messages.py --check    exit 1 if one of them differs from its .po
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "locale"
LINE = re.compile(r'^(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d)\])?)?\s*(".*")$')
Entry = dict[str, str]


def entries(text: str) -> Iterator[Entry]:
    """Return the entries of a .po file: "msgid", "msgstr" or "msgstr[0]", .. as they stand; comments are skipped."""
    for block in text.split("\n\n"):
        found: Entry = {}
        key = ""
        for line in block.splitlines():
            match = LINE.match(line)
            if match is None:
                continue
            key = match[1] or key
            found[key] = found.get(key, "") + ast.literal_eval(match[3])
        if "msgid" in found:
            yield found


def messages(text: str) -> dict[str, str]:
    """Return what a .mo file holds: key -> translation, untranslated ones left out."""
    found = {}
    for entry in entries(text):
        # As gettext looks entries up: EOT behind the context, NUL before the plural.
        key = (entry["msgctxt"] + "\x04" if "msgctxt" in entry else "") + entry["msgid"]
        if "msgid_plural" in entry:
            key += "\0" + entry["msgid_plural"]
            forms = [entry[name] for name in sorted(entry) if name.startswith("msgstr[")]
            translation = "\0".join(forms) if all(forms) else ""
        else:
            translation = entry.get("msgstr", "")
        if translation:
            found[key] = translation
    return found


def compiled(text: str) -> bytes:
    """Return the bytes of the .mo file of a .po file: little-endian, keys sorted, no hash table."""
    # Sorted as bytes: gettext finds a key by bisection.
    table = sorted((key.encode(), value.encode()) for key, value in messages(text).items())
    count, start = len(table), 28
    keys = b"".join(key + b"\0" for key, _ in table)
    words = b"".join(value + b"\0" for _, value in table)
    at_keys, at_words = start + 16 * count, start + 16 * count + len(keys)
    key_index = word_index = b""
    for key, value in table:
        key_index += struct.pack("<II", len(key), at_keys)
        word_index += struct.pack("<II", len(value), at_words)
        at_keys += len(key) + 1
        at_words += len(value) + 1
    # Magic number, revision, count, places of the two indexes, and a hash table of size 0 (gettext manual, "MO Files").
    head = struct.pack("<7I", 0x950412DE, 0, count, start, start + 8 * count, 0, start + 16 * count)
    return head + key_index + word_index + keys + words


def main(arguments: list[str]) -> int:
    """Return 0: done, or nothing to do; 1: `--check` found a difference."""
    stale = []
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/django.po")):
        target, data = source.with_suffix(".mo"), compiled(source.read_text(encoding="utf-8"))
        if target.exists() and target.read_bytes() == data:
            continue
        stale.append(target)
        if "--check" not in arguments:
            target.write_bytes(data)
    for target in stale:
        print(f"{target.relative_to(LOCALE.parent)}: {'differs from its .po' if '--check' in arguments else 'written'}")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
