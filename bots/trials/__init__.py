"""The trial of every upload, on the service and at home alike, without Django. See README.md."""

from bots.localization import LocalizedMessage, render_message
from bots.trials.findings import Finding
from bots.trials.running import ClockCheck, run
from bots.trials.tables import Candidate, Sitting

__all__ = ["Candidate", "ClockCheck", "Finding", "LocalizedMessage", "Sitting", "render_message", "run"]
