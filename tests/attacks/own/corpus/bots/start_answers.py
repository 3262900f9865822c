"""start_answers: answer the first questions while it is loaded.

Family: protocol.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import os

def start(hello):
    for q in (1, 2, 3): os.write(3, b'{"q":%d,"a":7}' % q)

def choose(observation):
    return 0
