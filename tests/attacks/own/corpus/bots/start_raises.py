"""start_raises: raise in start() what is no Exception.

Family: protocol.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
def start(hello):
    raise KeyboardInterrupt

def choose(observation):
    return 0
