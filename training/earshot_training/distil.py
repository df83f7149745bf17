"""One beat network that says what two say together: `python -m earshot_training.distil`.

Both teachers hear every clip as it is; the student, which begins as the second of them, hears it distorted, and is to
answer with the weighted mean of their log odds. Nobody's beats are needed, so any music serves: `--recordings` are
spectra alone (an array `mel` of clips × frames × bands in bytes, 1/24 each), heard at several speeds.
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

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from .container import Model, read_model, write_model
from .distortion import Distortion
from .learner import BATCH_CLIPS, LARGEST_GRADIENT, distort_bands
from .sounds.bank import load_sound_bank
from .stream import ClipStream
from .studio import Studio
from .targets import MEL_FRAMES

SECOND_SHARE = 0.65
"""Of the second teacher in the log odds."""
RECORDED_SHARE = 0.6
DISTORTED_CHANCE = 0.7
SPEEDS = (1.0, 0.8, 0.88, 1.13, 1.25)
BYTES_PER_UNIT = 24
PEAK_RATE, WARM_UP_STEPS = 4e-4, 100
AVERAGE_DECAY, STEPS_PER_AVERAGE = 0.98, 4
LOG_ODDS_SHARE, LARGEST_LOG_ODDS = 0.01, 8.0
ROUND_STEPS = 3


class FoldedBeatNetwork(nn.Module):
    """An exported beat network that can be trained on: batch norms are folded away."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.dilations = model.architecture["dilations"]
        self.names = list(model.tensors)
        self.tensors = nn.ParameterList([torch.from_numpy(model.tensors[name].copy()) for name in self.names])

    def forward(self, mel: torch.Tensor) -> torch.Tensor:
        """(batch, frames, 81) -> log odds (batch, 2, frames)"""
        w = dict(zip(self.names, self.tensors))
        x = (mel * w["input.scale"] + w["input.offset"])[:, None]
        for name in ("conv1", "conv2"):
            x = F.conv2d(x, w[f"{name}.weight"], w[f"{name}.bias"], padding=1)
            x = F.elu(F.max_pool2d(x, (1, 3)))
        x = F.elu(F.conv2d(x, w["conv3.weight"][:, :, None], w["conv3.bias"]))[..., 0]
        for index, dilation in enumerate(self.dilations):
            pair = [
                F.conv1d(
                    x, w[f"block{index}.{part}.weight"], w[f"block{index}.{part}.bias"], padding=2 * d, dilation=d
                )
                for part, d in (("near", dilation), ("far", 2 * dilation))
            ]
            h = F.elu(torch.cat(pair, 1))
            x = x + F.conv1d(h, w[f"block{index}.out.weight"][..., None], w[f"block{index}.out.bias"])
        h = F.elu(F.conv1d(F.elu(x), w["hidden.weight"][..., None], w["hidden.bias"]))
        return F.conv1d(h, w["output.weight"][..., None], w["output.bias"])

    def export(self, model: Model) -> Model:
        tensors = {name: t.detach().float().cpu().numpy() for name, t in zip(self.names, self.tensors)}
        return replace(model, name="beats", version="2", tensors=tensors)


class Distiller:
    def __init__(self, first: Model, second: Model, device: str, seed: int) -> None:
        self.device, self._second = device, second
        self.teachers = [FoldedBeatNetwork(model).to(device).eval() for model in (first, second)]
        self.network = FoldedBeatNetwork(second).to(device)
        self.average = copy.deepcopy(self.network)
        self._optimiser = torch.optim.Adam(self.network.parameters(), lr=PEAK_RATE)
        self._distortion = Distortion(device, seed)
        self._dice = random.Random(seed)
        self.generator = torch.Generator(device).manual_seed(seed)
        self.step_count, self.losses = 0, []

    @torch.no_grad()
    def label(self, mel: torch.Tensor) -> torch.Tensor:
        shares = (1 - SECOND_SHARE, SECOND_SHARE)
        return torch.cat(
            [
                sum(share * self._predict(t, part.float()).float() for share, t in zip(shares, self.teachers)).half()
                for part in mel.split(BATCH_CLIPS)
            ]
        )

    def step(self, mel: torch.Tensor, log_odds: torch.Tensor, progress: float) -> None:
        rate = PEAK_RATE * min(1.0, (self.step_count + 1) / WARM_UP_STEPS)
        for group in self._optimiser.param_groups:
            group["lr"] = rate * (0.5 * (1 + math.cos(math.pi * min(1.0, progress))) + 0.005)
        mel, wanted = mel.float(), log_odds.float()
        if self._dice.random() < DISTORTED_CHANCE:
            half = len(mel) // 2
            mel = torch.cat([self._distortion(mel[:half]), mel[half:]])
        mel = distort_bands(mel, self._dice, self.generator)
        heard = self._predict(self.network, mel).float()
        doubt = F.binary_cross_entropy_with_logits(heard, wanted.sigmoid())
        clipped = [t.clamp(-LARGEST_LOG_ODDS, LARGEST_LOG_ODDS) for t in (heard, wanted)]
        loss = doubt + LOG_ODDS_SHARE * F.mse_loss(*clipped)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self._optimiser.step()
        self.step_count += 1
        if self.step_count % STEPS_PER_AVERAGE == 0:
            self._update_average()
        if self.step_count % 25 == 0:
            self.losses.append(loss.item())

    def export(self) -> Model:
        return self.average.export(self._second)

    def _predict(self, network: nn.Module, mel: torch.Tensor) -> torch.Tensor:
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            return network(mel)

    @torch.no_grad()
    def _update_average(self) -> None:
        decay = min(AVERAGE_DECAY, self.step_count / (self.step_count + 80))
        for averaged, current in zip(self.average.parameters(), self.network.parameters()):
            averaged.lerp_(current, 1 - decay)


