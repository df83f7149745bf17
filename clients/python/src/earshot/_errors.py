"""What a failed call raises."""

from __future__ import annotations

import copyreg
from typing import Any, Optional, Tuple


class EarshotError(Exception):
    """Base class of every error of this package."""

    def __reduce__(self) -> Tuple[Any, ...]:
        """Restores the attributes without calling __init__, whose parameters are not `args`: errors cross processes as pickles."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class ApiError(EarshotError):
    """The service answered with an error."""

    def __init__(
        self,
        status: int,
        body: Any,
        request_id: Optional[str],
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        detail = body.get("detail") if isinstance(body, dict) else None
        super().__init__(_describe(status, detail))
        self.status = status
        #: One of the codes in docs/errors.md; None for invalid input, whose problems are listed in `detail`, and for a gateway's answer.
        self.code: Optional[str] = body.get("code") if isinstance(body, dict) else None
        self.detail: Any = detail
        #: Quote it when you report a problem.
        self.request_id = request_id
        #: How long to wait before the same call may succeed; None if the service does not say.
        self.retry_after_seconds = retry_after_seconds


class ConnectionFailed(EarshotError):
    """No complete response of the service arrived.

    `__cause__` is the network error or the timeout; of a response that is not JSON, the error of its parser; of an event stream that kept
    ending without one of these, None.
    """


class AnalysisFailed(EarshotError):
    """The analysis has no result: it failed, was canceled, or its result was deleted."""

    def __init__(self, code: str, message: str, retryable: bool) -> None:
        super().__init__(message)
        #: Of a failed analysis, why (docs/errors.md); otherwise `canceled` or `result_deleted`.
        self.code = code
        #: Whether submitting the same audio again may succeed.
        self.retryable = retryable


class WaitTimeout(EarshotError):
    """`wait` timed out; the job keeps running."""


class WebhookVerificationError(EarshotError):
    """The webhook is not signed with this secret, its timestamp is more than five minutes off, or a header or the secret is missing."""


def _describe(status: int, detail: Any) -> str:
    if isinstance(detail, str):
        return detail
    # A gateway in front of the service may answer with a list of another shape.
    if isinstance(detail, list) and detail and all(_is_issue(item) for item in detail):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in detail)
    return f"The service answered {status}"


def _is_issue(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("loc"), list) and isinstance(item.get("msg"), str)
