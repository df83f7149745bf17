"""What mypy knows about a result, and which types can be imported.

Under --strict an unused ignore is an error, so a lost type fails the check.
"""

from __future__ import annotations

import inspect
import re
import typing
from typing import Iterable, List, Optional

import earshot
from earshot import (
    Analyses,
    AsyncCollections,
    Collection,
    CollectionOrder,
    Collections,
    CompletedResult,
    ExportFormat,
    Hints,
    ReportFormat,
    _models,
    _types,
)


def chord_labels(answer: CompletedResult) -> List[str]:
    tonal = answer["result"]["tonal"]
    return [] if tonal is None else [chord["label"] for chord in tonal["chords"]]


def first_beat_seconds(answer: CompletedResult) -> Optional[float]:
    rhythm = answer["result"]["rhythm"]
    return rhythm["beats"][0]["time_seconds"] if rhythm is not None and rhythm["beats"] else None


def misspelt(answer: CompletedResult) -> object:
    return answer["result"]["bpmm"]  # type: ignore[typeddict-item]


def unchecked(answer: CompletedResult) -> float:
    return answer["result"]["bpm"] * 2  # type: ignore[operator]


def test_the_types_are_plain_dictionaries() -> None:
    hints: Hints = {"bpm_min": 90, "bpm_max": 180}
    assert hints == dict(bpm_min=90, bpm_max=180)


def in_order(collections: Collections, collection: Collection) -> CollectionOrder:
    return collections.order(collection["id"])


async def in_order_async(collections: AsyncCollections, collection: Collection) -> CollectionOrder:
    return await collections.order(collection["id"])


def files(analyses: Analyses, job_id: str, formats: Iterable[ExportFormat], report: ReportFormat) -> List[bytes]:
    return [*(analyses.export(job_id, format) for format in formats), analyses.report(job_id, report)]


def test_every_type_in_a_public_signature_can_be_imported() -> None:
    classes = [value for value in vars(earshot).values() if inspect.isclass(value)]
    methods = [method for each in classes for name, method in inspect.getmembers(each) if not name.startswith("_")]
    functions = [method.fget if isinstance(method, property) else method for method in methods]
    signatures = " ".join(str(function.__annotations__) for function in functions if inspect.isfunction(function))
    defined = {**vars(_types), **vars(_models)}
    ours = {name for name in re.findall(r"\w+", signatures) if name in defined and defined[name] is not vars(typing).get(name)}
    assert {"AnalysisJob", "Collection", "ExportFormat", "Status"} <= ours
    assert ours - set(earshot.__all__) == set()
