"""What a call sends, what is retried, and what it raises."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Iterator, List

import httpx
import pytest

from earshot import ApiError, AsyncEarshot, ConnectionFailed, Earshot
from earshot._request import backoff_seconds

from .scripted_service import Scripted, client, record_sleeps


LOGIN_PAGE = httpx.Response(200, html="<!doctype html>Sign in to this network")
TRUNCATED = httpx.Response(200, content=b'{"id": "job_', headers={"content-type": "application/json"})


@pytest.mark.parametrize("answer", [LOGIN_PAGE, TRUNCATED])
def test_an_answer_that_is_not_json_is_a_failed_connection(answer: httpx.Response) -> None:
    with client(Scripted(*[answer] * 6)) as earshot:
        for ask in (
            lambda: earshot.analyses.get("job_1"),
            lambda: earshot.analyses.create(url="https://example.com/song.mp3"),
            lambda: earshot.analyses.create(file=b"song"),
            lambda: next(iter(earshot.analyses.list())),
            lambda: earshot.collections.replace_items("col_1", [], 1),
            lambda: earshot.request("GET", "/v1/usage"),
        ):
            with pytest.raises(ConnectionFailed, match="http://service.test did not answer with JSON"):
                ask()


@pytest.mark.parametrize("location", ["http://service.test/y", "/y", "/y?signature=x"])
def test_a_redirect_is_an_error_that_names_its_target_without_the_query(location: str) -> None:
    script = Scripted(httpx.Response(301, headers={"location": location}))
    target = r"301 and redirects to http://service\.test/y\. Redirects are not followed: if the service is there, use that"
    with client(script) as earshot, pytest.raises(ApiError, match=target):
        earshot.request("POST", "/x")
    assert len(script.asked) == 1


def test_a_response_that_cannot_be_decompressed_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    record_sleeps(monkeypatch)
    broken = httpx.Response(200, stream=httpx.ByteStream(b"no gzip"), headers={"content-encoding": "gzip"})
    with client(Scripted(broken, 200)) as earshot:
        assert earshot.request("GET", "/x") == {}


@pytest.mark.parametrize("base_url", ["localhost:8080", "service.test", "https://", ""])
@pytest.mark.parametrize("make", [Earshot, AsyncEarshot])
def test_a_base_url_without_a_scheme_or_a_host_is_refused_at_once(make: type, base_url: str) -> None:
    with pytest.raises(ValueError, match=f'base_url must start with http:// or https://: "{base_url}"'):
        make(base_url=base_url)


def test_a_read_is_retried_until_it_succeeds() -> None:
    script = Scripted(503, 429, httpx.Response(200, json={"fine": True}))
    with client(script) as earshot:
        assert earshot.request("GET", "/v1/usage", query={"a": 1, "b": None}) == {"fine": True}
    assert [str(request.url) for request in script.asked] == ["http://service.test/v1/usage?a=1"] * 3
    assert script.asked[0].headers["authorization"] == "Bearer es_live_x"


def test_a_post_is_retried_only_with_an_idempotency_key_and_under_the_same_one() -> None:
    bare = Scripted(503, 200)
    with client(bare) as earshot, pytest.raises(ApiError):
        earshot.request("POST", "/x")
    assert len(bare.asked) == 1
    keyed = Scripted(503, 200)
    with client(keyed) as earshot:
        earshot.request("POST", "/x", idempotency_key="abcdefgh")
    assert [request.headers["idempotency-key"] for request in keyed.asked] == ["abcdefgh"] * 2


def test_a_conflict_is_retried_if_the_service_says_when(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = record_sleeps(monkeypatch)
    conflict = {"code": "idempotency_in_progress"}
    keyed = Scripted(httpx.Response(409, json=conflict, headers={"retry-after": "1"}), 200)
    with client(keyed) as earshot:
        assert earshot.request("POST", "/x", idempotency_key="abcdefgh") == {}
    assert waits == [1]
    lasting = Scripted(httpx.Response(409, json={"code": "conflict"}))
    with client(lasting) as earshot, pytest.raises(ApiError) as caught:
        earshot.request("POST", "/x", idempotency_key="abcdefgh")
    assert (caught.value.code, len(lasting.asked)) == ("conflict", 1)


def test_an_error_that_a_retry_cannot_fix_is_raised_at_once() -> None:
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


def test_it_gives_up_after_the_last_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    script = Scripted()
    with client(script) as earshot, pytest.raises(ConnectionFailed):
        earshot.request("GET", "/x")
    assert len(script.asked) == 4


def test_by_default_there_are_four_retries_and_a_minute_for_each_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    record_sleeps(monkeypatch)
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    script = Scripted()
    with Earshot(base_url="http://service.test", transport=script.transport) as earshot, pytest.raises(ConnectionFailed):
        earshot.request("GET", "/x")
    assert [request.extensions["timeout"]["read"] for request in script.asked] == [60] * 5


@pytest.mark.parametrize(("status", "asked"), [(408, 2), (425, 2), (500, 2), (502, 2), (504, 2), (400, 1), (404, 1), (501, 1)])
def test_only_temporary_conditions_are_retried(status: int, asked: int) -> None:
    script = Scripted(status, 200)
    with client(script) as earshot, suppress(ApiError):
        earshot.request("GET", "/x")
    assert len(script.asked) == asked


def test_lists_are_followed_page_by_page() -> None:
    script = Scripted(
        httpx.Response(200, json=[{"id": 1}, {"id": 2}], headers={"link": '</v1/things?after=2>; rel="next"'}),
        httpx.Response(200, json=[{"id": 3}]),
    )
    with client(script) as earshot:
        assert [item["id"] for item in earshot.iterate("/v1/things", query={"limit": 2})] == [1, 2, 3]
    assert script.asked[1].url.params["after"] == "2"


def test_a_list_goes_on_from_the_cursor_of_the_query() -> None:
    script = Scripted(
        httpx.Response(200, json=[{"id": 3}], headers={"link": '</v1/things?after=3>; rel="next"'}),
        httpx.Response(200, json=[{"id": 4}]),
    )
    with client(script) as earshot:
        assert [item["id"] for item in earshot.iterate("/v1/things", query={"after": "2"})] == [3, 4]
    assert [request.url.params["after"] for request in script.asked] == ["2", "3"]


def test_a_query_in_the_path_applies_to_every_page() -> None:
    script = Scripted(
        httpx.Response(200, json=[{"id": 1}], headers={"link": '</v1/things?after=1>; rel="next"'}),
        httpx.Response(200, json=[{"id": 2}]),
    )
    with client(script) as earshot:
        list(earshot.iterate("/v1/things?status=completed&name=a%26b", query={"limit": 1}))
    assert [dict(request.url.params) for request in script.asked] == [
        {"status": "completed", "name": "a&b", "limit": "1"},
        {"status": "completed", "name": "a&b", "limit": "1", "after": "1"},
    ]


def test_the_async_client_retries_and_follows_pages_too() -> None:
    async def walk() -> List[int]:
        script = Scripted(
            503,
            httpx.Response(200, json=[{"id": 1}], headers={"link": '</v1/things?after=1>; rel="next"'}),
            httpx.Response(200, json=[{"id": 2}]),
        )
        async with AsyncEarshot(base_url="http://service.test", transport=script.transport) as earshot:
            return [item["id"] async for item in earshot.iterate("/v1/things")]

    assert asyncio.run(walk()) == [1, 2]


def test_it_waits_as_long_as_the_service_asks_up_to_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = record_sleeps(monkeypatch)
    limited = [httpx.Response(429, headers={"retry-after": asked}) for asked in ("7", "60")]
    with client(Scripted(*limited, 200)) as earshot:
        earshot.request("GET", "/x")
    assert waits == [7, 60]


def test_a_longer_wait_is_left_to_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = record_sleeps(monkeypatch)
    script = Scripted(httpx.Response(429, json={"code": "rate_limited"}, headers={"retry-after": "61"}), 200)
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.request("GET", "/x")
    assert (caught.value.code, caught.value.retry_after_seconds) == ("rate_limited", 61)
    assert (len(script.asked), waits) == (1, [])


@pytest.mark.parametrize("asked", ["", "-7", "soon", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_an_unreadable_retry_after_is_ignored(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    waits = record_sleeps(monkeypatch)
    monkeypatch.setattr("random.random", lambda: 1.0)
    with client(Scripted(httpx.Response(503, headers={"retry-after": asked}), 200)) as earshot:
        earshot.request("GET", "/x")
    assert waits == [0.4]


def test_backoff_doubles_with_jitter_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.random", lambda: 1.0)
    assert [backoff_seconds(attempt) for attempt in (0, 1, 2, 10, 5000)] == [0.4, 0.8, 1.6, 20, 20]
    monkeypatch.setattr("random.random", lambda: 0.0)
    assert backoff_seconds(3) == 0


class BreaksOff(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b"{"
        raise httpx.ReadError("connection reset")


def test_a_truncated_response_is_a_failed_connection() -> None:
    script = Scripted(httpx.Response(200, stream=BreaksOff()))
    with client(script) as earshot, pytest.raises(ConnectionFailed, match="No answer from http://service.test$"):
        earshot.request("POST", "/x")
