"""The journeys of the API documentation, against a running service."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any, List, Tuple

import pytest

from earshot import AnalysisFailed, ApiError, AsyncEarshot, Earshot
from earshot._models import AnalysisJob, AnalysisResult, Result

from .conftest import Receiver

WEBHOOK_SECONDS_MAX = 60.0


def register(service_url: str, email: str) -> Any:
    with Earshot(base_url=service_url) as anonymous:
        return anonymous.request("POST", "/v1/auth/register", json={"email": email})


def sign_in(service_url: str, email: str) -> str:
    with Earshot(base_url=service_url) as anonymous:
        challenge = anonymous.request("POST", "/v1/auth/email/start", json={"email": email})
        session = anonymous.request(
            "POST",
            "/v1/auth/email/verify",
            json={"challenge_id": challenge["challenge_id"], "code": challenge["dev_code"]},
        )
    return str(session["access_token"])


def test_register_upload_wait_webhook_usage(
    service_url: str, email: str, song: Path, receiver: Receiver
) -> None:
    account = register(service_url, email)
    with Earshot(api_key=account["api_key"], base_url=service_url) as earshot:
        job = earshot.analyses.create(file=song, webhook_url=receiver.url, metadata={"crate": "a"})
        steps: List[Tuple[str, float]] = []
        answer = job.wait(on_progress=lambda job: steps.append((job.status, job.progress)))
        result = answer["result"]
        # Composed at 112 BPM; the tolerance is that of a tempo shown without decimals.
        assert result["bpm"] == pytest.approx(112, abs=0.5)
        assert result["key_notation"] == "G"
        assert steps[-1] == ("completed", 1)
        assert set(Result.__annotations__) <= set(result)
        assert set(AnalysisJob.__annotations__) <= set(job.data)
        assert set(AnalysisResult.__annotations__) <= set(answer)

        full = earshot.request("GET", f"/v1/analysis/{job.id}/full")
        assert result["structure"] is not None and result["rhythm"] is not None
        assert full["result"]["bpm"] == result["bpm"] and full["sections"] == result["structure"]["sections"]

        headers, body = receiver.calls.get(timeout=WEBHOOK_SECONDS_MAX)
        event = earshot.webhooks.verify(body, headers, account["webhook_signing_secret"])
        assert event["type"] == "analysis.completed" and event["data"]["job_id"] == job.id

        assert earshot.request("GET", "/v1/usage")["local_analysis_jobs"] == 1
        assert earshot.analyses.export(job.id, "lab-beats").count(b"\n") == len(result["rhythm"]["beats"])
        assert earshot.analyses.report(job.id, "html").startswith(b"<!doctype html>")
        assert [listed["id"] for listed in earshot.analyses.list(page_size=1)] == [job.id]
        earshot.analyses.delete(job.id)
        with pytest.raises(ApiError) as caught:
            earshot.analyses.get(job.id)
        assert caught.value.code == "not_found"


def test_sign_in_key_object_idempotent_events_delivery(
    service_url: str, email: str, song: Path, receiver: Receiver
) -> None:
    with Earshot(api_key=sign_in(service_url, email), base_url=service_url) as person:
        endpoint = person.request("POST", "/v1/webhook-endpoints", json={"url": receiver.url})
        key = person.request(
            "POST",
            "/v1/api-keys",
            json={
                "name": "journey",
                "scopes": ["analyses:create", "analyses:read", "webhooks:read", "webhooks:write"],
            },
        )
    with Earshot(api_key=key["plaintext_key"], base_url=service_url) as program:
        first = program.analyses.create(file=song.read_bytes(), file_name="song.mp3", idempotency_key="python-journey")
        second = program.analyses.create(
            file=io.BytesIO(song.read_bytes()), file_name="song.mp3", idempotency_key="python-journey"
        )
        assert first.id == second.id
        assert (first.data["idempotent_replay"], second.data["idempotent_replay"]) == (False, True)
        assert len(list(program.analyses.list())) == 1

        types = [event["event_type"] for event in second.events()]
        assert types[0] == "job.queued" and types[-1] == "job.completed"
        assert second.wait()["result"]["camelot"] == "9B"
        # By now its source is deleted: still the same job.
        third = program.analyses.create(file=song.read_bytes(), file_name="song.mp3", idempotency_key="python-journey")
        assert third.id == first.id
        logged = [event["event_type"] for event in program.analyses.events(second.id)]
        assert "audio.decoded" in logged

        delivery = program.request("POST", f"/v1/analyses/{second.id}/webhook-deliveries")
        assert delivery["job_id"] == second.id
        for _ in range(2):
            headers, body = receiver.calls.get(timeout=WEBHOOK_SECONDS_MAX)
            event = program.webhooks.verify(body, headers, endpoint["signing_secret"])
            assert event["data"]["job_id"] == second.id


def test_two_jobs_at_once_with_the_client_for_asyncio(service_url: str, email: str, song: Path, receiver: Receiver) -> None:
    account = register(service_url, email)

    async def walk() -> None:
        async with AsyncEarshot(api_key=account["api_key"], base_url=service_url) as earshot:
            progress: List[float] = []
            jobs = await asyncio.gather(
                earshot.analyses.create(file=song, webhook_url=receiver.url),
                earshot.analyses.create(file=song, features=["rhythm"]),
            )
            answers = await asyncio.gather(
                jobs[0].wait(on_progress=lambda job: progress.append(job.progress)), jobs[1].wait()
            )
            assert answers[0]["result"]["key_notation"] == "G"
            assert answers[1]["result"]["tonal"] is None
            assert progress[-1] == 1
            listed = [job["id"] async for job in earshot.analyses.list(page_size=1)]
            assert sorted(listed) == sorted(job.id for job in jobs)
            assert (await earshot.analyses.export(jobs[0].id, "midi"))[:4] == b"MThd"
            again = await earshot.analyses.get(jobs[0].id)
            assert again.status == "completed"
            with pytest.raises(ApiError) as caught:
                await again.cancel()
            assert caught.value.code == "already_finished"

    asyncio.run(walk())
    headers, body = receiver.calls.get(timeout=WEBHOOK_SECONDS_MAX)
    assert Earshot.webhooks.verify(body, headers, account["webhook_signing_secret"])["type"] == "analysis.completed"


def test_errors_have_their_types(service_url: str, email: str) -> None:
    with Earshot(api_key="es_live_wrong", base_url=service_url) as stranger, pytest.raises(ApiError) as caught:
        stranger.analyses.get("job_x")
    assert (caught.value.status, caught.value.code) == (401, "unauthorized")
    assert caught.value.request_id
    account = register(service_url, email)
    with Earshot(api_key=account["api_key"], base_url=service_url) as earshot:
        with pytest.raises(AnalysisFailed) as failed:
            earshot.analyses.create(file=b"Dear friend, this is not a song.", file_name="letter.mp3").wait()
        assert failed.value.code == "unsupported_format" and not failed.value.retryable


def test_the_library(service_url: str, email: str, song: Path) -> None:
    account = register(service_url, email)
    with Earshot(api_key=account["api_key"], base_url=service_url) as earshot:
        job = earshot.analyses.create(file=song, retain_source=True)
        bpm = job.wait()["result"]["bpm"]
        assert bpm is not None

        described = earshot.analyses.describe(job.id, title="Two Doors Down", tags=["warm-up", "opener"])
        assert described["headline"] is not None and described["headline"]["title"] == "Two Doors Down"
        found = earshot.analyses.find(bpm_near=bpm, tag=["warm-up", "opener"], sort="-energy")
        assert [one["id"] for one in found] == [job.id]
        assert earshot.analyses.count(q="doors") == 1 and earshot.analyses.count(q="windows") == 0

        assert earshot.analyses.correct(job.id, tempo="double")["kinds"] == ["tempo"]
        corrected = earshot.analyses.result(job.id)["result"]
        assert corrected is not None and corrected["bpm"] == pytest.approx(2 * bpm)
        earshot.analyses.uncorrect(job.id)

        assert earshot.analyses.similar(job.id, by="sound")[0]["reason"] == "the song itself"
        assert earshot.analyses.next(job.id) == []
        assert earshot.analyses.change("untag", ids=[job.id], tags=["opener"])["changed"] == 1
        table, songs = earshot.analyses.export_many("csv", query={"tag": ["warm-up"]})
        assert songs == 1 and b"Two Doors Down" in table

        friday = earshot.collections.create("Friday", [job.id])
        assert [one["name"] for one in earshot.collections.list()] == ["Friday"]
        steps = earshot.collections.order(friday["id"], "bpm")["steps"]
        kept = earshot.collections.replace_items(friday["id"], [step["job_id"] for step in steps], friday["version"])
        with pytest.raises(ApiError) as caught:
            earshot.collections.replace_items(friday["id"], [], friday["version"])
        assert caught.value.code == "precondition_failed" and kept["item_count"] == 1
        assert b"Two Doors Down" in earshot.collections.export(friday["id"], "rekordbox", folder="/Music")

        assert job.refresh().data["source_available"] is True
        earshot.analyses.delete_source(job.id)
        assert job.refresh().data["source_available"] is False
