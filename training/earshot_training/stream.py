"""An endless stream of composed clips, the same for the same seed with any number of worker processes.

Worker k of W composes batches k, k + W, k + 2W…, and the reader takes the batches in numerical order.
"""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Iterator
from queue import Empty

import numpy as np

from .composer.compose import Clip, compose_clip
from .composer.style import Style
from .composer.styles import TRAINING_STYLES
from .composer.timeline import MEL_FRAMES
from .sounds.bank import SoundBank
from .targets import stack_beat_targets

CLIPS_PER_BATCH = 32
# Clips with fewer events are nearly silent; the next seed's clip takes their place.
EVENTS_MIN = 40
# Room for ten million batches in a run, and for hundreds of replaced clips in a batch. Runs are numbered from 1, so the
# seeds below SEEDS_PER_RUN are free for validation and evaluation.
SEEDS_PER_RUN, SEEDS_PER_BATCH = 10**10, 1000
# Keeps every worker busy while the trainer renders and takes its steps.
QUEUED_BATCHES_PER_WORKER = 4
# How long the reader waits before it checks that the worker is still alive. A batch takes a fraction of a second.
WORKER_CHECK_S = 5.0

Batch = tuple[list[Clip], np.ndarray]
"""Clips and their beat targets (clips, 2, frames)."""


def compose_batch(bank: SoundBank, first_seed: int, styles: list[Style], count: int = CLIPS_PER_BATCH) -> list[Clip]:
    clips, seed = [], first_seed
    while len(clips) < count:
        clip = compose_clip(bank, seed, styles)
        seed += 1
        if len(clip.events) >= EVENTS_MIN:
            clips.append(clip)
    return clips


def _compose_forever(bank: SoundBank, run_seed: int, worker: int, workers: int, queue: mp.Queue) -> None:
    batch = worker
    while True:
        clips = compose_batch(bank, run_seed * SEEDS_PER_RUN + batch * SEEDS_PER_BATCH, TRAINING_STYLES)
        queue.put((clips, stack_beat_targets(clips, MEL_FRAMES)))
        batch += workers


class ClipStream:
    def __init__(self, bank: SoundBank, run_seed: int, workers: int) -> None:
        self._queues = [mp.Queue(QUEUED_BATCHES_PER_WORKER) for _ in range(workers)]
        self._processes = [
            mp.Process(target=_compose_forever, args=(bank, run_seed, index, workers, queue), daemon=True)
            for index, queue in enumerate(self._queues)
        ]
        for process in self._processes:
            process.start()

    def __iter__(self) -> Iterator[Batch]:
        while True:
            for process, queue in zip(self._processes, self._queues):
                yield _next_batch(process, queue)

    def close(self) -> None:
        for process in self._processes:
            process.terminate()


def _next_batch(process: mp.Process, queue: mp.Queue) -> Batch:
    while True:
        try:
            return queue.get(timeout=WORKER_CHECK_S)
        except Empty:
            if not process.is_alive():
                raise RuntimeError(f"a composing worker ended with exit code {process.exitcode}") from None
