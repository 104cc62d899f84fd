"""An object store that waits before every answer, as far as reading one file goes: what a scan across a network meets.

    python benchmarks/slow_store.py FOLDER SECONDS

prints its port and serves the files of FOLDER as objects of any bucket, at ``s3://bucket/NAME``, until it is killed.
"""

from __future__ import annotations

import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

__all__ = ["serve"]


def serve(folder: Path, seconds: float) -> ThreadingHTTPServer:
    """Return a server, not started yet, on a free port of this machine."""

    class Store(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections stay open, as those of real stores

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            time.sleep(seconds)
            path = folder / self.path.partition("?")[0].rpartition("/")[2]
            if not path.is_file():
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            size = path.stat().st_size
            asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            first, last = (int(asked[1]), min(int(asked[2]), size - 1)) if asked else (0, size - 1)
            self.send_response(206 if asked else 200)
            self.send_header("Content-Length", str(last + 1 - first))
            self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
            self.send_header("ETag", '"1"')
            if asked:
                self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
            self.end_headers()
            if body:
                with path.open("rb") as file:
                    file.seek(first)
                    self.wfile.write(file.read(last + 1 - first))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    return Server(("127.0.0.1", 0), Store)


if __name__ == "__main__":
    server = serve(Path(sys.argv[1]), float(sys.argv[2]))
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()
