"""An endless, reproducible stream of composed clips from several processes.

Worker k composes the batches k, k + W, k + 2W… and the reader takes them in turn, so the order does not depend on who
is faster.
"""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Iterator

import numpy as np

from .composer.compose import Clip, compose_clip
from .composer.styles import TRAINING_STYLES, Style
from .sounds.bank import SoundBank
from .targets import MEL_FRAMES, stack_beat_targets

CLIPS_PER_BATCH = 32
# Chosen: a clip with fewer is almost silent.
FEWEST_EVENTS = 40
BATCHES_AHEAD = 4


def compose_batch(bank: SoundBank, first_seed: int, styles: list[Style], count: int = CLIPS_PER_BATCH) -> list[Clip]:
    clips, seed = [], first_seed
    while len(clips) < count:
        clip = compose_clip(bank, seed, styles)
        seed += 1
        if len(clip.events) >= FEWEST_EVENTS:
            clips.append(clip)
    return clips


def _compose_forever(bank: SoundBank, run_seed: int, worker: int, workers: int, queue: mp.Queue) -> None:
    batch = worker
    while True:
        # Batches get a thousand seeds each: more than rejection can use up.
        clips = compose_batch(bank, run_seed * 10**10 + batch * 1000, TRAINING_STYLES)
        queue.put((clips, stack_beat_targets(clips, MEL_FRAMES)))
        batch += workers


class ClipStream:
    def __init__(self, bank: SoundBank, run_seed: int, workers: int) -> None:
        self._queues = [mp.Queue(BATCHES_AHEAD) for _ in range(workers)]
        self._processes = [
            mp.Process(target=_compose_forever, args=(bank, run_seed, index, workers, queue), daemon=True)
            for index, queue in enumerate(self._queues)
        ]
        for process in self._processes:
            process.start()

    def __iter__(self) -> Iterator[tuple[list[Clip], np.ndarray]]:
        while True:
            for queue in self._queues:
                yield queue.get()

    def close(self) -> None:
        for process in self._processes:
            process.terminate()
