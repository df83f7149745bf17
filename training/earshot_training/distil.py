"""Distils several beat networks into one, which also learns from beat labels: `python -m earshot_training.distil`.

The teachers see every clip undistorted; the student, which starts from a trained network, sees it distorted. Its
targets are the weighted mean of the teachers' log odds, and beats: the annotations of composed clips, and what Beat
This! detects in recordings (files written by recordings.py). Shares and rates were set by hand; README.md has the
results of others.
"""

from __future__ import annotations

import argparse
import copy
import math
import multiprocessing as mp
import os
import random
import time
from dataclasses import replace
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from .composer.timeline import MEL_FRAMES
from .container import Model, read_model, write_model
from .distortion import Distortion, distort_bands
from .features import MEL_BANDS
from .learner import (
    BATCH_CLIPS,
    FINAL_RATE_SHARE,
    GRADIENT_NORM_MAX,
    POSITIVE_WEIGHT,
    update_average,
)
from .recordings import load_recordings
from .sounds.bank import load_sound_bank
from .stream import ClipStream
from .studio import Studio

RECORDED_SHARE = 0.6
DISTORTED_CHANCE = 0.7
PEAK_RATE, WARM_UP_STEPS = 6e-4, 100
AVERAGE_DECAY, STEPS_PER_AVERAGE = 0.995, 4
# The squared error of the log odds, clipped to where the teachers are sure, is a small part of the loss.
LOG_ODDS_SHARE, LOG_ODDS_MAX = 0.01, 8.0
STEPS_PER_ROUND, STEPS_PER_LOSS, STEPS_PER_REPORT = 3, 25, 300


class FoldedBeatNetwork(nn.Module):
    """An exported beat network, batch norms folded away, as a module that can be trained further."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.dilations = model.architecture["dilations"]
        self.names = list(model.tensors)
        self.tensors = nn.ParameterList([torch.from_numpy(model.tensors[name].copy()) for name in self.names])

    def forward(self, mel: torch.Tensor) -> torch.Tensor:
        """(batch, frames, 81) -> log odds (batch, outputs, frames)"""
        w = dict(zip(self.names, self.tensors))
        x = (mel * w["input.scale"] + w["input.offset"])[:, None]
        for name in ("conv1", "conv2"):
            x = F.conv2d(x, w[f"{name}.weight"], w[f"{name}.bias"], padding=1)
            x = F.elu(F.max_pool2d(x, (1, 3)))
        x = F.elu(F.conv2d(x, w["conv3.weight"][:, :, None], w["conv3.bias"]))[..., 0]
        for index, dilation in enumerate(self.dilations):
            pair = [
                F.conv1d(x, w[f"block{index}.{part}.weight"], w[f"block{index}.{part}.bias"], padding=2 * d, dilation=d)
                for part, d in (("near", dilation), ("far", 2 * dilation))
            ]
            h = F.elu(torch.cat(pair, 1))
            x = x + F.conv1d(h, w[f"block{index}.out.weight"][..., None], w[f"block{index}.out.bias"])
        h = F.elu(F.conv1d(F.elu(x), w["hidden.weight"][..., None], w["hidden.bias"]))
        return F.conv1d(h, w["output.weight"][..., None], w["output.bias"])

    def export(self, model: Model, name: str, version: str) -> Model:
        tensors = {key: t.detach().float().cpu().numpy() for key, t in zip(self.names, self.tensors)}
        return replace(model, name=name, version=version, tensors=tensors)


class Distiller:
    """`teachers` come with their shares of the log odds; `beats_share` is the weight of the beat labels in the loss."""

    def __init__(
        self, student: Model, teachers: list[tuple[Model, float]], device: str, seed: int, beats_share: float
    ) -> None:
        self.device, self._initial_model, self._beats_share = device, student, beats_share
        self.teachers = [(FoldedBeatNetwork(model).to(device).eval(), share) for model, share in teachers]
        self.network = FoldedBeatNetwork(student).to(device)
        self.average = copy.deepcopy(self.network)
        self._optimiser = torch.optim.Adam(self.network.parameters(), lr=PEAK_RATE)
        self._positive_weight = torch.tensor(POSITIVE_WEIGHT, device=device)[:, None]
        self._distortion = Distortion(device, seed)
        self._rng = random.Random(seed)
        self.generator = torch.Generator(device).manual_seed(seed)
        self.step_count, self.losses = 0, []

    @torch.no_grad()
    def label(self, mel: torch.Tensor) -> torch.Tensor:
        """The teachers' weighted mean of log odds (clips, 2, frames)."""
        return torch.cat(
            [
                sum(share * self._predict(teacher, part.float()).float() for teacher, share in self.teachers).half()
                for part in mel.split(BATCH_CLIPS)
            ]
        )

    def step(self, mel: torch.Tensor, log_odds: torch.Tensor, beats: torch.Tensor, progress: float) -> None:
        rate = PEAK_RATE * min(1.0, (self.step_count + 1) / WARM_UP_STEPS)
        for group in self._optimiser.param_groups:
            group["lr"] = rate * (0.5 * (1 + math.cos(math.pi * min(1.0, progress))) + FINAL_RATE_SHARE)
        mel, target = mel.float(), log_odds.float()
        if self._rng.random() < DISTORTED_CHANCE:
            half = len(mel) // 2
            mel = torch.cat([self._distortion(mel[:half]), mel[half:]])
        mel = distort_bands(mel, self._rng, self.generator)
        predicted = self._predict(self.network, mel).float()
        teacher_loss = F.binary_cross_entropy_with_logits(predicted, target.sigmoid())
        beat_loss = F.binary_cross_entropy_with_logits(predicted, beats.float(), pos_weight=self._positive_weight)
        clipped = [log_odds.clamp(-LOG_ODDS_MAX, LOG_ODDS_MAX) for log_odds in (predicted, target)]
        loss = teacher_loss + self._beats_share * beat_loss + LOG_ODDS_SHARE * F.mse_loss(*clipped)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), GRADIENT_NORM_MAX)
        self._optimiser.step()
        self.step_count += 1
        if self.step_count % STEPS_PER_AVERAGE == 0:
            update_average(self.average, self.network, self.step_count, AVERAGE_DECAY)
        if self.step_count % STEPS_PER_LOSS == 0:
            self.losses.append((teacher_loss.item(), beat_loss.item()))

    def export(self, version: str) -> Model:
        return self.average.export(self._initial_model, "beats", version)

    def _predict(self, network: nn.Module, mel: torch.Tensor) -> torch.Tensor:
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            return network(mel)


