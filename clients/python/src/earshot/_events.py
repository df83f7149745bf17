"""Server-sent events, line by line (HTML Standard, section 9.2)."""

from __future__ import annotations

import json
from typing import List, Optional, cast

from ._models import AnalysisEvent

#: Event types after which a job has no more events.
ENDS = frozenset({"job.completed", "job.failed", "job.canceled"})
#: Long enough not to burden a service that is restarting, short enough for a progress display.
RECONNECT_SECONDS = 1.0
#: Streams in a row that may end at once without an event: with a proxy that cuts every stream, the client gives up within seconds.
EMPTY_STREAMS_MAX = 5
#: A stream that stayed open this long worked: the service closes every stream after five minutes, and a job may be queued for longer.
HEALTHY_SECONDS = 10


class EventReader:
    """Collects the lines of a stream; `feed` returns an event with the line that completes it."""

    def __init__(self) -> None:
        self._data: List[str] = []

    def feed(self, line: str) -> Optional[AnalysisEvent]:
        if line.startswith("data:"):
            self._data.append(line[len("data:") :].lstrip(" "))
            return None
        if line != "" or not self._data:
            return None
        text, self._data = "\n".join(self._data), []
        return cast(AnalysisEvent, json.loads(text))


def stream_headers(last_event_id: Optional[str]) -> "dict[str, str]":
    headers = {"accept": "text/event-stream"}
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    return headers
