"""What every upload is put through, on the service and at home alike: pure of Django. See README.md."""

from bots.saying import LocalizedMessage, say
from bots.trials.findings import Finding
from bots.trials.running import Judge, run
from bots.trials.tables import Candidate, Sitting

__all__ = ["Candidate", "Finding", "Judge", "LocalizedMessage", "Sitting", "run", "say"]
