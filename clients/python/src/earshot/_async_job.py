"""One analysis, for asyncio: waiting, events, cancelling."""

from __future__ import annotations

import asyncio
import math
import time
from typing import TYPE_CHECKING, AsyncIterator, Callable, Optional, cast

import httpx

from ._deadline import TimeLeft, cut_off, seconds_left
from ._errors import AnalysisFailed, ApiError, ConnectionFailed, WaitTimeout
from ._events import EMPTY_STREAMS_MAX, ENDS, HEALTHY_SECONDS, RECONNECT_SECONDS, EventReader, stream_headers
from ._models import AnalysisEvent, AnalysisJob, AnalysisResult, CompletedResult, Status
from ._request import (
    LONG_POLL_SECONDS,
    TIMEOUT_SECONDS,
    Call,
    analysis_path,
    is_retryable,
    json_of,
    retry_after_seconds,
    to_error,
)

if TYPE_CHECKING:
    from ._async_client import AsyncEarshot

_ENDED = frozenset({"completed", "failed", "canceled"})


class AsyncJob:
    """One analysis, as of the last response of the service."""

    def __init__(self, client: AsyncEarshot, data: AnalysisJob) -> None:
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
        """0 to 1."""
        return self.data["progress"]

    async def wait(
        self,
        *,
        on_progress: Optional[Callable[[AsyncJob], None]] = None,
        timeout_seconds: Optional[float] = None,
    ) -> CompletedResult:
        """The result. Raises AnalysisFailed if there will be none, WaitTimeout after `timeout_seconds`, or up to a second later."""
        deadline_seconds = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        try:
            answer = await self._result_until(on_progress, deadline_seconds)
        except ConnectionFailed as failure:
            if seconds_left(deadline_seconds) > 0:
                raise
            raise WaitTimeout(f"{self.id} is {self.status} after {timeout_seconds} s") from failure
        if answer is None:
            raise WaitTimeout(f"{self.id} is {self.status} after {timeout_seconds} s")
        if answer["status"] != "completed":
            error = answer["error"]
            if error is None:
                raise AnalysisFailed(answer["status"], f"The analysis was {answer['status']}", False)
            raise AnalysisFailed(error["code"], error["message"], error["retryable"])
        if answer["result"] is None:
            raise AnalysisFailed("result_deleted", "The result was deleted", False)
        return cast(CompletedResult, answer)

    async def _result_until(
        self, on_progress: Optional[Callable[[AsyncJob], None]], deadline_seconds: Optional[float]
    ) -> Optional[AnalysisResult]:
        """None if the job has not ended by then."""
        if on_progress is not None:
            if self.status in _ENDED:
                on_progress(self)
            else:
                async for _ in self._follow(deadline_seconds):
                    on_progress(self)
        while self.status not in _ENDED:
            left_seconds = seconds_left(deadline_seconds)
            if left_seconds <= 0:
                return None
            await self._refresh(int(max(1, min(LONG_POLL_SECONDS, left_seconds))), deadline_seconds)
            if on_progress is not None:
                on_progress(self)
        call = Call("GET", f"{analysis_path(self.id)}/result")
        return cast(AnalysisResult, json_of(await self._client._call(call, deadline_seconds=deadline_seconds)))

    def events(self) -> AsyncIterator[AnalysisEvent]:
        """All events of the job, from the first to the last, live; a broken stream resumes after the last event received."""
        return self._events(None)

    async def _events(self, deadline_seconds: Optional[float]) -> AsyncIterator[AnalysisEvent]:
        """Stops at a moment of the monotonic clock, even if no event arrives until then."""
        last_event_id: Optional[str] = None
        empty_streams = 0
        refusal: Optional[ApiError] = None
        interruption: Optional[Exception] = None
        while empty_streams < EMPTY_STREAMS_MAX and seconds_left(deadline_seconds) > 0:
            empty_streams += 1
            wait_seconds = RECONNECT_SECONDS
            opened_at_seconds = math.inf
            try:
                async with self._client._http.stream(
                    "GET",
                    f"{analysis_path(self.id)}/events",
                    headers=stream_headers(last_event_id),
                    extensions={"timeout": TimeLeft(deadline_seconds, TIMEOUT_SECONDS)},
                ) as response:
                    # The service has nothing to send after the last event.
                    if response.status_code == 204:
                        return
                    if not response.is_success:
                        with cut_off(response, deadline_seconds):
                            await response.aread()
                        refusal = to_error(response)
                        if not is_retryable(response):
                            raise refusal
                    wait_seconds = max(wait_seconds, retry_after_seconds(response) or 0)
                    if response.is_success:
                        opened_at_seconds = time.monotonic()
                        reader = EventReader()
                        with cut_off(response, deadline_seconds):
                            async for line in response.aiter_lines():
                                event = reader.feed(line)
                                if event is not None:
                                    empty_streams, last_event_id, refusal, interruption = 0, event["id"], None, None
                                    yield event
                                    if event["event_type"] in ENDS:
                                        return
                                if seconds_left(deadline_seconds) <= 0:
                                    return
            # ValueError: another program at this address answers with events that are not JSON.
            except (httpx.RequestError, ValueError) as error:
                interruption = error
            if time.monotonic() - opened_at_seconds >= HEALTHY_SECONDS:
                empty_streams = 0
            await asyncio.sleep(min(wait_seconds, max(0.0, seconds_left(deadline_seconds))))
        if seconds_left(deadline_seconds) > 0:
            raise refusal or ConnectionFailed(f"The event stream of {self.id} was interrupted repeatedly") from interruption

    async def refresh(self, *, wait_seconds: Optional[int] = None) -> AsyncJob:
        """Fetches the job again; with `wait_seconds` (at most 30) the service answers when the job ends or that time has passed."""
        return await self._refresh(wait_seconds or 0, None)

    async def _refresh(self, wait_seconds: int, deadline_seconds: Optional[float]) -> AsyncJob:
        call = Call("GET", analysis_path(self.id), wait_seconds=wait_seconds)
        response = await self._client._call(call, deadline_seconds=deadline_seconds)
        self.data = json_of(response)
        # A service that already holds too many responses answers at once: do not poll it in a tight loop.
        if wait_seconds and self.status not in _ENDED and "preference-applied" not in response.headers:
            await asyncio.sleep(min(RECONNECT_SECONDS, max(0.0, seconds_left(deadline_seconds))))
        return self

    async def result(self) -> AnalysisResult:
        """The current result; its `result` is None until the job has completed."""
        return await self._client.analyses.result(self.id)

    async def cancel(self) -> None:
        """Succeeds if the job is already canceled; raises ApiError `already_finished` if it has completed or failed."""
        call = Call("POST", f"{analysis_path(self.id)}/cancel", idempotency_key=f"cancel-{self.id}")
        try:
            response = await self._client._call(call)
        except ApiError as error:
            # It may have been this call: its response was lost, and the retry found the job canceled.
            if error.code != "already_finished":
                raise
            await self.refresh()
            if self.status != "canceled":
                raise
        else:
            self.data = json_of(response)

    async def _follow(self, deadline_seconds: Optional[float]) -> AsyncIterator[None]:
        """Yields after each progress event and once at the end. As a generator it does not see the errors of `on_progress`."""
        try:
            async for event in self._events(deadline_seconds):
                if event["event_type"] == "analysis.progress":
                    stage, progress = event["metadata"].get("stage"), event["metadata"].get("progress")
                    if isinstance(stage, str) and isinstance(progress, (int, float)):
                        self.data = {**self.data, "status": "processing", "stage": stage, "progress": progress}
                        yield
            await self._refresh(0, deadline_seconds)
            yield
        except ApiError as refusal:
            # Too many streams are open: the job is polled instead.
            if refusal.status not in (429, 503):
                raise
