"""Acts of owners on bots, and of operators on bots, people and workers.

Keyword-only; each raises BotError with a stable code and changes nothing then.
"""

from bots.services.activating import activate, retire
from bots.services.choosing_emblems import choose_emblem
from bots.services.creating import create_bot
from bots.services.draining import drain, go_on
from bots.services.forking import fork_version
from bots.services.hiding import hide, unhide
from bots.services.house import house_account, install_house_bot
from bots.services.naming import delete_bot, rename_bot
from bots.services.programs import create_program_bot
from bots.services.publishing import publish_source, withdraw_source
from bots.services.rechecking import may_retry, retry_check
from bots.services.suspending import lift_bot, lift_person, suspend_bot, suspend_person
from bots.services.uploading import plays_of, upload_version

__all__ = [
    "activate",
    "choose_emblem",
    "create_bot",
    "create_program_bot",
    "delete_bot",
    "drain",
    "fork_version",
    "go_on",
    "hide",
    "house_account",
    "install_house_bot",
    "lift_bot",
    "lift_person",
    "may_retry",
    "plays_of",
    "publish_source",
    "rename_bot",
    "retire",
    "retry_check",
    "suspend_bot",
    "suspend_person",
    "unhide",
    "upload_version",
    "withdraw_source",
]
