import multiprocessing as mp
from itertools import islice

import numpy as np
import pytest

from earshot_training import stream
from earshot_training.composer.styles import TRAINING_STYLES
from earshot_training.sounds.bank import SoundBank, load_sound_bank
from earshot_training.stream import CLIPS_PER_BATCH, EVENTS_MIN, ClipStream, compose_batch

# The replacements made in this process reach the workers only if they are forked from it.
needs_fork = pytest.mark.skipif(mp.get_start_method() != "fork", reason="workers are not forked here")


@pytest.fixture(scope="module")
def bank() -> SoundBank:
    return load_sound_bank(scale=0.02)


def read(bank: SoundBank, run_seed: int, workers: int, count: int) -> list[stream.Batch]:
    clips = ClipStream(bank, run_seed, workers)
    try:
        return list(islice(clips, count))
    finally:
        clips.close()


def frames_of(times_s: list[float]) -> list[int]:
    """The nearest frames, 50 a second. A beat at the very end of a clip has none."""
    return sorted({round(time_s * 50) for time_s in times_s} - {1500})


@pytest.mark.parametrize("workers", [1, 3])
def test_batches_and_their_targets_depend_on_the_run_seed_alone_and_not_on_the_number_of_workers(bank, workers):
    batches = read(bank, run_seed=7, workers=workers, count=4)
    for index, (clips, targets) in enumerate(batches):
        expected = compose_batch(bank, 7 * 10**10 + index * 1000, TRAINING_STYLES)
        assert len(clips) == len(expected) == CLIPS_PER_BATCH
        assert all(np.array_equal(got.events, wanted.events) for got, wanted in zip(clips, expected))
        for clip, (beats, downbeats) in zip(expected, targets, strict=True):
            assert np.flatnonzero(beats == 1).tolist() == frames_of(clip.beats_s)
            assert np.flatnonzero(downbeats == 1).tolist() == frames_of(clip.downbeats_s)


def test_nearly_silent_clips_are_replaced_by_those_of_the_next_seeds(monkeypatch):
    class Clip:
        def __init__(self, seed: int) -> None:
            self.seed = seed
            self.events = [None] * (EVENTS_MIN - 1 if seed in (5, 7) else EVENTS_MIN)

    monkeypatch.setattr(stream, "compose_clip", lambda bank, seed, styles: Clip(seed))
    assert [clip.seed for clip in compose_batch(None, 5, [], count=3)] == [6, 8, 9]


@needs_fork
def test_a_dead_worker_is_an_error_and_not_an_endless_wait(monkeypatch):
    def fail(*_):
        raise SystemExit(3)

    monkeypatch.setattr(stream, "compose_clip", fail)
    monkeypatch.setattr(stream, "WORKER_CHECK_S", 0.1)
    with pytest.raises(RuntimeError, match="exit code 3"):
        read(None, run_seed=1, workers=1, count=1)
