"""Trains both networks from one stream of composed music: `python -m earshot_training.train --out DIR`.

A round renders 32 new clips and then takes a few steps of each network on clips drawn from the most recent ones. With several `--seeds`, as many
copies of each network start from different weights and see different batches of the same stream.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
import os
import time
from pathlib import Path

import numpy as np
import torch

from .composer.compose import Clip
from .composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from .container import write_model
from .export import export_beats, export_chords
from .learner import BeatLearner, ChordLearner, ClipPool, Learner
from .render.mixer import Mixer
from .render.sampler import Sampler
from .render.spectra import Spectra
from .scoring import f_measure, pick_peaks
from .sounds.bank import SoundBank, load_sound_bank
from .stream import ClipStream, compose_batch
from .targets import MEL_FRAMES, PITCH_FRAMES, stack_beat_targets

VALIDATION_SEED, VALIDATION_BATCHES = 77_000_000, 6
VALIDATION_BANK_OFFSET = 500_000
PROGRESS_LINES = 12


class Studio:
    """Renders clips and computes what the networks see and should say."""

    def __init__(self, bank: SoundBank, device: str, seed: int) -> None:
        self.device = device
        self.sampler = Sampler(bank.waveforms, device)
        self.mixer = Mixer(device, torch.Generator(device).manual_seed(seed))
        self.spectra = Spectra(device)

    @torch.no_grad()
    def record(self, clips: list[Clip], beats: np.ndarray) -> tuple[torch.Tensor, ...]:
        audio = self.mixer.mix(self.sampler.play([clip.events for clip in clips]), clips)
        audio = torch.nan_to_num(audio)
        mel, pitch = self.spectra.mel(audio)[:, :MEL_FRAMES], self.spectra.pitch(audio)[:, :PITCH_FRAMES]
        chords = np.stack([clip.chord_labels for clip in clips])
        keys = np.array([clip.key_label for clip in clips])
        return mel, torch.from_numpy(beats).to(self.device), pitch, *(torch.from_numpy(a).to(self.device) for a in (chords, keys))


class Validation:
    """Clips kept apart: the training styles with unused seeds, and styles and one-shots never trained on."""

    def __init__(self, training_bank: SoundBank, device: str, batches: int, pool: object = None, scale: float = 0.3) -> None:
        other_bank = load_sound_bank(pool, scale=scale, seed_offset=VALIDATION_BANK_OFFSET)
        self.sets = {}
        for name, bank, styles in (("seen styles", training_bank, TRAINING_STYLES), ("unseen styles", other_bank, VALIDATION_STYLES)):
            studio = Studio(bank, device, VALIDATION_SEED)
            clip_batches = [compose_batch(bank, VALIDATION_SEED + 1000 * i, styles) for i in range(batches)]
            self.sets[name] = [(clips, studio.record(clips, stack_beat_targets(clips, MEL_FRAMES))) for clips in clip_batches]

    @torch.no_grad()
    def score_beats(self, network: torch.nn.Module) -> dict[str, dict[str, float]]:
        network.eval()
        table = {}
        for name, batches in self.sets.items():
            rows = {}
            for clips, (mel, *_) in batches:
                activations = torch.sigmoid(network(mel).float())
                for clip, (beat, downbeat) in zip(clips, activations):
                    scores = f_measure(clip.beats_s, pick_peaks(beat, 0.25, 7)), f_measure(clip.downbeats_s, pick_peaks(downbeat, 0.2, 15))
                    rows.setdefault(clip.style, []).append(scores)
            every = [scores for of_style in rows.values() for scores in of_style]
            table[name] = _mean_pair(every, "beat F", "downbeat F")
            table[name]["by style"] = {style: [round(float(v), 3) for v in np.mean(s, 0)] for style, s in sorted(rows.items())}
        return table

    @torch.no_grad()
    def score_chords(self, network: torch.nn.Module) -> dict[str, dict[str, float]]:
        network.eval()
        table = {}
        for name, batches in self.sets.items():
            rows = []
            for clips, (_, _, pitch, chords, keys) in batches:
                chord_logits, key_logits = network(pitch)
                scored = chords >= 0
                hits = (chord_logits.argmax(1) == chords) & scored
                for index in range(len(clips)):
                    if scored[index].any():
                        share = hits[index].sum() / scored[index].sum()
                        rows.append((share.item(), float(key_logits[index].argmax() == keys[index])))
            table[name] = _mean_pair(rows, "chord frames", "key")
        return table


def _mean_pair(rows: list[tuple[float, float]], first: str, second: str) -> dict[str, float]:
    means = np.mean(rows, 0)
    return {first: round(float(means[0]), 4), second: round(float(means[1]), 4), "clips": len(rows)}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=6000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end the schedule earlier if it takes longer than this")
    parser.add_argument("--seed", type=int, default=1, help="of the music; networks use it, it + 1, …")
    parser.add_argument("--seeds", type=int, default=1, help="how many copies of each network")
    parser.add_argument("--beat-steps", type=int, default=3)
    parser.add_argument("--chord-steps", type=int, default=2)
    parser.add_argument("--pool", type=int, default=16000, help="clips kept for drawing batches")
    parser.add_argument("--first-clips", type=int, default=1600, help="clips rendered before the first step")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--palette", type=float, default=1.0, help="share of the synthesised one-shots to make")
    parser.add_argument("--validation-batches", type=int, default=VALIDATION_BATCHES)
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--version", default="1")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    log = lambda text: print(f"[{time.time() - began:6.1f} s] {text}", flush=True)  # noqa: E731
    with mp.Pool(arguments.workers) as pool:
        bank = load_sound_bank(pool, arguments.palette)
        log(f"{len(bank.waveforms)} samples")
        # Workers are forked before the GPU is touched: CUDA does not survive a fork.
        stream = ClipStream(bank, arguments.seed, arguments.workers)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        validation = Validation(bank, arguments.device, arguments.validation_batches, pool, arguments.palette * 0.3)
    log("validation set rendered")
    studio = Studio(bank, arguments.device, arguments.seed)
    compiled = arguments.device == "cuda" and not arguments.no_compile
    beat_learners = [BeatLearner(arguments.device, arguments.seed + 100 * i, compiled) for i in range(arguments.seeds)]
    chord_learners = [ChordLearner(arguments.device, arguments.seed + 100 * i, compiled) for i in range(arguments.seeds)]
    clips = iter(stream)
    clip_pool = ClipPool(arguments.pool, MEL_FRAMES, PITCH_FRAMES, arguments.device)
    while clip_pool.total < arguments.first_clips:
        clip_pool.add(*studio.record(*next(clips)))
    log(f"{clip_pool.total} clips rendered")
    train(arguments, clip_pool, studio, clips, beat_learners, chord_learners, log)
    stream.close()
    finish(arguments, validation, beat_learners, chord_learners, clip_pool.total, log)


def train(arguments, clip_pool, studio, clips, beat_learners: list[Learner], chord_learners: list[Learner], log) -> None:
    started, next_report = time.time(), 0.0
    for round_index in range(arguments.rounds):
        progress = max(round_index / arguments.rounds, (time.time() - started) / arguments.seconds)
        if progress >= 1:
            break
        clip_pool.add(*studio.record(*next(clips)))
        for learner in beat_learners:
            for _ in range(arguments.beat_steps):
                learner.step(clip_pool, progress)
        for learner in chord_learners:
            for _ in range(arguments.chord_steps):
                learner.step(clip_pool, progress)
        if progress >= next_report:
            next_report = progress + 1 / PROGRESS_LINES
            log(f"round {round_index}: beats {beat_learners[0].report()} | chords {chord_learners[0].report()}")


def finish(arguments, validation: Validation, beat_learners, chord_learners, clip_count: int, log) -> None:
    hours = clip_count * 30 / 3600
    log(f"{clip_count} clips, {hours:.0f} hours of music")
    report = {"hours": round(hours, 1), "arguments": {k: str(v) for k, v in vars(arguments).items()}, "beats": [], "chords": []}
    for index, (beats, chords) in enumerate(zip(beat_learners, chord_learners)):
        suffix = "" if index == 0 else f"-seed{index + 1}"
        for kind, learner, export, score in (
            ("beats", beats, export_beats, validation.score_beats),
            ("chords", chords, export_chords, validation.score_chords),
        ):
            path = arguments.out / f"{kind}-v{arguments.version}{suffix}.bin"
            size = write_model(path, export(learner.average, arguments.version))
            scores = score(learner.average)
            report[kind].append(scores)
            short = {name: {k: v for k, v in row.items() if k != "by style"} for name, row in scores.items()}
            log(f"{path.name}: {size} bytes, {short}")
    (arguments.out / "report.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
