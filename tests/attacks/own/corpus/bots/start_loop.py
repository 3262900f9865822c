"""start_loop: an endless loop in start(), deaf to every exception.

Family: clocks.  Contained outcome wanted: forfeit:timeout.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
def start(hello):
    while True:
        try:
            while True: sum(range(1000))
        except BaseException: pass

def choose(observation):
    return 0
