"""Settings of the search for properties: the same examples in every run, and never by the clock of a busy machine."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

IS_SEARCH = bool(os.environ.get("HANAMI_SEARCH"))

settings.register_profile(
    "steady", deadline=None, derandomize=not IS_SEARCH, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")
