"""The receiver that the documentation shows. A test runs it against a real sender."""

from typing import Final

RECEIVER: Final = '''\
import hashlib, hmac, http.server, json, os, time

SECRET = os.environ["HOOK_SECRET"].encode()

def is_ours(header, body, now):
    """Whether the body was signed with our secret within the last five minutes."""
    parts = [part.partition("=") for part in header.split(",")]
    at = next((value for name, _, value in parts if name == "t"), "")
    if not at.isdecimal() or abs(now - int(at)) > 300:
        return False
    wanted = hmac.new(SECRET, at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, wanted) for name, _, value in parts)

class Receiver(http.server.BaseHTTPRequestHandler):
    seen = set()  # what comes twice has the same id; keep them longer than a process lives

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if is_ours(self.headers["Hf-Signature"] or "", body, time.time()):
            news = json.loads(body)
            if news["id"] not in self.seen:
                self.seen.add(news["id"])
                print(news["kind"], news["at"], news["what"], news["url"], flush=True)
            self.send_response(204)  # answer at once; do what takes long afterwards
        else:
            self.send_response(400)
        self.end_headers()

if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
'''
