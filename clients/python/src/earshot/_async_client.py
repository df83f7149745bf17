"""The client for asyncio. make_sync_client.py writes the blocking one from this file and the other _async_ files."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Optional, Type

import httpx

from . import webhooks
from ._async_analyses import AsyncAnalyses
from ._async_library import AsyncCollections
from ._deadline import TimeLeft, cut_off, seconds_left
from ._errors import ConnectionFailed
from ._request import (
    GRACE_SECONDS,
    RETRIES_MAX,
    TIMEOUT_SECONDS,
    Call,
    Query,
    backoff_seconds,
    checked_address,
    default_headers,
    is_retryable,
    json_of,
    next_after,
    origin_of,
    retry_after_seconds,
    to_error,
    whole_response,
)


class AsyncEarshot:
    """The Earshot API. Use it in an `async with` block, or call `close`."""

    webhooks = webhooks

    def __init__(
        self,
        *,
        base_url: str,
        api_key: Optional[str] = None,
        retries_max: int = RETRIES_MAX,
        timeout_seconds: float = TIMEOUT_SECONDS,
        transport: Optional[httpx.AsyncBaseTransport] = None,
    ) -> None:
        """`api_key` is an API key or a session token; None only for calls that need no credentials.

        `timeout_seconds` applies to each attempt, up to the last byte of the response; the time that the service is asked to
        hold a response is added. While a file is sent to storage it limits each wait, not the whole: a slow connection is no failure.
        """
        self._retries_max = retries_max
        self._timeout_seconds = timeout_seconds
        self._base_url = checked_address(base_url)
        self._http = httpx.AsyncClient(
            base_url=self._base_url,
            headers=default_headers(api_key),
            timeout=timeout_seconds,
            transport=transport,
        )
        # A signed URL carries its own permission, so it gets no credentials.
        self._storage = httpx.AsyncClient(timeout=timeout_seconds, transport=transport)
        self.analyses = AsyncAnalyses(self)
        self.collections = AsyncCollections(self)

    async def close(self) -> None:
        await self._http.aclose()
        await self._storage.aclose()

    async def __aenter__(self) -> AsyncEarshot:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        json: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Calls any route of the API; returns its JSON, or None if the response is empty."""
        response = await self._call(Call(method, path, query=query, json=json, idempotency_key=idempotency_key))
        return json_of(response) if response.content else None

    async def iterate(self, path: str, *, query: Optional[Query] = None) -> AsyncIterator[Dict[str, Any]]:
        """Every item of a list; pages are fetched as you iterate."""
        page = dict(query or {})
        while True:
            response = await self._call(Call("GET", path, query=page))
            for item in json_of(response):
                yield item
            after = next_after(response)
            if after is None:
                return
            page["after"] = after

    async def _call(self, call: Call, *, deadline_seconds: Optional[float] = None) -> httpx.Response:
        """Ends a second after the deadline at the latest, and retries nothing after it."""

        async def send() -> httpx.Response:
            timeout_seconds = min(
                self._timeout_seconds + call.wait_seconds, seconds_left(deadline_seconds) + GRACE_SECONDS
            )
            end_seconds = time.monotonic() + timeout_seconds
            extensions = {"timeout": TimeLeft(end_seconds)}
            async with self._http.stream(**call.arguments(), extensions=extensions) as response:
                body = bytearray()
                with cut_off(response, end_seconds):
                    async for chunk in response.aiter_bytes():
                        body += chunk
                        if seconds_left(end_seconds) <= 0:
                            break
                # A response of unknown length that was cut off looks complete.
                if seconds_left(end_seconds) <= 0:
                    raise httpx.ReadTimeout(f"Not done within {timeout_seconds} s", request=response.request)
            return whole_response(response, bytes(body))

        return await self._send_with_retries(
            send,
            origin=origin_of(self._base_url),
            is_repeatable=call.is_repeatable,
            deadline_seconds=deadline_seconds,
        )

    async def _send_with_retries(
        self,
        send: Callable[[], Awaitable[httpx.Response]],
        *,
        origin: str,
        is_repeatable: bool,
        deadline_seconds: Optional[float] = None,
    ) -> httpx.Response:
        attempt = 0
        while True:
            is_last = not is_repeatable or attempt >= self._retries_max
            pause_seconds = backoff_seconds(attempt)
            try:
                response = await send()
            except httpx.RequestError as cause:
                if is_last or pause_seconds >= seconds_left(deadline_seconds):
                    raise ConnectionFailed(f"No answer from {origin}") from cause
            else:
                if response.is_success:
                    return response
                asked_seconds = retry_after_seconds(response)
                pause_seconds = pause_seconds if asked_seconds is None else asked_seconds
                if is_last or not is_retryable(response) or pause_seconds >= seconds_left(deadline_seconds):
                    raise to_error(response)
            await asyncio.sleep(pause_seconds)
            attempt += 1
