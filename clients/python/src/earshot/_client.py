"""The client that waits. Written by make_sync_client.py; do not edit."""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import (
    Any,
    Iterator,
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Type,
    Union,
    cast,
)

import httpx

from . import webhooks
from ._library import Collections, Library
from ._errors import AnalysisFailed, ApiError, ConnectionFailed, WaitTimeout
from ._events import BARREN_MAX, ENDS, HEALTHY_SECONDS, RECONNECT_SECONDS, EventReader, stream_headers
from ._models import (
    AnalysisEvent,
    AnalysisJob,
    AnalysisResult,
    CompletedResult,
    ExportFormat,
    Hints,
    ReportFormat,
    Status,
)
from ._request import (
    ARRIVED,
    LONG_POLL_SECONDS,
    RETRIES_MAX,
    SPENT,
    TIMEOUT_SECONDS,
    WITHOUT_JOB,
    Call,
    FileSource,
    Query,
    analysis_body,
    analysis_path,
    backoff_seconds,
    check_sources,
    checked_address,
    content_type_of,
    default_headers,
    is_refusal,
    is_retryable,
    json_of,
    name_of,
    new_idempotency_key,
    next_after,
    origin_of,
    retry_after_seconds,
    seconds_left,
    slot_key_of,
    to_error,
    whole_response,
)

_ENDED = frozenset({"completed", "failed", "canceled"})
_CHUNK_BYTES = 256 * 1024


