"""Time limits hold to the last byte of the last request, on a clock that moves only when something waits."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, AsyncIterator, Callable, Iterator, List

import httpx
import pytest

from earshot import ApiError, AsyncEarshot, ConnectionFailed, Earshot, WaitTimeout

from .scripted_service import Scripted, client, job_answer


class Clock:
    """Takes the place of the modules `time` and `threading`: a timer fires soon after the service stalls, and moves the clock by its
    whole interval.
    """

    def __init__(self) -> None:
        self.now_seconds = 0.0
        self.stalled = threading.Event()

    def monotonic(self) -> float:
        return self.now_seconds

    def sleep(self, seconds: float) -> None:
        self.now_seconds += seconds

    def Timer(self, interval_seconds: float, fire: Callable[..., None], args: List[Any]) -> threading.Timer:
        def advance() -> None:
            self.stalled.wait()
            # By then the client usually waits for the next byte. If it does not yet, the limits hold all the same.
            if not timer.finished.wait(0.05):
                self.stalled.clear()
                self.now_seconds += interval_seconds
                fire(*args)

        timer = threading.Timer(0, advance)
        return timer


@pytest.fixture()
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in ("_deadline", "_client", "_async_client", "_job"):
        monkeypatch.setattr(f"earshot.{module}.time", clock)
    monkeypatch.setattr("earshot._deadline.threading", clock)
    return clock


@pytest.fixture()
def stalling_url(clock: Clock) -> Iterator[str]:
    """Describes a queued job; every other response begins and then stalls until the client hangs up."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            if self.path == "/v1/analyses/job_1":
                self.wfile.write(b'{"id": "job_1", "status": "queued", "progress": 0}')
                return
            self.wfile.write(b": still here\n\n")
            clock.stalled.set()
            self.rfile.read()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_response_that_stalls_is_cut_off_at_the_timeout(clock: Clock, stalling_url: str) -> None:
    with Earshot(base_url=stalling_url, timeout_seconds=30, retries_max=0) as earshot:
        with pytest.raises(ConnectionFailed) as caught:
            earshot.request("GET", "/x")
    assert (str(caught.value.__cause__), clock.now_seconds) == ("Not done within 30 s", 30)


def test_so_is_one_of_the_client_for_asyncio(clock: Clock, stalling_url: str) -> None:
    async def ask() -> None:
        async with AsyncEarshot(base_url=stalling_url, timeout_seconds=30, retries_max=0) as earshot:
            await earshot.request("GET", "/x")

    with pytest.raises(ConnectionFailed) as caught:
        asyncio.run(ask())
    assert (str(caught.value.__cause__), clock.now_seconds) == ("Not done within 30 s", 30)


def test_a_response_that_trickles_in_is_cut_off_at_the_timeout(clock: Clock) -> None:
    def trickle() -> Iterator[bytes]:
        for _ in range(100):
            clock.sleep(1)
            yield b" "

    script = Scripted(httpx.Response(200, content=trickle()))
    with Earshot(base_url="http://service.test", transport=script.transport, timeout_seconds=30, retries_max=0) as earshot:
        with pytest.raises(ConnectionFailed) as caught:
            earshot.request("GET", "/x")
    assert (str(caught.value.__cause__), clock.now_seconds) == ("Not done within 30 s", 30)


def test_so_is_one_that_trickles_in_to_the_client_for_asyncio(clock: Clock) -> None:
    async def trickle() -> AsyncIterator[bytes]:
        for _ in range(100):
            clock.sleep(1)
            yield b" "

    async def ask() -> None:
        transport = Scripted(httpx.Response(200, content=trickle())).transport
        async with AsyncEarshot(base_url="http://service.test", transport=transport, timeout_seconds=30, retries_max=0) as earshot:
            await earshot.request("GET", "/x")

    with pytest.raises(ConnectionFailed) as caught:
        asyncio.run(ask())
    assert (str(caught.value.__cause__), clock.now_seconds) == ("Not done within 30 s", 30)


def test_a_wait_ends_in_time_if_the_event_stream_has_only_comments(clock: Clock) -> None:
    def comments() -> Iterator[bytes]:
        for _ in range(100):
            clock.sleep(1)
            yield b": still here\n\n"

    script = Scripted(job_answer("queued"), httpx.Response(200, content=comments()), job_answer("queued"))
    with client(script) as earshot, pytest.raises(WaitTimeout, match="job_1 is queued after 20 s"):
        earshot.analyses.get("job_1").wait(on_progress=lambda _: None, timeout_seconds=20)
    assert clock.now_seconds == 20


def test_a_wait_ends_in_time_if_the_event_stream_stalls(clock: Clock, stalling_url: str) -> None:
    with Earshot(base_url=stalling_url) as earshot:
        job = earshot.analyses.get("job_1")
        with pytest.raises(WaitTimeout, match="job_1 is queued after 20 s"):
            job.wait(on_progress=lambda _: None, timeout_seconds=20)
    assert clock.now_seconds == 20


def test_each_phase_of_a_request_gets_the_time_that_is_left(clock: Clock) -> None:
    timeouts: List[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        for phase in ("pool", "connect", "write", "read"):
            timeouts.append(request.extensions["timeout"].get(phase))
            clock.sleep(4)
        return job_answer("queued")

    with Earshot(base_url="http://service.test", transport=httpx.MockTransport(answer), timeout_seconds=20) as earshot:
        earshot.analyses.get("job_1")
    assert timeouts == [20, 16, 12, 8]


def wait_ten_seconds(answer: Callable[[httpx.Request], httpx.Response]) -> None:
    """For a job that is queued at first; `answer` gets all other requests."""
    first = [job_answer("queued")]
    transport = httpx.MockTransport(lambda request: first.pop() if first else answer(request))
    with Earshot(base_url="http://service.test", transport=transport) as earshot:
        earshot.analyses.get("job_1").wait(timeout_seconds=10)


def test_a_wait_limits_the_requests_it_makes(clock: Clock) -> None:
    timeouts: List[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        timeouts.append(request.extensions["timeout"]["read"])
        return job_answer("queued")

    # The service does not hold its responses, so it is asked once a second.
    with pytest.raises(WaitTimeout, match="job_1 is queued after 10 s"):
        wait_ten_seconds(answer)
    assert (timeouts, clock.now_seconds) == ([11, 10, 9, 8, 7, 6, 5, 4, 3, 2], 10)


def test_a_wait_ends_a_second_late_at_most(clock: Clock) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if clock.now_seconds == 0:
            clock.sleep(9.5)
            return httpx.Response(200, json={"id": "job_1", "status": "queued"}, headers={"preference-applied": "wait"})
        clock.sleep(request.extensions["timeout"]["read"])
        raise httpx.ReadTimeout("stalled")

    with pytest.raises(WaitTimeout):
        wait_ten_seconds(answer)
    assert clock.now_seconds == 11


def test_a_wait_does_not_retry_past_its_end(clock: Clock) -> None:
    with pytest.raises(ApiError) as caught:
        wait_ten_seconds(lambda _: httpx.Response(503, headers={"retry-after": "7"}))
    assert (caught.value.retry_after_seconds, clock.now_seconds) == (7, 7)
