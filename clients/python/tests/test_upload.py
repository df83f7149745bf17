from __future__ import annotations

import asyncio
import io
import json
import tempfile
from pathlib import Path
from typing import Any, Optional

import httpx
import pytest

from earshot import ApiError, AsyncEarshot, ConnectionFailed

from .scripted_service import Scripted, client, job_answer, record_sleeps


def test_a_failed_connection_names_the_host_but_not_the_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    record_sleeps(monkeypatch)
    slot = {"id": "obj_1", "signed_url": "https://storage.test:8443/slot?signature=x"}
    with client(Scripted(httpx.Response(201, json=slot))) as earshot, pytest.raises(
        ConnectionFailed, match="No answer from https://storage.test:8443$"
    ):
        earshot.analyses.create(file=b"RIFF")


def redirected(status: int, location: str) -> httpx.Response:
    return httpx.Response(status, headers={"location": location})


def test_an_upload_follows_redirects_of_storage_and_sends_the_file_again(tmp_path: Path) -> None:
    path = tmp_path / "song.mp3"
    path.write_bytes(b"RIFF")

    def script() -> Scripted:
        return Scripted(
            slot("obj_1", is_replayed=False),
            redirected(307, "https://eu.storage.test/obj_1?signature=x"),
            redirected(302, "/moved?signature=x"),
            httpx.Response(200),
            job_answer("queued"),
        )

    async def submit(scripted: Scripted) -> None:
        async with AsyncEarshot(api_key="es_live_x", base_url="http://service.test", transport=scripted.transport) as earshot:
            assert (await earshot.analyses.create(file=path)).id == "job_1"

    by_path, by_bytes, by_task = script(), script(), script()
    with client(by_path) as earshot:
        assert earshot.analyses.create(file=path).id == "job_1"
    with client(by_bytes) as earshot:
        assert earshot.analyses.create(file=b"RIFF").id == "job_1"
    asyncio.run(submit(by_task))
    for scripted in (by_path, by_bytes, by_task):
        sent = [(request.method, str(request.url), request.content, request.headers.get("authorization")) for request in scripted.asked]
        assert sent[1:4] == [
            ("PUT", "https://storage.test/obj_1", b"RIFF", None),
            ("PUT", "https://eu.storage.test/obj_1?signature=x", b"RIFF", None),
            ("PUT", "https://eu.storage.test/moved?signature=x", b"RIFF", None),
        ]


@pytest.mark.parametrize(("status", "put_count"), [(303, 1), (307, 6)], ids=["to another method", "in a circle"])
def test_a_redirect_that_an_upload_cannot_follow_is_an_error_without_the_signature(status: int, put_count: int) -> None:
    circle = [redirected(status, "https://storage.test/obj_1?signature=x")] * 9
    script = Scripted(slot("obj_1", is_replayed=False), *circle)
    with client(script) as earshot, pytest.raises(ApiError, match=rf"{status} and redirects to https://storage.test/obj_1\. "):
        earshot.analyses.create(file=b"RIFF")
    assert len(script.asked) == 1 + put_count


@pytest.mark.parametrize("sources", [{}, {"url": "http://example.com/a.mp3", "file": b"x"}])
def test_none_or_two_sources_are_refused(sources: Any) -> None:
    script = Scripted()
    with client(script) as earshot, pytest.raises(TypeError, match="exactly one of file, url and storage_object_id"):
        earshot.analyses.create(**sources)
    assert script.asked == []


def test_a_file_goes_to_storage_without_the_api_key() -> None:
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
def test_a_repeated_submission_fills_a_new_slot_when_its_own_has_expired(status: int, code: Optional[str]) -> None:
    spent = refused(status, code) if code else httpx.Response(status, text="<Error/>")
    script = Scripted(
        slot("obj_1", is_replayed=True),
        spent,
        refused(404, "not_found") if status == 404 else refused(409, "object_not_uploaded"),
        slot("obj_2", is_replayed=True),
        spent,
        # An earlier repetition got its job from the third slot.
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


def test_each_key_has_its_own_slot_however_long_it_is() -> None:
    script = Scripted()
    keys = ["k" * 248, "!" * 253 + "~a", "!" * 253 + "~b"]
    for _ in keys:
        script.answers += [slot("obj_1", is_replayed=False), httpx.Response(200), job_answer("queued")]
    with client(script) as earshot:
        for key in keys:
            earshot.analyses.create(file=b"RIFF", idempotency_key=key)
    slots = [request.headers["idempotency-key"] for request in script.asked if request.url.path == "/v1/storage-objects"]
    assert slots == ["upload-" + "k" * 248, "~" * 253 + "!>", "~" * 253 + "!="]


def test_a_repeated_submission_gets_the_job_of_its_slot_even_when_the_file_is_gone() -> None:
    script = Scripted(slot("obj_1", is_replayed=True), refused(410, "gone"), job_answer("completed"))
    with client(script) as earshot:
        assert earshot.analyses.create(file=b"RIFF", idempotency_key="abc").id == "job_1"


def test_a_refusal_by_a_new_slot_is_raised() -> None:
    script = Scripted(slot("obj_1", is_replayed=False), httpx.Response(403), refused(409, "object_not_uploaded"))
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.analyses.create(file=b"RIFF")
    assert (caught.value.status, len(script.asked)) == (403, 3)


def test_a_file_that_is_refused_for_its_content_is_not_sent_to_another_slot() -> None:
    script = Scripted(slot("obj_1", is_replayed=True), refused(413, "payload_too_large"))
    with client(script) as earshot, pytest.raises(ApiError) as caught:
        earshot.analyses.create(file=b"RIFF")
    assert (caught.value.code, len(script.asked)) == ("payload_too_large", 2)


def test_a_file_is_sent_under_its_own_name_or_the_given_one(tmp_path: Path) -> None:
    path = tmp_path / "song.mp3"
    path.write_bytes(b"RIFF")
    names = []
    with open(path, "rb") as opened, tempfile.TemporaryFile() as unnamed:
        for file, given in [(path, None), (str(path), None), (opened, None), (unnamed, None), (b"RIFF", None), (path, "b.mp3")]:
            script = Scripted(slot("obj_1", is_replayed=False), 200, job_answer("queued"))
            with client(script) as earshot:
                earshot.analyses.create(file=file, file_name=given)  # type: ignore[arg-type]
            names.append(json.loads(script.asked[0].content)["file_name"])
    assert names == ["song.mp3", "song.mp3", "song.mp3", None, None, "b.mp3"]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("audio/flac", "audio/flac"),
        ("video/mp4", "video/mp4"),
        ("text/html", "application/octet-stream"),
        ("audio/flac\n", "application/octet-stream"),
        (None, "application/octet-stream"),
    ],
)
def test_a_content_type_that_the_service_refuses_is_not_sent(given: Optional[str], sent: str) -> None:
    script = Scripted(slot("obj_1", is_replayed=False), 200, job_answer("queued"))
    with client(script) as earshot:
        earshot.analyses.create(file=b"RIFF", content_type=given)
    assert json.loads(script.asked[0].content)["content_type"] == sent
    assert script.asked[1].headers["content-type"] == sent
