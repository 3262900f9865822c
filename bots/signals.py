"""Signals about bots for other apps. This app imports none of them; they connect when they are loaded."""

from typing import Final

from django.dispatch import Signal

# A bot has another name, in the transaction of the change. bot: with its new name.
bot_renamed: Final = Signal()
