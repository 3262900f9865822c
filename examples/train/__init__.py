"""From nothing to a bot with a net: see README.md."""

import sys

import bots.sdk

# The example runs in a clone, where no bot's process provides the module that bots import.
sys.modules.setdefault("hanami", bots.sdk)