class Shelf:
    """The most recent composed clips, and all the recordings, each with what the teachers heard."""

    def __init__(self, clips: int, recordings: torch.Tensor, distiller: Distiller) -> None:
        self.distiller, device = distiller, distiller.device
        self.mel = torch.zeros(clips, MEL_FRAMES, 81, dtype=torch.float16, device=device)
        self.log_odds = torch.zeros(clips, 2, MEL_FRAMES, dtype=torch.float16, device=device)
        self.filled = self.total = 0
        self.recorded = torch.cat([change_speed(recordings.to(device), speed) for speed in SPEEDS])
        self.recorded_log_odds = distiller.label(self.recorded)

    def add(self, mel: torch.Tensor) -> None:
        rows = slice(self.total % len(self.mel), self.total % len(self.mel) + len(mel))
        self.mel[rows], self.log_odds[rows] = mel.half(), self.distiller.label(mel)
        self.total += len(mel)
        self.filled = min(self.total, len(self.mel))

    def draw(self) -> tuple[torch.Tensor, torch.Tensor]:
        recorded = int(RECORDED_SHARE * BATCH_CLIPS)
        rows = self._rows(len(self.recorded), recorded)
        own = self._rows(self.filled, BATCH_CLIPS - recorded)
        mel = torch.cat([self.recorded[rows], self.mel[own]])
        log_odds = torch.cat([self.recorded_log_odds[rows], self.log_odds[own]])
        order = torch.randperm(BATCH_CLIPS, device=mel.device, generator=self.distiller.generator)
        return mel[order], log_odds[order]

    def _rows(self, among: int, count: int) -> torch.Tensor:
        device, generator = self.distiller.device, self.distiller.generator
        return torch.randint(0, among, (count,), device=device, generator=generator)


def change_speed(mel: torch.Tensor, speed: float) -> torch.Tensor:
    """Along time alone: pitches stay. A faster clip ends in silence."""
    if speed == 1:
        return mel
    frames = round(MEL_FRAMES / speed)
    stretched = F.interpolate(mel.float().transpose(1, 2), frames, mode="linear").transpose(1, 2).to(mel.dtype)
    return F.pad(stretched, (0, 0, 0, max(0, MEL_FRAMES - frames)))[:, :MEL_FRAMES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=Path, required=True, help="teacher by composed music")
    parser.add_argument("--second", type=Path, required=True, help="teacher by recordings, where the student begins")
    parser.add_argument("--recordings", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=140, help="from the start of the program")
    parser.add_argument("--music-seed", type=int, default=3)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--shelf", type=int, default=8000)
    parser.add_argument("--first-clips", type=int, default=640)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    started = time.time()
    with mp.Pool(arguments.workers) as pool:
        bank = load_sound_bank(pool, 1.0)
        stream = ClipStream(bank, arguments.music_seed, arguments.workers)
    print(f"bank after {time.time() - started:.0f} s", flush=True)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    studio = Studio(bank, arguments.device, arguments.music_seed)
    distiller = Distiller(read_model(arguments.first), read_model(arguments.second), arguments.device, arguments.seed)
    recordings = torch.from_numpy(np.load(arguments.recordings)["mel"].astype(np.float16) / BYTES_PER_UNIT)
    shelf, clips = Shelf(arguments.shelf, recordings, distiller), iter(stream)
    while shelf.total < arguments.first_clips:
        shelf.add(studio.record(*next(clips))[0])
    began, end = time.time(), started + arguments.seconds
    print(f"first clips after {began - started:.0f} s", flush=True)
    while (progress := (time.time() - began) / (end - began)) < 1:
        shelf.add(studio.record(*next(clips))[0])
        for _ in range(ROUND_STEPS):
            distiller.step(*shelf.draw(), progress)
        if distiller.step_count % 150 == 0:
            latest = distiller.losses[-6:]
            print(f"{time.time() - began:.0f} s step {distiller.step_count} {sum(latest) / len(latest):.5f}", flush=True)
            write_model(arguments.out, distiller.export())
    stream.close()
    size = write_model(arguments.out, distiller.export())
    print(f"{distiller.step_count} steps, {shelf.total} composed clips, {size} bytes")


if __name__ == "__main__":
    main()