class DistillationPool:
    """All recordings and the most recent composed clips, with the teachers' log odds and the beat labels."""

    def __init__(self, clip_count: int, recordings: dict[str, torch.Tensor], distiller: Distiller) -> None:
        self.distiller, device = distiller, distiller.device
        self.mel = torch.zeros(clip_count, MEL_FRAMES, MEL_BANDS, dtype=torch.float16, device=device)
        self.log_odds = torch.zeros(clip_count, 2, MEL_FRAMES, dtype=torch.float16, device=device)
        self.beats = torch.zeros_like(self.log_odds)
        self.filled_count = self.added_count = 0
        self.recorded = {name: tensor.to(device) for name, tensor in recordings.items()}
        self.recorded["log_odds"] = distiller.label(self.recorded["mel"])

    def add(self, mel: torch.Tensor, beats: torch.Tensor) -> None:
        rows = (self.added_count + torch.arange(len(mel), device=self.mel.device)) % len(self.mel)
        self.mel[rows], self.log_odds[rows], self.beats[rows] = mel.half(), self.distiller.label(mel), beats.half()
        self.added_count += len(mel)
        self.filled_count = min(self.added_count, len(self.mel))

    def draw(self) -> list[torch.Tensor]:
        """A batch of log-mel frames, log odds and beats."""
        recorded_count = int(RECORDED_SHARE * BATCH_CLIPS)
        rows = self._rows(len(self.recorded["mel"]), recorded_count)
        composed = self._rows(self.filled_count, BATCH_CLIPS - recorded_count)
        order = torch.randperm(BATCH_CLIPS, device=self.mel.device, generator=self.distiller.generator)
        return [
            torch.cat([self.recorded[name][rows], getattr(self, name)[composed]])[order]
            for name in ("mel", "log_odds", "beats")
        ]

    def _rows(self, row_count: int, drawn_count: int) -> torch.Tensor:
        device, generator = self.distiller.device, self.distiller.generator
        return torch.randint(0, row_count, (drawn_count,), device=device, generator=generator)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--student", type=Path, required=True, help="the trained network to start from")
    parser.add_argument(
        "--teacher", nargs=2, action="append", required=True, metavar=("FILE", "SHARE"), help="repeat for each teacher"
    )
    parser.add_argument("--recordings", type=Path, nargs="+", required=True, help="files written by recordings.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--beats-share", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=500, help="from the program's start")
    parser.add_argument("--music-seed", type=int, default=4)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--shelf", type=int, default=8000, help="composed clips kept for drawing batches")
    parser.add_argument("--first-clips", type=int, default=640)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def main() -> None:
    arguments, started_s = parse_arguments(), time.time()
    with mp.Pool(arguments.workers) as processes:
        bank = load_sound_bank(processes, 1.0)
        # Workers are forked before the GPU is touched: CUDA does not survive a fork.
        stream = ClipStream(bank, arguments.music_seed, arguments.workers)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    studio = Studio(bank, arguments.device, arguments.music_seed)
    teachers = [(read_model(Path(file)), float(share)) for file, share in arguments.teacher]
    distiller = Distiller(
        read_model(arguments.student), teachers, arguments.device, arguments.seed, arguments.beats_share
    )
    pool, clips = DistillationPool(arguments.shelf, load_recordings(arguments.recordings), distiller), iter(stream)
    while pool.added_count < arguments.first_clips:
        pool.add(*studio.render_examples(*next(clips))[:2])
    began_s, end_s = time.time(), started_s + arguments.seconds
    print(f"first clips after {began_s - started_s:.0f} s", flush=True)
    while (progress := (time.time() - began_s) / (end_s - began_s)) < 1:
        pool.add(*studio.render_examples(*next(clips))[:2])
        for _ in range(STEPS_PER_ROUND):
            distiller.step(*pool.draw(), progress)
        if distiller.step_count % STEPS_PER_REPORT == 0:
            latest = distiller.losses[-STEPS_PER_REPORT // STEPS_PER_LOSS :]
            means = " ".join(f"{sum(part) / len(part):.5f}" for part in zip(*latest))
            print(f"{time.time() - began_s:.0f} s step {distiller.step_count} {means}", flush=True)
            write_model(arguments.out, distiller.export(arguments.version))
    stream.close()
    size_bytes = write_model(arguments.out, distiller.export(arguments.version))
    print(f"{distiller.step_count} steps, {pool.added_count} composed clips, {size_bytes} bytes")


if __name__ == "__main__":
    main()
