"""What a failed call raises."""

from __future__ import annotations

from typing import Any, Optional


class EarshotError(Exception):
    """Every error of this package."""


class ApiError(EarshotError):
    """The service answered, and said no."""

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
        #: One of the documented codes; None for a validation failure, whose items are in `detail`.
        self.code: Optional[str] = body.get("code") if isinstance(body, dict) else None
        self.detail: Any = detail
        #: Name it when you ask for help.
        self.request_id = request_id
        #: How long to wait before the same call may succeed; None where the service does not say.
        self.retry_after_seconds = retry_after_seconds


class ConnectionFailed(EarshotError):
    """No answer came, or not all of it: the network, or a time-out; `__cause__` says which."""


class AnalysisFailed(EarshotError):
    """The analysis itself ended without a result."""

    def __init__(self, code: str, message: str, retryable: bool) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


class WaitTimeout(EarshotError):
    """The job had not ended when `wait` was to give up; it goes on all the same."""


class WebhookVerificationError(EarshotError):
    """A webhook that is not ours, not for this secret, or not fresh."""


def _describe(status: int, detail: Any) -> str:
    if isinstance(detail, str):
        return detail
    # A gateway in between may answer with a list of its own.
    if isinstance(detail, list) and detail and all(_is_issue(item) for item in detail):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in detail)
    return f"The service answered {status}"


def _is_issue(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("loc"), list) and "msg" in item
