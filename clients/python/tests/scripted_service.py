"""A service that answers from a list and records the requests it gets."""

from __future__ import annotations

from typing import List, Union

import httpx
import pytest

from earshot import Earshot

Answer = Union[int, httpx.Response]


class Scripted:
    """Gives its answers in turn, then refuses connections. A number is the status of an empty JSON answer that asks for no delay."""

    def __init__(self, *answers: Answer) -> None:
        self.answers: List[Answer] = list(answers)
        self.asked: List[httpx.Request] = []
        self.transport = httpx.MockTransport(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if not self.answers:
            raise httpx.ConnectError("connection refused")
        answer = self.answers.pop(0)
        if isinstance(answer, int):
            return httpx.Response(answer, json={}, headers={"retry-after": "0"})
        return answer


def client(script: Scripted) -> Earshot:
    return Earshot(api_key="es_live_x", base_url="http://service.test/", transport=script.transport, retries_max=3)


def record_sleeps(monkeypatch: pytest.MonkeyPatch) -> List[float]:
    """Records the seconds of every sleep instead of sleeping."""
    seconds: List[float] = []
    monkeypatch.setattr("time.sleep", seconds.append)
    return seconds


def job_answer(status: str, progress: float = 0) -> httpx.Response:
    return httpx.Response(200, json={"id": "job_1", "status": status, "progress": progress})
