"""start_exit: leave in start(), with the exit code of success.

Family: processes.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import os

def start(hello):
    os._exit(0)

def choose(observation):
    return 0
