"""Engine tests are bounded by examples, never by the clock of a busy machine."""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
