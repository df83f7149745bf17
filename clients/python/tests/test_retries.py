"""A service that answers from a list, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import io
import json
import time
from typing import Any, AsyncIterator, Dict, Iterator, List, Optional, Union

import httpx
import pytest

from earshot import AnalysisFailed, ApiError, AsyncEarshot, ConnectionFailed, Earshot, Job, WaitTimeout
from earshot._request import backoff_seconds

Answer = Union[int, httpx.Response]


class Scripted:
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


PAGE = httpx.Response(200, html="<!doctype html>Sign in to this network")
CUT = httpx.Response(200, content=b'{"id": "job_', headers={"content-type": "application/json"})


@pytest.mark.parametrize("answer", [PAGE, CUT])
def test_what_is_no_json_is_no_answer_of_the_service(answer: httpx.Response) -> None:
    with client(Scripted(*[answer] * 6)) as earshot:
        for ask in (
            lambda: earshot.analyses.get("job_1"),
            lambda: earshot.analyses.create(url="https://example.com/song.mp3"),
            lambda: earshot.analyses.create(file=b"song"),
            lambda: next(iter(earshot.analyses.list())),
            lambda: earshot.collections.replace_items("col_1", [], 1),
            lambda: earshot.request("GET", "/v1/usage"),
        ):
            with pytest.raises(ConnectionFailed, match="http://service.test answered with something else than JSON"):
                ask()


def test_a_redirect_is_not_followed_and_told() -> None:
    script = Scripted(httpx.Response(301, headers={"location": "https://service.test/x"}))
    with client(script) as earshot, pytest.raises(ApiError, match="301 and leads on to https://service.test/x. Redirects are not followed: if the service is there, use that"):
        earshot.request("POST", "/x")
    assert len(script.asked) == 1


def test_an_answer_that_cannot_be_unpacked_is_asked_for_again() -> None:
    broken = httpx.Response(200, stream=httpx.ByteStream(b"no gzip"), headers={"content-encoding": "gzip"})
    with client(Scripted(broken, 200)) as earshot:
        assert earshot.request("GET", "/x") == {}


@pytest.mark.parametrize("base_url", ["localhost:8080", "service.test", ""])
@pytest.mark.parametrize("make", [Earshot, AsyncEarshot])
def test_an_address_without_a_scheme_is_refused_at_once(make: type, base_url: str) -> None:
    with pytest.raises(ValueError, match=f'base_url has to begin with http:// or https://, which "{base_url}" does not'):
        make(base_url=base_url)


def test_a_read_is_repeated_until_it_passes() -> None:
    script = Scripted(503, 429, httpx.Response(200, json={"fine": True}))
    with client(script) as earshot:
        assert earshot.request("GET", "/v1/usage", query={"a": 1, "b": None}) == {"fine": True}
    assert [str(request.url) for request in script.asked] == ["http://service.test/v1/usage?a=1"] * 3
    assert script.asked[0].headers["authorization"] == "Bearer es_live_x"


def test_a_post_is_repeated_only_with_an_idempotency_key_and_with_the_same_one() -> None:
    bare = Scripted(503, 200)
    with client(bare) as earshot, pytest.raises(ApiError):
        earshot.request("POST", "/x")
    assert len(bare.asked) == 1
    keyed = Scripted(503, 200)
    with client(keyed) as earshot:
        earshot.request("POST", "/x", idempotency_key="abcdefgh")
    assert [request.headers["idempotency-key"] for request in keyed.asked] == ["abcdefgh"] * 2


def test_songs_are_added_to_a_collection_again_where_an_answer_was_lost() -> None:
    script = Scripted(503, 200)
    with client(script) as earshot:
        earshot.collections.add("col_1", ["job_1"])
    first, second = (request.headers["idempotency-key"] for request in script.asked)
    assert first == second


def test_what_cannot_pass_is_told_at_once() -> None:
    refusal = httpx.Response(
        402, json={"detail": "Used up.", "code": "quota_exceeded"}, headers={"x-request-id": "req_1"}
    )
    script = Scripted(refusal)
    with client(script) as earshot, pytest.raises(ApiError, match="Used up") as caught:
        earshot.request("GET", "/x")
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (402, "quota_exceeded", "req_1")
    faults = Scripted(httpx.Response(422, json={"detail": [{"loc": ["body", "email"], "msg": "Field required"}]}))
    with client(faults) as earshot, pytest.raises(ApiError, match="body.email: Field required"):
        earshot.request("POST", "/x")


@pytest.mark.parametrize(
    "body",
    [
        {"detail": ["no"]},
        {"detail": []},
        {"detail": [{"msg": "no", "loc": None}]},
        {"detail": {"why": "no"}},
        {"error": "no"},
        ["no"],
        "no",
    ],
)
def test_an_answer_that_is_not_the_services_own_is_an_error_like_any_other(body: Any) -> None:
    # As a gateway in between may give it.
    with client(Scripted(httpx.Response(400, json=body))) as earshot, pytest.raises(ApiError, match="400"):
        earshot.request("GET", "/x")


def test_it_gives_up_after_the_last_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    script = Scripted()
    with client(script) as earshot, pytest.raises(ConnectionFailed):
        earshot.request("GET", "/x")
    assert len(script.asked) == 4


def test_lists_are_followed_page_by_page() -> None:
    script = Scripted(
        httpx.Response(200, json=[{"id": 1}, {"id": 2}], headers={"link": '</v1/things?after=2>; rel="next"'}),
        httpx.Response(200, json=[{"id": 3}]),
    )
    with client(script) as earshot:
        assert [item["id"] for item in earshot.iterate("/v1/things", query={"limit": 2})] == [1, 2, 3]
    assert script.asked[1].url.params["after"] == "2"


def test_the_asynchronous_client_does_the_same() -> None:
    async def walk() -> List[int]:
        script = Scripted(
            503,
            httpx.Response(200, json=[{"id": 1}], headers={"link": '</v1/things?after=1>; rel="next"'}),
            httpx.Response(200, json=[{"id": 2}]),
        )
        async with AsyncEarshot(base_url="http://service.test", transport=script.transport) as earshot:
            return [item["id"] async for item in earshot.iterate("/v1/things")]

    assert asyncio.run(walk()) == [1, 2]


def slept(monkeypatch: pytest.MonkeyPatch) -> List[float]:
    """The seconds of each wait from here on, of which none is waited."""
    seconds: List[float] = []
    monkeypatch.setattr("time.sleep", seconds.append)
    return seconds


def test_the_wait_is_as_long_as_the_service_asks_up_to_the_minute_of_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = slept(monkeypatch)
    limited = [httpx.Response(429, headers={"retry-after": asked}) for asked in ("7", "60")]
    with client(Scripted(*limited, 200)) as earshot:
        earshot.request("GET", "/x")
    assert waits == [7, 60]


def test_a_stream_is_opened_again_when_the_service_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = slept(monkeypatch)
    overloaded = httpx.Response(503, headers={"retry-after": "7"})
    with client(Scripted(overloaded, httpx.Response(200, content=event_frame("e1", "job.completed")))) as earshot:
        job = Job(earshot, {"id": "job_1"})  # type: ignore[typeddict-item]
        assert [event["id"] for event in job.events()] == ["e1"]
    assert waits == [7]


def test_a_service_that_asks_for_longer_is_not_asked_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = slept(monkeypatch)
    script = Scripted(httpx.Response(429, json={"code": "rate_limited"}, headers={"retry-after": "61"}), 200)
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.request("GET", "/x")
    assert (caught.value.code, caught.value.retry_after_seconds) == ("rate_limited", 61)
    assert (len(script.asked), waits) == (1, [])


@pytest.mark.parametrize("asked", ["", "-7", "soon", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_a_wait_nobody_can_read_is_its_own(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    waits = slept(monkeypatch)
    monkeypatch.setattr("random.random", lambda: 1.0)
    with client(Scripted(httpx.Response(503, headers={"retry-after": asked}), 200)) as earshot:
        earshot.request("GET", "/x")
    assert waits == [0.4]


def test_a_wait_of_its_own_doubles_with_jitter_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.random", lambda: 1.0)
    assert [backoff_seconds(attempt) for attempt in (0, 1, 2, 10)] == [0.4, 0.8, 1.6, 20]
    monkeypatch.setattr("random.random", lambda: 0.0)
    assert backoff_seconds(3) == 0


class BreaksOff(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b"{"
        raise httpx.ReadError("connection reset")


def test_an_answer_that_breaks_off_is_a_failed_connection() -> None:
    script = Scripted(httpx.Response(200, stream=BreaksOff()))
    with client(script) as earshot, pytest.raises(ConnectionFailed, match="No answer from http://service.test$"):
        earshot.request("POST", "/x")


def test_it_says_who_did_not_answer_and_nothing_of_a_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    slept(monkeypatch)
    slot = {"id": "obj_1", "signed_url": "https://storage.test:8443/slot?signature=x"}
    with client(Scripted(httpx.Response(201, json=slot))) as earshot, pytest.raises(
        ConnectionFailed, match="No answer from https://storage.test:8443$"
    ):
        earshot.analyses.create(file=b"RIFF")


def test_exactly_one_source_is_taken() -> None:
    with client(Scripted()) as earshot, pytest.raises(TypeError):
        earshot.analyses.create(url="http://example.com/a.mp3", file=b"x")


def test_a_file_goes_to_storage_without_the_key() -> None:
    script = Scripted(
        httpx.Response(201, json={"id": "obj_1", "signed_url": "https://storage.test/slot?signature=x"}),
        httpx.Response(200),
        httpx.Response(202, json={"id": "job_1", "status": "queued", "progress": 0}),
    )
    with client(script) as earshot:
        assert earshot.analyses.create(file=b"RIFF").id == "job_1"
    sent = [(request.method, request.url.host, request.headers.get("authorization")) for request in script.asked]
    assert sent == [
        ("POST", "service.test", "Bearer es_live_x"),
        ("PUT", "storage.test", None),
        ("POST", "service.test", "Bearer es_live_x"),
    ]


def slot(id: str, *, is_replayed: bool) -> httpx.Response:
    body = {"id": id, "signed_url": f"https://storage.test/{id}"}
    return httpx.Response(201, json=body, headers={"idempotent-replayed": "true"} if is_replayed else {})


def refused(status: int, code: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code})


@pytest.mark.parametrize(
    ("status", "code"),
    [(410, "gone"), (404, "not_found"), (403, None), (400, None)],
    ids=["expired", "swept away", "expired at S3", "expired at Google"],
)
def test_a_repeated_submission_fills_a_new_slot_when_its_own_is_spent(status: int, code: Optional[str]) -> None:
    spent = refused(status, code) if code else httpx.Response(status, text="<Error/>")
    script = Scripted(
        slot("obj_1", is_replayed=True),
        spent,
        refused(404, "not_found") if status == 404 else refused(409, "object_not_uploaded"),
        slot("obj_2", is_replayed=True),
        spent,
        # What was made of the third slot, by a repetition before this one.
        refused(409, "idempotency_key_reused"),
        slot("obj_3", is_replayed=True),
        refused(409, "object_already_uploaded"),
        job_answer("queued"),
    )
    with client(script) as earshot:
        assert earshot.analyses.create(file=io.BytesIO(b"RIFF"), idempotency_key="abc").id == "job_1"
    keys = [request.headers["idempotency-key"] for request in script.asked if request.method == "POST"]
    assert keys == ["upload-abc", "abc", "upload-after-obj_1", "abc", "upload-after-obj_2", "abc"]
    assert [request.content for request in script.asked if request.method == "PUT"] == [b"RIFF"] * 3


def test_a_submission_has_a_slot_of_its_own_however_long_its_key() -> None:
    script = Scripted()
    keys = ["k" * 248, "!" * 253 + "~a", "!" * 253 + "~b"]
    for _ in keys:
        script.answers += [slot("obj_1", is_replayed=False), httpx.Response(200), job_answer("queued")]
    with client(script) as earshot:
        for key in keys:
            earshot.analyses.create(file=b"RIFF", idempotency_key=key)
    slots = [request.headers["idempotency-key"] for request in script.asked if request.url.path == "/v1/storage-objects"]
    assert slots == ["upload-" + "k" * 248, "~" * 253 + "!>", "~" * 253 + "!="]


def test_the_job_of_a_slot_whose_file_is_gone_is_the_same_again() -> None:
    script = Scripted(slot("obj_1", is_replayed=True), refused(410, "gone"), job_answer("completed"))
    with client(script) as earshot:
        assert earshot.analyses.create(file=b"RIFF", idempotency_key="abc").id == "job_1"


def test_a_new_slot_that_is_refused_is_the_end() -> None:
    script = Scripted(slot("obj_1", is_replayed=False), httpx.Response(403), refused(409, "object_not_uploaded"))
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.analyses.create(file=b"RIFF")
    assert (caught.value.status, len(script.asked)) == (403, 3)


def test_what_is_wrong_with_the_file_asks_for_no_other_slot() -> None:
    script = Scripted(slot("obj_1", is_replayed=True), refused(413, "payload_too_large"))
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.analyses.create(file=b"RIFF")
    assert (caught.value.code, len(script.asked)) == ("payload_too_large", 2)


def event_frame(id: str, kind: str) -> bytes:
    data = f'{{"id":"{id}","event_type":"{kind}","message":"","metadata":{{}},"created_at":""}}'
    return f"id: {id}\nevent: {kind}\ndata: {data}\n\n".encode()


@pytest.mark.parametrize(
    ("stays_open_seconds", "ends_well"), [(300.0, True), (0.0, False)], ids=["stays open", "ends at once"]
)
def test_a_stream_without_events_is_healthy_while_it_stays_open(
    monkeypatch: pytest.MonkeyPatch, stays_open_seconds: float, ends_well: bool
) -> None:
    now = [0.0]

    def quiet(_: httpx.Request) -> httpx.Response:
        now[0] += stays_open_seconds
        streams.append(now[0])
        return httpx.Response(200, content=event_frame("e1", "job.completed") if len(streams) > 8 else b": still here\n\n")

    streams: List[float] = []
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Earshot(base_url="http://service.test", transport=httpx.MockTransport(quiet)) as earshot:
        job = Job(earshot, {"id": "job_1"})  # type: ignore[typeddict-item]
        if ends_well:
            assert [event["id"] for event in job.events()] == ["e1"]
        else:
            with pytest.raises(ConnectionFailed):
                list(job.events())
            assert len(streams) == 5


def job_answer(status: str, progress: float = 0) -> httpx.Response:
    return httpx.Response(200, json={"id": "job_1", "status": status, "progress": progress})


def already_finished() -> httpx.Response:
    return httpx.Response(409, json={"detail": "It has ended.", "code": "already_finished"})


def test_a_job_is_canceled_once_however_often_one_asks() -> None:
    script = Scripted(
        job_answer("queued"),
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
    assert [request.method for request in script.asked] == ["GET", "POST", "GET", "POST", "GET"]


def test_a_job_that_ended_in_another_way_cannot_be_canceled() -> None:
    script = Scripted(job_answer("processing"), already_finished(), job_answer("completed"))
    with client(script) as earshot:
        job = earshot.analyses.get("job_1")
        with pytest.raises(ApiError) as caught:
            job.cancel()
    assert (caught.value.code, job.status) == ("already_finished", "completed")


def test_what_the_service_is_asked_to_wait_comes_on_top_of_the_clients_own_time() -> None:
    script = Scripted(job_answer("queued"), job_answer("queued"))
    with Earshot(base_url="http://service.test", transport=script.transport, timeout_seconds=5) as earshot:
        earshot.analyses.get("job_1").refresh(wait_seconds=30)
    timeouts = [request.extensions["timeout"]["read"] for request in script.asked]
    assert (timeouts, script.asked[1].headers["prefer"]) == ([5, 35], "wait=30")


def test_an_answer_that_comes_in_drops_ends_with_the_clients_time() -> None:
    def drip() -> Iterator[bytes]:
        for _ in range(100):
            time.sleep(0.02)
            yield b" "

    async def drip_async() -> AsyncIterator[bytes]:
        for _ in range(100):
            await asyncio.sleep(0.02)
            yield b" "

    async def ask() -> None:
        transport = httpx.MockTransport(lambda _: httpx.Response(200, content=drip_async()))
        async with AsyncEarshot(base_url="http://service.test", transport=transport, timeout_seconds=0.1, retries_max=0) as earshot:
            await earshot.request("GET", "/x")

    began_seconds = time.monotonic()
    script = Scripted(httpx.Response(200, content=drip()))
    with Earshot(base_url="http://service.test", transport=script.transport, timeout_seconds=0.1, retries_max=0) as earshot:
        with pytest.raises(ConnectionFailed) as caught:
            earshot.request("GET", "/x")
    assert isinstance(caught.value.__cause__, httpx.ReadTimeout)
    with pytest.raises(ConnectionFailed):
        asyncio.run(ask())
    # Both would take two seconds.
    assert time.monotonic() - began_seconds < 1.5


def test_a_result_that_was_deleted_is_told_as_that() -> None:
    script = Scripted(job_answer("completed"), httpx.Response(200, json={"status": "completed", "error": None, "result": None}))
    with client(script) as earshot, pytest.raises(AnalysisFailed, match="The result was deleted") as caught:
        earshot.analyses.get("job_1").wait()
    assert caught.value.code == "result_deleted"


def test_a_job_that_has_ended_is_told_once_not_from_the_beginning_of_its_log() -> None:
    result = httpx.Response(200, json={"status": "completed", "error": None, "result": {}})
    script = Scripted(job_answer("completed", 1), result)
    told: List[str] = []
    with client(script) as earshot:
        earshot.analyses.get("job_1").wait(on_progress=lambda job: told.append(job.status))
    assert told == ["completed"]


def test_an_id_is_one_part_of_a_path() -> None:
    script = Scripted(204, 204)
    with client(script) as earshot:
        earshot.analyses.delete("job_1/artifacts/source")
        earshot.collections.delete("col_1?x")
    assert [request.url.raw_path for request in script.asked] == [
        b"/v1/analyses/job_1%2Fartifacts%2Fsource",
        b"/v1/collections/col_1%3Fx",
    ]


class Heartbeats(httpx.SyncByteStream):
    """A stream that is open and tells nothing, with a beat every 50 ms."""

    def __iter__(self) -> Iterator[bytes]:
        while True:
            time.sleep(0.05)
            yield b": still here\n\n"


def test_a_wait_with_progress_ends_in_time_though_nothing_is_told() -> None:
    script = Scripted(
        job_answer("queued"), httpx.Response(200, stream=Heartbeats()), job_answer("queued"), job_answer("queued")
    )
    started_seconds = time.monotonic()
    with client(script) as earshot, pytest.raises(WaitTimeout, match="job_1 is queued after 0.3 s"):
        earshot.analyses.get("job_1").wait(on_progress=lambda _: None, timeout_seconds=0.3)
    # Fifty times as long as asked for, on a busy machine.
    assert time.monotonic() - started_seconds < 15


def test_a_job_is_asked_for_where_there_is_no_room_for_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    result = httpx.Response(200, json={"status": "completed", "error": None, "result": {}})
    script = Scripted(job_answer("queued"), *[429] * 5, job_answer("queued"), job_answer("completed"), result)
    with client(script) as earshot:
        assert earshot.analyses.get("job_1").wait(on_progress=lambda _: None)["status"] == "completed"


def test_a_stream_that_is_refused_again_and_again_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    refusals = [httpx.Response(429, json={"detail": "Too many streams.", "code": "rate_limited"}) for _ in range(5)]
    script = Scripted(job_answer("queued"), *refusals)
    with client(script) as earshot, pytest.raises(ApiError, match="Too many streams"):
        list(earshot.analyses.get("job_1").events())


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ({}, {"ids": None, "query": None}),
        ({"ids": ("j", "k")}, {"ids": ["j", "k"], "query": None}),
        ({"query": {}}, {"ids": None, "query": {}}),
        ({"ids": ["j"], "query": {"tag": "x"}}, {"ids": ["j"], "query": {"tag": "x"}}),
    ],
)
def test_many_songs_are_named_as_the_caller_named_them(which: Dict[str, Any], said: Dict[str, Any]) -> None:
    # Whoever names none is refused by the service: that all are meant has to be said, with an empty filter.
    script = Scripted(
        httpx.Response(200, json={"changed": 0}), httpx.Response(200, headers={"x-changed-count": "0"})
    )
    with client(script) as earshot:
        earshot.analyses.change("delete", **which)
        earshot.analyses.export_many("csv", **which)
    delete, export = (json.loads(request.content) for request in script.asked)
    assert delete == {"action": "delete", **said}
    assert export == {"action": "export", "format": "csv", "folder": None, **said}
