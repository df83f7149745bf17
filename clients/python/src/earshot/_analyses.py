"""Part of the blocking client. Written by make_sync_client.py; do not edit."""

from __future__ import annotations

import os
from typing import Iterator, Callable, Dict, List, Optional, Sequence, Union, cast

import httpx

from ._job import Job
from ._library import Library
from ._errors import ApiError
from ._models import AnalysisEvent, AnalysisJob, AnalysisResult, ExportFormat, Hints, ReportFormat, Status
from ._request import Call, analysis_path, json_of, new_idempotency_key, origin_of
from ._upload import (
    ARRIVED,
    SPENT,
    WITHOUT_JOB,
    FileSource,
    check_sources,
    content_type_of,
    is_refusal,
    name_of,
    slot_key_of,
)

#: A few dozen reads for a song of ten megabytes.
_CHUNK_BYTES = 256 * 1024
#: S3 redirects once; a loop of redirects must end.
_REDIRECTS_MAX = 5


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
        """Submits a file (path, bytes or open file), a public URL, or an object already in storage.

        The same `idempotency_key` never creates a second job; without one, a random key is used.
        """
        check_sources(file, url, storage_object_id)
        key = idempotency_key or new_idempotency_key()

        def submit(stored: Optional[str]) -> Job:
            body = {
                "source_url": url,
                "storage_object_id": stored,
                "features": features,
                "hints": hints,
                "metadata": metadata,
                "webhook_url": webhook_url,
                "retain_source": retain_source,
            }
            given = {name: value for name, value in body.items() if value is not None}
            response = self._client._call(Call("POST", "/v1/analyses", json=given, idempotency_key=key))
            return Job(self._client, json_of(response))

        if file is None:
            return submit(storage_object_id)
        return self._upload(file, file_name or name_of(file), content_type_of(content_type), key, submit)

    def get(self, job_id: str) -> Job:
        """The current state of a job."""
        return Job(self._client, self._client.request("GET", analysis_path(job_id)))

    def list(
        self, *, status: Optional[Status] = None, page_size: Optional[int] = None
    ) -> Iterator[AnalysisJob]:
        """All jobs, newest first; pages are fetched as you iterate."""
        query = {"status": status, "limit": page_size}
        return cast("Iterator[AnalysisJob]", self._client.iterate("/v1/analyses", query=query))

    def result(self, job_id: str) -> AnalysisResult:
        return cast(AnalysisResult, self._client.request("GET", f"{analysis_path(job_id)}/result"))

    def events(self, job_id: str) -> List[AnalysisEvent]:
        return cast("List[AnalysisEvent]", self._client.request("GET", f"{analysis_path(job_id)}/events"))

    def export(self, job_id: str, format: ExportFormat) -> bytes:
        """The result in the format of another program."""
        return self._download(f"{analysis_path(job_id)}/exports/{format}")

    def report(self, job_id: str, format: ReportFormat) -> bytes:
        """The human-readable report."""
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
        """Uploads straight to storage through a signed URL, under a key derived from the analysis's own.

        The service remembers a slot for longer than its URL is valid, so a repeated submission may get a slot that no longer
        accepts a file. If no job was created from it, the next slot is requested under a key derived from that slot.
        """
        # Read once: a retry would find an open file at its end.
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
                # A new slot cannot have expired: another one would be refused too.
                if response.headers.get("idempotent-replayed") != "true":
                    raise refusal from error
            slot_key = f"upload-after-{slot['id']}"

    def _fill(
        self, signed_url: str, content: Union[str, "os.PathLike[str]", bytes], content_type: str
    ) -> Optional[ApiError]:
        """None once the file is in its slot; the refusal if the slot no longer accepts one."""

        def send() -> httpx.Response:
            headers = {"content-type": content_type}
            if not isinstance(content, bytes):
                # Storage requires the size up front.
                headers["content-length"] = str(os.path.getsize(content))
            address = httpx.URL(signed_url)
            for _ in range(1 + _REDIRECTS_MAX):
                body = content if isinstance(content, bytes) else _read_chunks(content)
                response = self._client._storage.put(address, content=body, headers=headers)
                # S3 answers 307 for a bucket in another region. httpx itself could not send the file again. A 303 asks for a GET.
                if response.next_request is None or response.status_code == 303:
                    break
                address = response.next_request.url
            return response

        try:
            # A slot takes one file: sending the same one again changes nothing.
            self._client._send_with_retries(send, origin=origin_of(signed_url), is_repeatable=True)
        except ApiError as error:
            # The file is already there: the response was lost, or the whole submission is a repetition.
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
