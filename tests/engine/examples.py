"""The number of examples of a property: as many as it says, or few and always the same for `make mutants`."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import Phase, settings

FEW: Final = 12
PROFILE: Final = "engine-few" if os.environ.get("HANAMI_FEW_EXAMPLES") else "engine"

settings.register_profile("engine", deadline=None, derandomize=not os.environ.get("HANAMI_SEARCH"))
settings.register_profile(
    "engine-few",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=FEW,
    phases=[Phase.explicit, Phase.generate],
)


def examples(number: int) -> settings:
    """A property's own number of examples; never more than FEW in the few-examples profile."""
    parent = settings.get_profile(PROFILE)
    return settings(parent, max_examples=min(number, FEW) if PROFILE == "engine-few" else number)
