"""Trains both networks from one stream of composed music: `python -m earshot_training.train --out DIR`.

A round renders 32 new clips and then takes a few steps of each network on clips drawn from the most recent ones. With
`--seeds N`, N copies of each network start from different weights and see different batches of the same stream.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from .composer.timeline import CLIP_S
from .container import write_model
from .export import export_beats, export_chords
from .learner import BeatLearner, ChordLearner, ClipPool, Learner
from .sounds.bank import load_sound_bank
from .stream import Batch, ClipStream
from .studio import Studio
from .validation import Validation

PROGRESS_LINES = 12


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=6000)
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="shorten the schedule to end within this time"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the music and of the first networks; copy i adds 100 i")
    parser.add_argument("--seeds", type=int, default=1, help="how many copies of each network")
    parser.add_argument("--beat-steps", type=int, default=3)
    parser.add_argument("--chord-steps", type=int, default=2)
    parser.add_argument("--pool", type=int, default=16000, help="clips kept for drawing batches")
    parser.add_argument("--first-clips", type=int, default=1600, help="clips rendered before the first step")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--palette", type=float, default=1.0, help="share of the synthesised one-shots to make")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--version", default="1")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    began_s = time.time()
    log = lambda text: print(f"[{time.time() - began_s:6.1f} s] {text}", flush=True)
    with mp.Pool(arguments.workers) as pool:
        bank = load_sound_bank(pool, arguments.palette)
        log(f"{len(bank.waveforms)} samples")
        # Workers are forked before the GPU is touched: CUDA does not survive a fork.
        stream = ClipStream(bank, arguments.seed, arguments.workers)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        validation = Validation(bank, arguments.device, pool, arguments.palette * 0.3)
    log("validation set rendered")
    studio = Studio(bank, arguments.device, arguments.seed)
    compiled = arguments.device == "cuda"
    beat_learners = [BeatLearner(arguments.device, arguments.seed + 100 * i, compiled) for i in range(arguments.seeds)]
    chord_learners = [
        ChordLearner(arguments.device, arguments.seed + 100 * i, compiled) for i in range(arguments.seeds)
    ]
    clips = iter(stream)
    clip_pool = ClipPool(arguments.pool, arguments.device)
    while clip_pool.added_count < arguments.first_clips:
        clip_pool.add(*studio.render_examples(*next(clips)))
    log(f"{clip_pool.added_count} clips rendered")
    train(arguments, clip_pool, studio, clips, beat_learners, chord_learners, log)
    stream.close()
    finish(arguments, validation, beat_learners, chord_learners, clip_pool.added_count, log)


def train(
    arguments: argparse.Namespace,
    clip_pool: ClipPool,
    studio: Studio,
    clips: Iterator[Batch],
    beat_learners: list[Learner],
    chord_learners: list[Learner],
    log: Callable[[str], None],
) -> None:
    started_s, next_report_progress = time.time(), 0.0
    for round_index in range(arguments.rounds):
        progress = max(round_index / arguments.rounds, (time.time() - started_s) / arguments.seconds)
        if progress >= 1:
            break
        clip_pool.add(*studio.render_examples(*next(clips)))
        for learners, steps in ((beat_learners, arguments.beat_steps), (chord_learners, arguments.chord_steps)):
            for learner in learners:
                for _ in range(steps):
                    learner.step(clip_pool, progress)
        if progress >= next_report_progress:
            next_report_progress = progress + 1 / PROGRESS_LINES
            log(f"round {round_index}: beats {beat_learners[0].report()} | chords {chord_learners[0].report()}")


def finish(
    arguments: argparse.Namespace,
    validation: Validation,
    beat_learners: list[Learner],
    chord_learners: list[Learner],
    clip_count: int,
    log: Callable[[str], None],
) -> None:
    hours = clip_count * CLIP_S / 3600
    log(f"{clip_count} clips, {hours:.0f} hours of music")
    settings = {name: str(value) for name, value in vars(arguments).items()}
    report = {"hours": round(hours, 1), "arguments": settings, "beats": [], "chords": []}
    for index, (beats, chords) in enumerate(zip(beat_learners, chord_learners)):
        suffix = "" if index == 0 else f"-seed{index + 1}"
        for kind, learner, export, score in (
            ("beats", beats, export_beats, validation.score_beats),
            ("chords", chords, export_chords, validation.score_chords),
        ):
            path = arguments.out / f"{kind}-v{arguments.version}{suffix}.bin"
            size_bytes = write_model(path, export(learner.average, arguments.version))
            scores = score(learner.average)
            report[kind].append(scores)
            totals = {name: {k: v for k, v in row.items() if k != "by style"} for name, row in scores.items()}
            log(f"{path.name}: {size_bytes} bytes, {totals}")
    (arguments.out / "report.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
