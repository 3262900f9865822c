"""Words of the guarded world: each names a person and a secret of theirs."""

from __future__ import annotations

import hashlib


def word(who: str, kind: str) -> str:
    """Make a word that stands nowhere else: plain letters and digits, so that no page writes it differently."""
    return f"hush{hashlib.sha256(f'{who}/{kind}'.encode()).hexdigest()[:12]}{kind}"
