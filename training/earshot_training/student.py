"""Trains a beat network on composed music and on recordings labelled by another network.

`python -m earshot_training.student`: `--recordings` are files written by recordings.py. The rest is as in train.py.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import os
import time
from dataclasses import replace
from pathlib import Path

import torch

from .container import write_model
from .distortion import Distortion
from .export import export_beats
from .learner import BeatLearner, ClipPool
from .recordings import load_recordings
from .sounds.bank import load_sound_bank
from .stream import ClipStream
from .studio import Studio

# Set by hand; README.md has the results of other shares ("What was tried", run 8 and beats-recorded-v1).
RECORDED_SHARE = 0.65
"""Of every batch."""
DISTORTED_CHANCE = 0.7
"""Chance that half of a batch is distorted."""
STEPS_PER_ROUND = 3


class Student(BeatLearner):
    def __init__(
        self, recordings: dict[str, torch.Tensor], device: str, seed: int, compiled: bool, sizes: tuple[int, int]
    ) -> None:
        super().__init__(device, seed, compiled, sizes)
        self._recordings = {name: tensor.to(device) for name, tensor in recordings.items()}
        self._distortion = Distortion(device, seed)

    def _draw(self, pool: ClipPool, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        count, recorded = int(RECORDED_SHARE * len(rows)), self._recordings
        drawn = torch.randint(0, len(recorded["mel"]), (count,), device=self.device, generator=self.generator)
        mel = torch.cat([recorded["mel"][drawn], pool.mel[rows[count:]]]).float()
        beats = torch.cat([recorded["beats"][drawn], pool.beats[rows[count:]]]).float()
        # Shuffled, because both distortions treat the first half of a batch differently.
        order = torch.randperm(len(rows), device=self.device, generator=self.generator)
        mel, beats = mel[order], beats[order]
        if self._rng.random() < DISTORTED_CHANCE:
            mel[: len(rows) // 2] = self._distortion(mel[: len(rows) // 2])
        return self._distort(mel), beats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=530)
    parser.add_argument("--music-seed", type=int, default=2)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument(
        "--sizes", type=int, nargs=2, default=(16, 48), help="channels of the front end and of the blocks"
    )
    parser.add_argument("--pool", type=int, default=16000, help="clips kept for drawing batches")
    parser.add_argument("--first-clips", type=int, default=1280)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    with mp.Pool(arguments.workers) as pool:
        bank = load_sound_bank(pool, 1.0)
        # Workers are forked before the GPU is touched: CUDA does not survive a fork.
        stream = ClipStream(bank, arguments.music_seed, arguments.workers)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    studio = Studio(bank, arguments.device, arguments.music_seed)
    recordings, compiled = load_recordings(arguments.recordings), arguments.device == "cuda"
    student = Student(recordings, arguments.device, arguments.seed, compiled, tuple(arguments.sizes))
    clips, clip_pool = iter(stream), ClipPool(arguments.pool, arguments.device)
    while clip_pool.added_count < arguments.first_clips:
        clip_pool.add(*studio.render_examples(*next(clips)))
    began_s = time.time()
    while (progress := (time.time() - began_s) / arguments.seconds) < 1:
        clip_pool.add(*studio.render_examples(*next(clips)))
        for _ in range(STEPS_PER_ROUND):
            student.step(clip_pool, progress)
    stream.close()
    size_bytes = write_model(arguments.out, replace(export_beats(student.average, "1"), name="beats-recorded"))
    print(f"{student.report()}, {size_bytes} bytes")


if __name__ == "__main__":
    main()
