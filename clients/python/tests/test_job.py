"""Waiting for a job, following its events, canceling it."""

from __future__ import annotations

import json
from typing import Iterator, List, Tuple

import httpx
import pytest

from earshot import AnalysisFailed, ApiError, ConnectionFailed, Earshot, EarshotError, Job

from .scripted_service import Scripted, client, job_answer, record_sleeps


def event_frame(id: str, kind: str) -> bytes:
    data = f'{{"id":"{id}","event_type":"{kind}","message":"","metadata":{{}},"created_at":""}}'
    return f"id: {id}\nevent: {kind}\ndata: {data}\n\n".encode()


def test_a_refused_stream_is_reopened_after_the_time_the_service_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = record_sleeps(monkeypatch)
    overloaded = httpx.Response(503, headers={"retry-after": "7"})
    with client(Scripted(overloaded, httpx.Response(200, content=event_frame("e1", "job.completed")))) as earshot:
        job = Job(earshot, {"id": "job_1"})  # type: ignore[typeddict-item]
        assert [event["id"] for event in job.events()] == ["e1"]
    assert waits == [7]


def test_an_event_may_have_several_lines_of_data_and_other_fields_are_skipped() -> None:
    lines = b'event: x\nid: 1\n\ndata:{"id":"e1",\ndata: "event_type":"job.progress"}\n\ndata: {"id":"e2","event_type":"job.completed"}\n\n'
    with client(Scripted(httpx.Response(200, content=lines))) as earshot:
        job = Job(earshot, {"id": "job_1"})  # type: ignore[typeddict-item]
        assert [event["id"] for event in job.events()] == ["e1", "e2"]


@pytest.mark.parametrize(
    ("stays_open_seconds", "ends_well"), [(300.0, True), (0.0, False)], ids=["stays open", "ends at once"]
)
def test_streams_without_events_are_reopened_only_if_they_stayed_open(
    monkeypatch: pytest.MonkeyPatch, stays_open_seconds: float, ends_well: bool
) -> None:
    now = [0.0]

    def read(number: int) -> Iterator[bytes]:
        now[0] += stays_open_seconds
        yield event_frame("e1", "job.completed") if number > 8 else b": still here\n\n"

    def quiet(_: httpx.Request) -> httpx.Response:
        streams.append(now[0])
        return httpx.Response(200, content=read(len(streams)))

    streams: List[float] = []
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Earshot(base_url="http://service.test", transport=httpx.MockTransport(quiet)) as earshot:
        job = Job(earshot, {"id": "job_1"})  # type: ignore[typeddict-item]
        if ends_well:
            assert [event["id"] for event in job.events()] == ["e1"]
        else:
            with pytest.raises(ConnectionFailed) as caught:
                list(job.events())
            assert (caught.value.__cause__, len(streams)) == (None, 5)


@pytest.mark.parametrize("failure", [httpx.ConnectTimeout("no answer"), httpx.Response(503)], ids=["unreachable", "refused"])
def test_a_stream_that_did_not_open_in_a_minute_did_not_stay_open(
    monkeypatch: pytest.MonkeyPatch, failure: "httpx.Response | httpx.ConnectTimeout"
) -> None:
    now = [0.0]

    def answer(_: httpx.Request) -> httpx.Response:
        now[0] += 60
        assert now[0] <= 5 * 60
        if isinstance(failure, httpx.Response):
            return failure
        raise failure

    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Earshot(base_url="http://service.test", transport=httpx.MockTransport(answer)) as earshot:
        with pytest.raises(EarshotError):
            list(Job(earshot, {"id": "job_1"}).events())  # type: ignore[typeddict-item]
    assert now[0] == 5 * 60


def test_interrupted_streams_are_a_failed_connection_whose_cause_is_the_last_network_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits = record_sleeps(monkeypatch)
    script = Scripted(httpx.Response(200, content=event_frame("e1", "job.progress")))
    with client(script) as earshot:
        events = Job(earshot, {"id": "job_1"}).events()  # type: ignore[typeddict-item]
        assert next(events)["id"] == "e1"
        with pytest.raises(ConnectionFailed, match="^The event stream of job_1 was interrupted repeatedly$") as caught:
            next(events)
    assert repr(caught.value.__cause__) == "ConnectError('connection refused')"
    # Each stream is resumed after the last event received, a second after the one before it.
    assert [request.headers.get("last-event-id") for request in script.asked] == [None, *["e1"] * 5]
    assert waits == [1] * 6


