"""start_sleeps: sleep in start() for longer than anybody waits.

Family: clocks.  Contained outcome wanted: forfeit:timeout.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import time

def start(hello):
    time.sleep(20)

def choose(observation):
    return 0
