"""Limits in time that hold to the last byte: httpx alone restarts its timeout with every phase of a request and with every chunk."""

from __future__ import annotations

import math
import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import Any, Iterator, Mapping, Optional

import httpx

#: Zero would mean a socket that does not wait at all.
_SHORTEST_SECONDS = 0.001


def seconds_left(deadline_seconds: Optional[float]) -> float:
    """Time until a moment of the monotonic clock; infinite if there is no deadline."""
    return math.inf if deadline_seconds is None else deadline_seconds - time.monotonic()


class TimeLeft(Mapping[str, float]):
    """The timeouts of a request, as its extension `timeout`.

    httpcore reads each when its phase begins, so it is what the earlier phases left.
    """

    def __init__(self, deadline_seconds: Optional[float], limit_seconds: float = math.inf) -> None:
        self._deadline_seconds = deadline_seconds
        self._limit_seconds = limit_seconds

    def __getitem__(self, phase: str) -> float:
        return max(_SHORTEST_SECONDS, min(self._limit_seconds, seconds_left(self._deadline_seconds)))

    def __iter__(self) -> Iterator[str]:
        return iter(("pool", "connect", "write", "read"))

    def __len__(self) -> int:
        return 4


@contextmanager
def cut_off(response: httpx.Response, deadline_seconds: Optional[float]) -> Iterator[None]:
    """Reads of the body end at the deadline, with an error: the connection is shut down then.

    No public setting limits them in the blocking client.
    """
    stream = response.extensions.get("network_stream")
    if stream is None or deadline_seconds is None:
        yield
        return
    timer = threading.Timer(max(0.0, seconds_left(deadline_seconds)), _shut_down, [stream])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _shut_down(stream: Any) -> None:
    # A copy of the descriptor: event loops wrap their sockets in objects that cannot be shut down. An error means that it is closed
    # already.
    with suppress(OSError, ValueError):
        with socket.fromfd(stream.get_extra_info("socket").fileno(), socket.AF_INET, socket.SOCK_STREAM) as copy:
            copy.shutdown(socket.SHUT_RDWR)
