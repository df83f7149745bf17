from __future__ import annotations

import os
import threading
import uuid
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Dict, Iterator, Tuple

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def service_url() -> str:
    url = os.environ.get("EARSHOT_URL")
    assert url, "These tests need a running service: npm run test:python starts one"
    return url


@pytest.fixture(scope="session")
def song() -> Path:
    return REPOSITORY / "examples" / "sample-song" / "two-doors-down.mp3"


@pytest.fixture()
def email() -> str:
    return f"python-{uuid.uuid4()}@example.com"


@dataclass
class Receiver:
    """A webhook receiver that keeps the raw bytes, which are what the signature covers."""

    url: str
    calls: "Queue[Tuple[Dict[str, str], bytes]]"


@pytest.fixture()
def receiver() -> Iterator[Receiver]:
    calls: "Queue[Tuple[Dict[str, str], bytes]]" = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(204)
            self.end_headers()
            calls.put((dict(self.headers.items()), body))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Receiver(f"http://127.0.0.1:{server.server_port}/hook", calls)
    server.shutdown()
    thread.join()
    server.server_close()
