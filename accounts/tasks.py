"""Doorbells of this app: "come and look", nothing else."""

from celery import shared_task

from accounts.resetting import TASK, send_waiting


@shared_task(name=TASK)
def send_resets() -> None:
    """Links for forgotten passwords were asked for."""
    send_waiting()
