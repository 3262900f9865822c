"""self_frames: walk the frames below and the objects about for what the fork server knows: pids, launches, children.

Family: process.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "self_frames"
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
    import gc, sys
    wanted = {P.get("worker_pid"), P.get("peer_pid")} - {None}
    frame, seen = sys._getframe(), []
    while frame is not None:
        if frame.f_code.co_filename != "bot.py": seen += list(frame.f_locals.items())
        frame = frame.f_back
    for name, value in seen:
        if name in ("number", "pid", "request", "worker_pid", "zygote_pid"): breach("a frame shows %s" % name)
        if type(value) is int and value in wanted: breach("a frame has %s, a process id" % name)
        for inner, what in list(getattr(value, "__dict__", {}).items()):
            if type(what) is int and what in wanted: breach("%s.%s is a process id" % (name, inner))
            if isinstance(what, dict) and what and "child" in inner: breach("%s.%s has children" % (name, inner))
    for each in gc.get_objects():
        if type(each).__name__ in ("ForkServer", "Child"): breach("the fork server is about")
        if type(each) is dict and set(each) == {"id", "probe"}: breach("a request is about")

_done = False

def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
