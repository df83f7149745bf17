from __future__ import annotations

import json
from typing import Any, Dict

import httpx
import pytest

from .scripted_service import Scripted, client


def test_adding_songs_to_a_collection_is_retried_under_the_same_key() -> None:
    script = Scripted(503, 200)
    with client(script) as earshot:
        earshot.collections.add("col_1", ["job_1"])
    first, second = (request.headers["idempotency-key"] for request in script.asked)
    assert first == second


def test_an_id_is_escaped_as_one_path_segment() -> None:
    script = Scripted(204, 204)
    with client(script) as earshot:
        earshot.analyses.delete("job_1/artifacts/source")
        earshot.collections.delete("col_1?x")
    assert [request.url.raw_path for request in script.asked] == [
        b"/v1/analyses/job_1%2Fartifacts%2Fsource",
        b"/v1/collections/col_1%3Fx",
    ]


def test_a_collection_is_read_and_only_what_is_given_of_it_is_changed() -> None:
    script = Scripted(200, 200)
    with client(script) as earshot:
        earshot.collections.get("col_1")
        earshot.collections.update("col_1", name="Sunday", description=None)
    read, change = script.asked
    assert [(one.method, one.url.path) for one in (read, change)] == [
        ("GET", "/v1/collections/col_1"),
        ("PATCH", "/v1/collections/col_1"),
    ]
    assert json.loads(change.content) == {"name": "Sunday", "description": None}


@pytest.mark.parametrize(
    ("which", "sent"),
    [
        ({}, {"ids": None, "query": None}),
        ({"ids": ("j", "k")}, {"ids": ["j", "k"], "query": None}),
        ({"query": {}}, {"ids": None, "query": {}}),
        ({"ids": ["j"], "query": {"tag": "x"}}, {"ids": ["j"], "query": {"tag": "x"}}),
    ],
)
def test_bulk_calls_send_ids_and_query_as_given(which: Dict[str, Any], sent: Dict[str, Any]) -> None:
    # The service refuses neither and both: only an explicit empty query means every song.
    script = Scripted(
        httpx.Response(200, json={"changed": 0}), httpx.Response(200, headers={"x-changed-count": "0"})
    )
    with client(script) as earshot:
        earshot.analyses.change("delete", **which)
        earshot.analyses.export_many("csv", **which)
    delete, export = (json.loads(request.content) for request in script.asked)
    assert delete == {"action": "delete", **sent}
    assert export == {"action": "export", "format": "csv", "folder": None, **sent}
