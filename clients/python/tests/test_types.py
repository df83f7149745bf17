"""What mypy knows about a result. Under --strict an unused ignore is an error, so a lost type fails the check."""

from __future__ import annotations

from typing import List, Optional

from earshot import CompletedResult, Hints


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
