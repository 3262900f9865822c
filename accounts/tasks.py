"""Wake-ups of this app: "come and look", nothing else."""

from celery import shared_task

from accounts.posting import TASK
from accounts.sending import send_waiting


@shared_task(name=TASK)
def send_letters() -> None:
    """Send the mails about accounts that wait."""
    send_waiting()