class Earshot:
    """The Earshot API. Use it in a `with` block, or call `close`."""

    webhooks = webhooks

    def __init__(
        self,
        *,
        base_url: str,
        api_key: Optional[str] = None,
        retries_max: int = RETRIES_MAX,
        timeout_seconds: float = TIMEOUT_SECONDS,
        transport: Optional[httpx.BaseTransport] = None,
    ) -> None:
        """`api_key` is an API key or a session token; None only for what needs no credentials.

        `timeout_seconds` is for each try, up to the last byte of its answer.
        """
        self._retries_max = retries_max
        self._timeout_seconds = timeout_seconds
        self._base_url = checked_address(base_url)
        self._http = httpx.Client(
            base_url=self._base_url,
            headers=default_headers(api_key),
            timeout=timeout_seconds,
            transport=transport,
        )
        # A signed address carries its own permission; no credentials travel there.
        self._storage = httpx.Client(timeout=timeout_seconds, transport=transport)
        self.analyses = Analyses(self)
        self.collections = Collections(self)

    def close(self) -> None:
        self._http.close()
        self._storage.close()

    def __enter__(self) -> Earshot:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        json: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Any route of the API; its JSON, or None for an empty answer."""
        response = self._call(Call(method, path, query=query, json=json, idempotency_key=idempotency_key))
        return json_of(response) if response.content else None

    def iterate(self, path: str, *, query: Optional[Query] = None) -> Iterator[Dict[str, Any]]:
        """Every item of a list, page by page as you go."""
        after: Optional[str] = None
        while True:
            response = self._call(Call("GET", path, query={**(query or {}), "after": after}))
            for item in json_of(response):
                yield item
            after = next_after(response)
            if after is None:
                return

    def _call(self, call: Call) -> httpx.Response:
        timeout_seconds = self._timeout_seconds + call.wait_seconds

        def send() -> httpx.Response:
            deadline_seconds = time.monotonic() + timeout_seconds
            with self._http.stream(**call.arguments(), timeout=timeout_seconds) as response:
                body = bytearray()
                for chunk in response.iter_bytes():
                    body += chunk
                    # The time of httpx begins anew with every piece.
                    if seconds_left(deadline_seconds) <= 0:
                        raise httpx.ReadTimeout(f"Not done within {timeout_seconds} s", request=response.request)
            return whole_response(response, bytes(body))

        return self._try(send, origin=origin_of(self._base_url), is_repeatable=call.is_repeatable)

    def _try(
        self, send: Callable[[], httpx.Response], *, origin: str, is_repeatable: bool
    ) -> httpx.Response:
        attempt = 0
        while True:
            last = not is_repeatable or attempt >= self._retries_max
            asked_seconds: Optional[float] = None
            try:
                response = send()
            except httpx.RequestError as cause:
                if last:
                    raise ConnectionFailed(f"No answer from {origin}") from cause
            else:
                if response.is_success:
                    return response
                if last or not is_retryable(response):
                    raise to_error(response)
                asked_seconds = retry_after_seconds(response)
            time.sleep(backoff_seconds(attempt) if asked_seconds is None else asked_seconds)
            attempt += 1


class Job:
    """One analysis, as it stood when it was last asked for."""

    def __init__(self, client: Earshot, data: AnalysisJob) -> None:
        self._client = client
        self.data = data

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def status(self) -> Status:
        return self.data["status"]

    @property
    def progress(self) -> float:
        """How far it is, 0 to 1."""
        return self.data["progress"]

    def wait(
        self,
        *,
        on_progress: Optional[Callable[[Job], None]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> CompletedResult:
        """The result; raises AnalysisFailed when there is none to come, WaitTimeout when it takes too long."""
        deadline_seconds = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        if on_progress is not None:
            if self.status in _ENDED:
                on_progress(self)
            else:
                try:
                    self._follow(on_progress, deadline_seconds)
                except ApiError as refusal:
                    # No room for another stream: the job is asked for instead.
                    if refusal.status not in (429, 503):
                        raise
        while self.status not in _ENDED:
            left_seconds = seconds_left(deadline_seconds)
            if left_seconds <= 0:
                raise WaitTimeout(f"{self.id} is {self.status} after {timeout_seconds} s")
            self.refresh(wait_seconds=int(max(1, min(LONG_POLL_SECONDS, left_seconds))))
        answer = self.result()
        if answer["status"] != "completed":
            error = answer["error"]
            if error is None:
                raise AnalysisFailed(answer["status"], f"The analysis was {answer['status']}", False)
            raise AnalysisFailed(error["code"], error["message"], error["retryable"])
        if answer["result"] is None:
            raise AnalysisFailed("result_deleted", "The result was deleted", False)
        return cast(CompletedResult, answer)

    def events(self) -> Iterator[AnalysisEvent]:
        """Everything the job tells, live, up to its end; a broken stream is resumed where it was."""
        return self._events(None)

    def _events(self, deadline_seconds: Optional[float]) -> Iterator[AnalysisEvent]:
        """Up to a moment of the monotonic clock, also while nothing is told."""
        last_event_id: Optional[str] = None
        barren = 0
        refusal: Optional[ApiError] = None
        while barren < BARREN_MAX and seconds_left(deadline_seconds) > 0:
            barren += 1
            wait_seconds = RECONNECT_SECONDS
            opened_seconds = time.monotonic()
            try:
                with self._client._http.stream(
                    "GET",
                    f"{analysis_path(self.id)}/events",
                    headers=stream_headers(last_event_id),
                    timeout=httpx.Timeout(min(TIMEOUT_SECONDS, seconds_left(deadline_seconds))),
                ) as response:
                    # How the service says that the end has been seen.
                    if response.status_code == 204:
                        return
                    if not response.is_success:
                        response.read()
                        refusal = to_error(response)
                        if not is_retryable(response):
                            raise refusal
                    wait_seconds = max(wait_seconds, retry_after_seconds(response) or 0)
                    if response.is_success:
                        reader = EventReader()
                        for line in response.iter_lines():
                            event = reader.feed(line)
                            if event is not None:
                                barren, last_event_id, refusal = 0, event["id"], None
                                yield event
                                if event["event_type"] in ENDS:
                                    return
                            if seconds_left(deadline_seconds) <= 0:
                                return
            except httpx.RequestError:
                pass
            if time.monotonic() - opened_seconds >= HEALTHY_SECONDS:
                barren = 0
            time.sleep(min(wait_seconds, max(0.0, seconds_left(deadline_seconds))))
        if seconds_left(deadline_seconds) > 0:
            raise refusal or ConnectionFailed(f"The event stream of {self.id} broke off again and again")

    def refresh(self, *, wait_seconds: Optional[int] = None) -> Job:
        """Asks again; with `wait_seconds` the service answers when the job ends or that time is over (30 at most)."""
        call = Call("GET", analysis_path(self.id), wait_seconds=wait_seconds or 0)
        response = self._client._call(call)
        self.data = json_of(response)
        # A service with no room for another wait answers at once.
        if wait_seconds and self.status not in _ENDED and "preference-applied" not in response.headers:
            time.sleep(RECONNECT_SECONDS)
        return self

    def result(self) -> AnalysisResult:
        """The result as it stands: None inside while the job is not finished, or when it failed."""
        return self._client.analyses.result(self.id)

    def cancel(self) -> None:
        """Canceling twice is canceling once; raises ApiError `already_finished` when the job has ended in another way."""
        call = Call("POST", f"{analysis_path(self.id)}/cancel", idempotency_key=f"cancel-{self.id}")
        try:
            response = self._client._call(call)
        except ApiError as error:
            # Perhaps by us: the answer was lost, and the call was repeated.
            if error.code != "already_finished":
                raise
            self.refresh()
            if self.status != "canceled":
                raise
        else:
            self.data = json_of(response)

    def _follow(self, on_progress: Callable[[Job], None], deadline_seconds: Optional[float]) -> None:
        for event in self._events(deadline_seconds):
            if event["event_type"] == "analysis.progress":
                stage, progress = event["metadata"].get("stage"), event["metadata"].get("progress")
                if isinstance(stage, str) and isinstance(progress, (int, float)):
                    self.data = {**self.data, "status": "processing", "stage": stage, "progress": progress}
                    on_progress(self)
        on_progress(self.refresh())


class Analyses(Library):
    def create(
        self,
        *,
        file: Optional[FileSource] = None,
        url: Optional[str] = None,
        storage_object_id: Optional[str] = None,
        file_name: Optional[str] = None,
        content_type: Optional[str] = None,
        features: Optional[Sequence[str]] = None,
        hints: Optional[Hints] = None,
        metadata: Optional[Dict[str, str]] = None,
        webhook_url: Optional[str] = None,
        retain_source: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> Job:
        """Submits a file (path, bytes or open file), a public address, or an object that is stored already.

        The same `idempotency_key` never makes a second job; one is made up when you give none.
        """
        check_sources(file, url, storage_object_id)
        key = idempotency_key or new_idempotency_key()

        def submit(stored: Optional[str]) -> Job:
            body = analysis_body(
                {
                    "source_url": url,
                    "storage_object_id": stored,
                    "features": features,
                    "hints": hints,
                    "metadata": metadata,
                    "webhook_url": webhook_url,
                    "retain_source": retain_source,
                }
            )
            response = self._client._call(Call("POST", "/v1/analyses", json=body, idempotency_key=key))
            return Job(self._client, json_of(response))

        if file is None:
            return submit(storage_object_id)
        return self._upload(file, file_name or name_of(file), content_type_of(content_type), key, submit)

    def get(self, job_id: str) -> Job:
        """A job by its id, as it stands now."""
        return Job(self._client, self._client.request("GET", analysis_path(job_id)))

    def list(
        self, *, status: Optional[Status] = None, page_size: Optional[int] = None
    ) -> Iterator[AnalysisJob]:
        """All jobs, newest first, page by page as you go."""
        query = {"status": status, "limit": page_size}
        return cast("Iterator[AnalysisJob]", self._client.iterate("/v1/analyses", query=query))

    def result(self, job_id: str) -> AnalysisResult:
        return cast(AnalysisResult, self._client.request("GET", f"{analysis_path(job_id)}/result"))

    def events(self, job_id: str) -> List[AnalysisEvent]:
        return cast("List[AnalysisEvent]", self._client.request("GET", f"{analysis_path(job_id)}/events"))

    def export(self, job_id: str, format: ExportFormat) -> bytes:
        """The result in another program's format."""
        return self._download(f"{analysis_path(job_id)}/exports/{format}")

    def report(self, job_id: str, format: ReportFormat) -> bytes:
        """The report a person can read."""
        return self._download(f"{analysis_path(job_id)}/artifacts/report.{format}")

    def delete(self, job_id: str) -> None:
        self._client.request("DELETE", analysis_path(job_id))

    def _download(self, path: str) -> bytes:
        response = self._client._call(Call("GET", path, headers={"accept": "*/*"}))
        return response.content

    def _upload(
        self,
        file: FileSource,
        file_name: Optional[str],
        content_type: str,
        key: str,
        submit: Callable[[str], Job],
    ) -> Job:
        """Straight to storage through a signed address, under a key that follows from the analysis's own.

        The service remembers a slot for longer than its address lives, so a repetition may be given one that takes no file
        any more: where no job was made of it, the next slot's key follows from it.
        """
        # Once: an open file is at its end then.
        content = file if isinstance(file, (str, os.PathLike, bytes)) else file.read()
        slot_request = {"content_type": content_type, "purpose": "upload", "file_name": file_name}
        slot_key = slot_key_of(key)
        while True:
            call = Call("POST", "/v1/storage-objects", json=slot_request, idempotency_key=slot_key)
            response = self._client._call(call)
            slot = json_of(response)
            refusal = self._fill(slot["signed_url"], content, content_type)
            try:
                return submit(slot["id"])
            except ApiError as error:
                if refusal is None or not is_refusal(error, WITHOUT_JOB):
                    raise
                # Of a new one it is no matter of age: another would be refused too.
                if response.headers.get("idempotent-replayed") != "true":
                    raise refusal from error
            slot_key = f"upload-after-{slot['id']}"

    def _fill(
        self, signed_url: str, content: Union[str, "os.PathLike[str]", bytes], content_type: str
    ) -> Optional[ApiError]:
        """None when the file is in its slot; otherwise how a slot says that it takes none any more."""

        def send() -> httpx.Response:
            headers = {"content-type": content_type}
            body: Union[bytes, Iterator[bytes]]
            if isinstance(content, bytes):
                body = content
            else:
                # Storage wants to know the size beforehand.
                headers["content-length"] = str(os.path.getsize(content))
                body = _read_chunks(content)
            return self._client._storage.put(signed_url, content=body, headers=headers)

        try:
            # A slot takes one file: the same one once more changes nothing.
            self._client._try(send, origin=origin_of(signed_url), is_repeatable=True)
        except ApiError as error:
            # The file arrived before: the answer got lost on its way back, or the submission is being repeated.
            if is_refusal(error, ARRIVED):
                return None
            if is_refusal(error, SPENT):
                return error
            raise
        return None


def _read_chunks(path: Union[str, "os.PathLike[str]"]) -> Iterator[bytes]:
    with open(path, "rb") as opened:
        while True:
            chunk = opened.read(_CHUNK_BYTES)
            if not chunk:
                return
            yield chunk
