"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

from argparse import Namespace
from itertools import count
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

from earshot_training import train as train_module  # noqa: E402


class RecordedLearner:
    def __init__(self) -> None:
        self.progress_of_steps: list[float] = []

    def step(self, pool: object, progress: float) -> None:
        self.progress_of_steps.append(progress)

    def report(self) -> str:
        return ""


def train(rounds: int, seconds: float, monkeypatch) -> tuple[list, list[float], list[float]]:
    """Every round takes a second. Returns the batches added and the progress at each step of either learner."""
    clock, added = count(), []
    monkeypatch.setattr(train_module, "time", SimpleNamespace(time=lambda: max(0, next(clock) - 1)))
    pool = SimpleNamespace(add=lambda *parts: added.append(parts))
    studio = SimpleNamespace(render_examples=lambda *batch: batch)
    beats, chords = RecordedLearner(), RecordedLearner()
    arguments = Namespace(rounds=rounds, seconds=seconds, beat_steps=2, chord_steps=1)
    batches = ((number, number) for number in count())
    train_module.train(arguments, pool, studio, batches, [beats], [chords], lambda text: None)
    return added, beats.progress_of_steps, chords.progress_of_steps


def test_a_round_adds_a_batch_and_takes_the_steps_of_each_network(monkeypatch):
    added, beats, chords = train(4, float("inf"), monkeypatch)
    assert added == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert beats == [0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]
    assert chords == [0, 0.25, 0.5, 0.75]


def test_when_time_is_short_the_schedule_ends_with_it(monkeypatch):
    added, _, chords = train(100, 4.0, monkeypatch)
    assert len(added) == 4
    assert chords == [0, 0.25, 0.5, 0.75]