def test_streams_whose_events_are_not_json_are_a_failed_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    record_sleeps(monkeypatch)
    script = Scripted(*[httpx.Response(200, content=b"data: It works!\n\n") for _ in range(5)])
    with client(script) as earshot, pytest.raises(ConnectionFailed) as caught:
        list(Job(earshot, {"id": "job_1"}).events())  # type: ignore[typeddict-item]
    assert isinstance(caught.value.__cause__, json.JSONDecodeError)


def test_a_log_that_has_nothing_more_to_send_ends() -> None:
    script = Scripted(204)
    with client(script) as earshot:
        assert list(Job(earshot, {"id": "job_1"}).events()) == []  # type: ignore[typeddict-item]
    assert len(script.asked) == 1


def already_finished() -> httpx.Response:
    return httpx.Response(409, json={"detail": "It has ended.", "code": "already_finished"})


def test_canceling_succeeds_if_the_job_is_canceled_already_or_an_answer_is_lost() -> None:
    script = Scripted(
        job_answer("queued"),
        503,
        already_finished(),
        job_answer("canceled"),
        already_finished(),
        job_answer("canceled"),
    )
    with client(script) as earshot:
        job = earshot.analyses.get("job_1")
        for _ in range(2):
            job.cancel()
            assert job.status == "canceled"
    assert [request.method for request in script.asked] == ["GET", "POST", "POST", "GET", "POST", "GET"]


def test_canceling_a_completed_job_is_refused() -> None:
    script = Scripted(job_answer("processing"), already_finished(), job_answer("completed"))
    with client(script) as earshot:
        job = earshot.analyses.get("job_1")
        with pytest.raises(ApiError) as caught:
            job.cancel()
    assert (caught.value.code, job.status) == ("already_finished", "completed")


def test_the_wait_asked_of_the_service_is_added_to_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    record_sleeps(monkeypatch)
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    script = Scripted(job_answer("queued"), job_answer("queued"))
    with Earshot(base_url="http://service.test", transport=script.transport, timeout_seconds=5) as earshot:
        earshot.analyses.get("job_1").refresh(wait_seconds=30)
    timeouts = [request.extensions["timeout"]["read"] for request in script.asked]
    assert (timeouts, script.asked[1].headers["prefer"]) == ([5, 35], "wait=30")


def test_waiting_for_a_deleted_result_says_so() -> None:
    script = Scripted(job_answer("completed"), httpx.Response(200, json={"status": "completed", "error": None, "result": None}))
    with client(script) as earshot, pytest.raises(AnalysisFailed, match="The result was deleted") as caught:
        earshot.analyses.get("job_1").wait()
    assert caught.value.code == "result_deleted"


def test_progress_of_a_finished_job_is_reported_once() -> None:
    result = httpx.Response(200, json={"status": "completed", "error": None, "result": {}})
    script = Scripted(job_answer("completed", 1), result)
    reported: List[str] = []
    with client(script) as earshot:
        earshot.analyses.get("job_1").wait(on_progress=lambda job: reported.append(job.status))
    assert reported == ["completed"]


def test_a_job_is_polled_when_too_many_streams_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    record_sleeps(monkeypatch)
    refusals = [httpx.Response(429, json={"detail": "Too many streams.", "code": "rate_limited"}) for _ in range(5)]
    result = httpx.Response(200, json={"status": "completed", "error": None, "result": {}})
    script = Scripted(job_answer("queued"), *refusals, job_answer("processing", 0.75), job_answer("completed", 1), result)
    reported: List[Tuple[str, float]] = []
    with client(script) as earshot:
        job = earshot.analyses.get("job_1")
        job.wait(on_progress=lambda job: reported.append((job.status, job.progress)))
    assert reported == [("processing", 0.75), ("completed", 1)]


def test_a_stream_that_is_refused_repeatedly_raises_the_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    refusals = [httpx.Response(429, json={"detail": "Too many streams.", "code": "rate_limited"}) for _ in range(5)]
    script = Scripted(job_answer("queued"), *refusals)
    with client(script) as earshot, pytest.raises(ApiError, match="Too many streams"):
        list(earshot.analyses.get("job_1").events())


def test_an_error_of_on_progress_is_raised_even_if_it_looks_like_a_refused_stream() -> None:
    progress = b'data: {"id":"e1","event_type":"analysis.progress","metadata":{"stage":"beats","progress":0.5}}\n\n'
    overloaded = ApiError(503, {"detail": "Another service is overloaded."}, None)

    def fail(_: Job) -> None:
        raise overloaded

    script = Scripted(job_answer("queued"), httpx.Response(200, content=progress), job_answer("completed", 1))
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.analyses.get("job_1").wait(on_progress=fail)
    assert (caught.value, len(script.asked)) == (overloaded, 2)
