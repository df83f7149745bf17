from __future__ import annotations

import pickle
from typing import Any

import httpx
import pytest

from earshot import AnalysisFailed, ApiError, EarshotError, WaitTimeout

from .scripted_service import Scripted, client


@pytest.mark.parametrize(
    "body",
    [
        {"detail": ["no"]},
        {"detail": []},
        {"detail": [{"msg": "no", "loc": None}]},
        {"detail": [{"msg": {"text": "no"}, "loc": ["body"]}]},
        {"detail": {"why": "no"}},
        {"error": "no"},
        ["no"],
        "no",
    ],
)
def test_an_error_in_the_shape_of_a_gateway_says_its_status(body: Any) -> None:
    with client(Scripted(httpx.Response(400, json=body))) as earshot, pytest.raises(ApiError, match="^The service answered 400$"):
        earshot.request("GET", "/x")


@pytest.mark.parametrize(
    "error",
    [
        ApiError(429, {"detail": "Too many.", "code": "rate_limited"}, "req_1", 7),
        AnalysisFailed("no_audio", "There is no audio in it.", True),
        WaitTimeout("job_1 is queued after 3 s"),
    ],
)
def test_an_error_survives_pickling_as_between_processes(error: EarshotError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
