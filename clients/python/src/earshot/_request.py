"""What both clients do alike: what is sent, what is tried again, and when."""

from __future__ import annotations

import math
import os
import random
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import IO, Any, Collection, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import quote

import httpx

from ._errors import ApiError, ConnectionFailed
from ._version import __version__

FileSource = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
Query = Mapping[str, Union[str, int, float, bool, Sequence[str], None]]

TIMEOUT_SECONDS = 60.0
RETRIES_MAX = 4
#: How long the service holds an answer that is not there yet.
LONG_POLL_SECONDS = 30

#: How a slot that has its file refuses it.
ARRIVED = frozenset({"object_already_uploaded"})
#: Expired or its file deleted, swept away; 403 of S3 and 400 of Google, which know no codes of ours, for an address that expired.
SPENT = frozenset({"gone", "not_found", 403, 400})
#: The key is reused where a later slot has the job, or another request altogether.
WITHOUT_JOB = frozenset({"object_not_uploaded", "not_found", "idempotency_key_reused"})

#: Statuses of a state that passes: the same request may succeed in a moment.
_RETRYABLE_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
#: RETRIES_MAX then take 3 s on average, 6 at most: a connection or a process is replaced, and a person still waits.
_BACKOFF_FIRST_SECONDS = 0.4
#: For clients with more retries: a service that is back is found again within this time.
_BACKOFF_MAX_SECONDS = 20.0
#: The window of the service's limit on requests. Who is asked to wait longer, as after too many registrations, decides for itself.
_RETRY_AFTER_MAX_SECONDS = 60.0
#: A key has 255 characters at most; these leave room for the prefix.
_PREFIXED_CHARACTERS_MAX = 248
#: What a key may have, and the same from behind: no character stays as it was.
_MIRRORED = {code: 159 - code for code in range(33, 127)}
_AUDIO_TYPE = re.compile(r"^(audio/[a-z0-9.+-]+|video/(mp4|webm)|application/ogg)$")


def analysis_path(job_id: str) -> str:
    return f"/v1/analyses/{quote(job_id, safe='')}"


def collection_path(collection_id: str) -> str:
    return f"/v1/collections/{quote(collection_id, safe='')}"


def seconds_left(deadline_seconds: Optional[float]) -> float:
    """Until a moment of the monotonic clock; None is never."""
    return math.inf if deadline_seconds is None else deadline_seconds - time.monotonic()


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Optional[Query] = None
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Makes a POST repeatable.
    idempotency_key: Optional[str] = None
    #: How long the service may hold its answer; the call has that on top of its time.
    wait_seconds: int = 0

    @property
    def is_repeatable(self) -> bool:
        """PUT and DELETE are by their definition; a PATCH of this service writes the values it is given, so that twice is once."""
        return self.method != "POST" or self.idempotency_key is not None

    def arguments(self) -> Dict[str, Any]:
        headers = dict(self.headers)
        if self.idempotency_key is not None:
            headers["idempotency-key"] = self.idempotency_key
        if self.wait_seconds:
            headers["prefer"] = f"wait={self.wait_seconds}"
        given = {name: value for name, value in (self.query or {}).items() if value is not None}
        arguments: Dict[str, Any] = {"method": self.method, "url": self.path, "headers": headers}
        if given:
            arguments["params"] = given
        if self.json is not None:
            arguments["json"] = self.json
        return arguments


def default_headers(api_key: Optional[str]) -> Dict[str, str]:
    headers = {"accept": "application/json", "user-agent": f"earshot-python/{__version__}"}
    if api_key:
        headers["authorization"] = f"Bearer {api_key}"
    return headers


def new_idempotency_key() -> str:
    return str(uuid.uuid4())


def is_retryable(response: httpx.Response) -> bool:
    """Not when the service asks for a longer wait than a minute: what it said is raised at once, with `retry_after_seconds`."""
    asked_seconds = retry_after_seconds(response)
    is_too_long = asked_seconds is not None and asked_seconds > _RETRY_AFTER_MAX_SECONDS
    return response.status_code in _RETRYABLE_STATUSES and not is_too_long


def retry_after_seconds(response: httpx.Response) -> Optional[float]:
    """None where there is none, or where it is a date: clocks differ, and the service sends seconds."""
    asked = response.headers.get("retry-after", "")
    return float(asked) if re.fullmatch(r"\d+(\.\d+)?", asked, flags=re.ASCII) else None


def backoff_seconds(attempt: int) -> float:
    """An exponential step with full jitter (Brooker, AWS, 2015)."""
    return float(random.random() * min(_BACKOFF_MAX_SECONDS, _BACKOFF_FIRST_SECONDS * 2**attempt))


def checked_address(base_url: str) -> str:
    """Without its last slashes. "localhost:8080" names no scheme: nobody would answer, and nothing would say why."""
    if not base_url.startswith(("http://", "https://")):
        raise ValueError(f'base_url has to begin with http:// or https://, which "{base_url}" does not')
    return base_url.rstrip("/")


def origin_of(address: str) -> str:
    """An address that names no host, which no call can reach, as it is."""
    url = httpx.URL(address)
    return f"{url.scheme}://{url.netloc.decode('ascii')}" if url.host else address


def whole_response(head: httpx.Response, body: bytes) -> httpx.Response:
    """With a body that was read, and unpacked, piece by piece."""
    headers = httpx.Headers(head.headers)
    headers.pop("content-encoding", None)
    return httpx.Response(head.status_code, headers=headers, content=body, request=head.request)


def json_of(response: httpx.Response) -> Any:
    """A network that wants a sign-in, or another program at this address, answers everything with a page."""
    try:
        return response.json()
    except ValueError as cause:
        origin = origin_of(str(response.request.url))
        raise ConnectionFailed(
            f"{origin} answered with something else than JSON: is it the address of the service?"
        ) from cause


def to_error(response: httpx.Response) -> ApiError:
    try:
        body = response.json()
    except ValueError:
        body = None
    # Followed, a POST would become a GET.
    if response.has_redirect_location:
        body = {
            "detail": f"The service answered {response.status_code} and leads on to {response.headers['location']}. "
            "Redirects are not followed: if the service is there, use that address"
        }
    request_id = response.headers.get("x-request-id")
    return ApiError(response.status_code, body, request_id, retry_after_seconds(response))


def is_refusal(error: ApiError, reasons: Collection[object]) -> bool:
    """By its code, or by its status where it has none."""
    return (error.code or error.status) in reasons


def slot_key_of(idempotency_key: str) -> str:
    """Another one than the analysis's: a key stands for one request. No two keys share a slot."""
    if len(idempotency_key) > _PREFIXED_CHARACTERS_MAX:
        return idempotency_key.translate(_MIRRORED)
    return f"upload-{idempotency_key}"


def next_after(response: httpx.Response) -> Optional[str]:
    """The cursor of the next page; None on the last."""
    target = response.links.get("next", {}).get("url")
    return httpx.URL(target).params.get("after") if target else None


def analysis_body(options: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def content_type_of(content_type: Optional[str]) -> str:
    return content_type if content_type and _AUDIO_TYPE.match(content_type) else "application/octet-stream"


def name_of(file: FileSource) -> Optional[str]:
    if isinstance(file, (str, os.PathLike)):
        return os.path.basename(os.fspath(file))
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) else None


def check_sources(file: Optional[FileSource], url: Optional[str], storage_object_id: Optional[str]) -> None:
    if sum(source is not None for source in (file, url, storage_object_id)) != 1:
        raise TypeError("give exactly one of file, url and storage_object_id")
