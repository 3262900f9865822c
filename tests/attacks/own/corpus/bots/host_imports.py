"""host_imports: import what is not for bots: the service, its database, its queue, package tools.

Family: information.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "host_imports"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

def attack(observation):
    import importlib, sys
    for name in ("django", "celery", "redis", "psycopg", "sqlite3", "bots.models", "bots.runner.zygote", "bots.runner.control", "tournaments", "accounts", "config.settings",
                 "pip", "setuptools", "bots.runner.inprocess", "bots.jobs", "numpy.distutils", "_ssl", "ssl", "asyncio"):
        try: importlib.import_module(name); breach("imported " + name)
        except Exception: pass
    for name, module in list(sys.modules.items()):
        for kept in ("SECRET_KEY", "DATABASES", "PASSWORD"):
            if hasattr(module, kept): breach(name + "." + kept)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
