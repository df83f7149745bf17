"""The songs of a workspace, for asyncio: search, descriptions, corrections, similarity, collections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Optional, Sequence, Tuple, Union, cast

from ._request import Call, Query, analysis_path, collection_path, json_of, new_idempotency_key
from ._types import (
    AnalysisJob,
    BulkOutcome,
    Collection,
    CollectionOrder,
    CollectionSummary,
    Correction,
    NextSong,
    SimilarSong,
)

if TYPE_CHECKING:
    from ._async_client import AsyncEarshot

#: A list for a parameter that may be repeated.
FilterValue = Union[str, int, float, bool, Sequence[str], None]


class AsyncLibrary:
    """The part of `analyses` that works on analysed songs."""

    def __init__(self, client: AsyncEarshot) -> None:
        self._client = client

    def find(self, *, page_size: Optional[int] = None, **query: FilterValue) -> AsyncIterator[AnalysisJob]:
        """Songs that match: `find(bpm_near=124, compatible_with="8A", sort="-energy")`; pages are fetched as you iterate."""
        with_limit = cast("Dict[str, Any]", {**query, "limit": page_size})
        return cast("AsyncIterator[AnalysisJob]", self._client.iterate("/v1/analyses", query=with_limit))

    async def count(self, **query: FilterValue) -> int:
        """How many songs match; with a filter, counting stops at 10,000."""
        with_limit = cast("Dict[str, Any]", {**query, "limit": 1})
        response = await self._client._call(Call("GET", "/v1/analyses", query=with_limit))
        return int(response.headers["x-total-count"])

    async def describe(self, job_id: str, **words: Any) -> AnalysisJob:
        """Sets title, artist, album, tags, note, rating. Omitted fields stay; None restores what the file's tags say."""
        answer = await self._client.request("PATCH", analysis_path(job_id), json=words)
        return cast(AnalysisJob, answer)

    async def correct(self, job_id: str, **truth: Any) -> Correction:
        """Corrects a result: `correct(id, tempo="double", key="D minor")`. Replaces any earlier correction."""
        answer = await self._client.request("PUT", f"{analysis_path(job_id)}/corrections", json=truth)
        return cast(Correction, answer)

    async def uncorrect(self, job_id: str) -> None:
        """Removes the correction: the result is the engine's again."""
        await self._client.request("DELETE", f"{analysis_path(job_id)}/corrections")

    async def similar(self, job_id: str, *, by: str = "all", limit: int = 20) -> List[SimilarSong]:
        """Songs that sound like this one, most similar first; the first is the song itself."""
        query: Query = {"by": by, "limit": limit}
        answer = await self._client.request("GET", f"{analysis_path(job_id)}/similar", query=query)
        return cast("List[SimilarSong]", answer)

    async def next(self, job_id: str, *, limit: int = 20) -> List[NextSong]:
        """Songs that mix well after this one, best first."""
        answer = await self._client.request("GET", f"{analysis_path(job_id)}/next", query={"limit": limit})
        return cast("List[NextSong]", answer)

    async def change(
        self,
        action: str,
        *,
        ids: Optional[Sequence[str]] = None,
        query: Optional[Dict[str, Any]] = None,
        **more: Any,
    ) -> BulkOutcome:
        """Tags, deletes, collects or re-analyses the songs in `ids`, or all that `query` finds: all of them or none."""
        body = {"action": action, **_which(ids, query), **more}
        return cast(BulkOutcome, await self._client.request("POST", "/v1/analyses/bulk", json=body))

    async def export_many(
        self,
        format: str,
        *,
        ids: Optional[Sequence[str]] = None,
        query: Optional[Dict[str, Any]] = None,
        folder: Optional[str] = None,
    ) -> Tuple[bytes, int]:
        """Many songs in the format of another program, and how many the file contains."""
        body = {"action": "export", "format": format, "folder": folder, **_which(ids, query)}
        call = Call("POST", "/v1/analyses/bulk", json=body, headers={"accept": "*/*"})
        response = await self._client._call(call)
        return response.content, int(response.headers["x-changed-count"])

    async def delete_source(self, job_id: str) -> None:
        """Deletes the retained audio; the result stays."""
        await self._client.request("DELETE", f"{analysis_path(job_id)}/artifacts/source")


class AsyncCollections:
    """Ordered lists of songs: crates, albums, set lists."""

    def __init__(self, client: AsyncEarshot) -> None:
        self._client = client

    async def create(
        self, name: str, items: Sequence[str] = (), *, description: Optional[str] = None
    ) -> Collection:
        body = {"name": name, "items": list(items), "description": description}
        key = new_idempotency_key()
        answer = await self._client.request("POST", "/v1/collections", json=body, idempotency_key=key)
        return cast(Collection, answer)

    def list(self, *, page_size: Optional[int] = None) -> AsyncIterator[CollectionSummary]:
        pages = self._client.iterate("/v1/collections", query={"limit": page_size})
        return cast("AsyncIterator[CollectionSummary]", pages)

    async def get(self, collection_id: str) -> Collection:
        return cast(Collection, await self._client.request("GET", collection_path(collection_id)))

    async def update(self, collection_id: str, **change: Any) -> Collection:
        answer = await self._client.request("PATCH", collection_path(collection_id), json=change)
        return cast(Collection, answer)

    async def delete(self, collection_id: str) -> None:
        await self._client.request("DELETE", collection_path(collection_id))

    async def add(self, collection_id: str, items: Sequence[str]) -> Collection:
        """Appends songs; one that is already in the collection stays where it is."""
        path = f"{collection_path(collection_id)}/items"
        # Adding a song twice adds it once, so the call may be retried.
        key = new_idempotency_key()
        answer = await self._client.request("POST", path, json={"items": list(items)}, idempotency_key=key)
        return cast(Collection, answer)

    async def replace_items(self, collection_id: str, items: Sequence[str], version: int) -> Collection:
        """Replaces the whole list. Fails with `precondition_failed` if the collection has changed since `version`."""
        call = Call(
            "PUT",
            f"{collection_path(collection_id)}/items",
            json={"items": list(items)},
            headers={"if-match": f'"{version}"'},
        )
        return cast(Collection, json_of(await self._client._call(call)))

    async def order(self, collection_id: str, by: str = "harmonic") -> CollectionOrder:
        """A proposed order with the reason for every step; changes nothing."""
        path = f"{collection_path(collection_id)}/order"
        return cast(CollectionOrder, await self._client.request("GET", path, query={"by": by}))

    async def export(self, collection_id: str, format: str, *, folder: Optional[str] = None) -> bytes:
        """The collection in the format of another program. `folder` is where the files are on your machine."""
        call = Call(
            "GET",
            f"{collection_path(collection_id)}/export",
            query={"format": format, "folder": folder},
            headers={"accept": "*/*"},
        )
        return (await self._client._call(call)).content


def _which(ids: Optional[Sequence[str]], query: Optional[Dict[str, Any]]) -> Dict[str, Any]:
    """Sent as given: the service refuses neither and both, so that only an explicit empty query means every song."""
    return {"ids": None if ids is None else list(ids), "query": query}
