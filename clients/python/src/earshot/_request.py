"""What both clients share: what is sent, what is retried, and when."""

from __future__ import annotations

import random
import re
import uuid
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import quote

import httpx

from ._errors import ApiError, ConnectionFailed
from ._version import __version__

Query = Mapping[str, Union[str, int, float, bool, Sequence[str], None]]

#: Longer than any response of the service takes, short enough that a hanging connection is noticed while the user still waits.
TIMEOUT_SECONDS = 60.0
RETRIES_MAX = 4
#: A request may end this much after the deadline of its caller: the service may hold its response until then.
GRACE_SECONDS = 1.0
#: The longest that the service holds a response to wait for the end of a job.
LONG_POLL_SECONDS = 30

#: Temporary conditions: the same request may succeed a moment later. So may a 409 with Retry-After: the first request with its
#: idempotency key is still running.
_RETRYABLE_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
#: RETRIES_MAX retries then take 3 s on average and 6 s at most: long enough for a process to be replaced, short enough for a person
#: who is waiting.
_BACKOFF_FIRST_SECONDS = 0.4
#: For clients with more retries: they notice within this time that the service is back.
_BACKOFF_MAX_SECONDS = 20.0
#: The window of the service's request limit. Longer waits, as after too many registrations, are left to the caller.
_RETRY_AFTER_MAX_SECONDS = 60.0


def analysis_path(job_id: str) -> str:
    return f"/v1/analyses/{quote(job_id, safe='')}"


def collection_path(collection_id: str) -> str:
    return f"/v1/collections/{quote(collection_id, safe='')}"


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Optional[Query] = None
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Makes a POST safe to retry.
    idempotency_key: Optional[str] = None
    #: How long the service may hold its response; added to the timeout of the call.
    wait_seconds: int = 0

    @property
    def is_repeatable(self) -> bool:
        """PUT and DELETE are idempotent by definition, and so is a PATCH of this service, which only sets values."""
        return self.method != "POST" or self.idempotency_key is not None

    def arguments(self) -> Dict[str, Any]:
        headers = dict(self.headers)
        if self.idempotency_key is not None:
            headers["idempotency-key"] = self.idempotency_key
        if self.wait_seconds:
            headers["prefer"] = f"wait={self.wait_seconds}"
        query = {name: value for name, value in (self.query or {}).items() if value is not None}
        # Not as `params`, which would replace a query in the path.
        url = httpx.URL(self.path).copy_merge_params(query)
        arguments: Dict[str, Any] = {"method": self.method, "url": url, "headers": headers}
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
    """Not if the service asks for more than a minute: its error is raised at once, with `retry_after_seconds`."""
    asked_seconds = retry_after_seconds(response)
    if asked_seconds is None:
        return response.status_code in _RETRYABLE_STATUSES
    is_temporary = response.status_code in _RETRYABLE_STATUSES or response.status_code == 409
    return is_temporary and asked_seconds <= _RETRY_AFTER_MAX_SECONDS


def retry_after_seconds(response: httpx.Response) -> Optional[float]:
    """None if the header is absent or a date: the service sends seconds, and clocks differ."""
    asked = response.headers.get("retry-after", "")
    return float(asked) if re.fullmatch(r"\d+(\.\d+)?", asked, flags=re.ASCII) else None


def backoff_seconds(attempt: int) -> float:
    """Exponential backoff with full jitter (Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015)."""
    # Ten doublings exceed the limit; a thousand would exceed the floats.
    return float(random.random() * min(_BACKOFF_MAX_SECONDS, _BACKOFF_FIRST_SECONDS * 2 ** min(attempt, 10)))


def checked_address(base_url: str) -> str:
    """Without trailing slashes. Refuses "localhost:8080" here, as every call would fail without saying why."""
    if not re.match("https?://.", base_url):
        raise ValueError(f'base_url must start with http:// or https://: "{base_url}"')
    return base_url.rstrip("/")


def origin_of(address: str) -> str:
    """Without path and query: the signature of a signed URL must not get into a message."""
    url = httpx.URL(address)
    return f"{url.scheme}://{url.netloc.decode('ascii')}" if url.host else address


def whole_response(head: httpx.Response, body: bytes) -> httpx.Response:
    """With a body that was read and decompressed chunk by chunk."""
    headers = httpx.Headers(head.headers)
    headers.pop("content-encoding", None)
    return httpx.Response(head.status_code, headers=headers, content=body, request=head.request)


def json_of(response: httpx.Response) -> Any:
    """A captive portal or another program at this address answers every request with a page."""
    try:
        return response.json()
    except ValueError as cause:
        origin = origin_of(str(response.request.url))
        raise ConnectionFailed(
            f"{origin} did not answer with JSON: is it the address of the service?"
        ) from cause


def to_error(response: httpx.Response) -> ApiError:
    try:
        body = response.json()
    except ValueError:
        body = None
    # Following it may turn a POST into a GET (301 to 303) or drop the credentials (another host).
    if response.has_redirect_location:
        # Without its query, which may be a signature.
        target = response.request.url.join(response.headers["location"]).copy_with(query=None)
        body = {
            "detail": f"The service answered {response.status_code} and redirects to {target}. "
            "Redirects are not followed: if the service is there, use that address"
        }
    request_id = response.headers.get("x-request-id")
    return ApiError(response.status_code, body, request_id, retry_after_seconds(response))


def next_after(response: httpx.Response) -> Optional[str]:
    """The cursor of the next page; None on the last page."""
    target = response.links.get("next", {}).get("url")
    return httpx.URL(target).params.get("after") if target else None
