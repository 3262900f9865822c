"""Fixtures of the accounts' tests: a worker process in this one, with a real sandbox."""

from tests.pipeline.conftest import process, sandbox

__all__ = ["process", "sandbox"]
