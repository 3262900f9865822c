"""What owners do to bots. Keyword-only; each raises BotError with a stable code and changes nothing then."""

from bots.services.activating import activate, retire, rollback
from bots.services.creating import create_bot
from bots.services.hiding import hide, unhide
from bots.services.house import house_account, install_house_bot
from bots.services.rechecking import may_retry, retry_check
from bots.services.uploading import upload_version

__all__ = [
    "activate",
    "create_bot",
    "hide",
    "house_account",
    "install_house_bot",
    "may_retry",
    "retire",
    "retry_check",
    "rollback",
    "unhide",
    "upload_version",
]
