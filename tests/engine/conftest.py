"""Engine tests are bounded by examples, never by the clock of a busy machine."""

from hypothesis import settings

from tests.engine import examples

settings.load_profile(examples.PROFILE)
