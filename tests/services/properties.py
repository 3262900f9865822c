"""How properties are searched: with the same examples in every run, and never by the clock of a busy machine.

A run that draws its examples again may fail by chance in somebody's hands, for a bug that was there all along. Who
wants to look for such bugs sets HANAMI_SEARCH=1: then every run tries other examples.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

IS_SEARCH = bool(os.environ.get("HANAMI_SEARCH"))

settings.register_profile(
    "steady", deadline=None, derandomize=not IS_SEARCH, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")
