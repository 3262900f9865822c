"""answer_lies_about_exit: ends with the exit codes and signals of others (70, 137, 9).

Family: protocol.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "answer_lies_about_exit"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import os
def choose(observation): os._exit(137)
