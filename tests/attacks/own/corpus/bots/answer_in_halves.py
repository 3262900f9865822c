"""answer_in_halves: an answer in two packets, neither of which is one.

Family: protocol.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import os

_q = 0
def choose(observation):
    global _q
    _q += 1
    os.write(3, b'{"q":%d,' % _q)
    os.write(3, b'"a":7}')
    return 0
