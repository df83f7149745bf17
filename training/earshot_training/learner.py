"""One network being trained: its optimiser, its running average, and the clips it draws from.

Rates, shares and ranges were set by hand; README.md, "What was tried", has the results of the alternatives.
"""

from __future__ import annotations

import copy
import math
import random

import torch
import torch.nn.functional as F
from torch import nn

from .composer.harmony import UNSCORED
from .composer.timeline import MEL_FRAMES, PITCH_FRAMES
from .distortion import distort_bands, vary_contrast
from .features import MEL_BANDS, PITCH_BINS
from .networks import BEAT_OUTPUTS, BeatNetwork, ChordNetwork

BATCH_CLIPS = 64
PEAK_RATE, WARM_UP_STEPS = 3e-3, 300
AVERAGE_DECAY, STEPS_PER_AVERAGE = 0.996, 4
# After so many steps an update of the average is half new; earlier updates forget the first weights faster still.
AVERAGE_WARM_UP_STEPS = 80
# Rarely, because reading a loss waits for the GPU.
STEPS_PER_LOSS = 50
WEIGHT_DECAY, GRADIENT_NORM_MAX = 1e-3, 1.0
# Weights of positive frames in the loss. At 120 beats a minute the targets average a tenth for beats and a fortieth for
# downbeats; unweighted, the network misses them.
POSITIVE_WEIGHT = (2.0, 3.0)
KEY_LOSS_SHARE = 0.3
FINAL_RATE_SHARE = 0.005


class Learner:
    def __init__(self, network: nn.Module, device: str, seed: int, compiled: bool) -> None:
        self.device = device
        self.network = network.to(device)
        self.average = copy.deepcopy(network)
        self.generator = torch.Generator(device).manual_seed(seed)
        # Numbers that decide shapes are drawn on the host, which would otherwise wait for the GPU.
        self._rng = random.Random(seed)
        self.step_count, self.losses = 0, []
        fused = {"fused": True} if device == "cuda" else {}
        self._optimiser = torch.optim.AdamW(network.parameters(), lr=PEAK_RATE, weight_decay=WEIGHT_DECAY, **fused)
        self._forward = torch.compile(network, dynamic=False) if compiled else network

    def step(self, pool: ClipPool, progress: float) -> None:
        rate = PEAK_RATE * min(1.0, (self.step_count + 1) / WARM_UP_STEPS)
        rate *= 0.5 * (1 + math.cos(math.pi * min(1.0, progress))) + FINAL_RATE_SHARE
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        rows = torch.randint(0, pool.filled_count, (BATCH_CLIPS,), device=self.device, generator=self.generator)
        self.network.train()
        losses = self._losses(pool, rows)
        self._optimiser.zero_grad(set_to_none=True)
        sum(losses).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), GRADIENT_NORM_MAX)
        self._optimiser.step()
        self.step_count += 1
        if self.step_count % STEPS_PER_AVERAGE == 0:
            update_average(self.average, self.network, self.step_count, AVERAGE_DECAY)
        if self.step_count % STEPS_PER_LOSS == 0:
            self.losses.append([loss.item() for loss in losses])

    def _losses(self, pool: ClipPool, rows: torch.Tensor) -> list[torch.Tensor]:
        raise NotImplementedError

    def _predict(self, inputs: torch.Tensor):
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            return self._forward(inputs)

    def report(self) -> str:
        if not self.losses:
            return f"step {self.step_count}, no loss yet"
        columns = zip(*self.losses)
        self.losses, text = [], " ".join(f"{sum(c) / len(c):.4f}" for c in columns)
        return f"step {self.step_count} loss {text}"


@torch.no_grad()
def update_average(average: nn.Module, network: nn.Module, step_count: int, decay_max: float) -> None:
    """Exponential moving average of the weights; running statistics are copied."""
    decay = min(decay_max, step_count / (step_count + AVERAGE_WARM_UP_STEPS))
    for averaged, current in zip(average.parameters(), network.parameters()):
        averaged.lerp_(current, 1 - decay)
    for averaged, current in zip(average.buffers(), network.buffers()):
        averaged.copy_(current)


class BeatLearner(Learner):
    def __init__(self, device: str, seed: int, compiled: bool, sizes: tuple[int, int] = (16, 48)) -> None:
        torch.manual_seed(seed)
        super().__init__(BeatNetwork(*sizes), device, seed, compiled)
        self._positive_weight = torch.tensor(POSITIVE_WEIGHT, device=device)[:, None]

    def _losses(self, pool: ClipPool, rows: torch.Tensor) -> list[torch.Tensor]:
        inputs, targets = self._draw(pool, rows)
        logits = self._predict(inputs).float()
        loss = F.binary_cross_entropy_with_logits(logits, targets, pos_weight=self._positive_weight, reduction="none")
        return list(loss.mean((0, 2)))

    def _draw(self, pool: ClipPool, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self._distort(pool.mel[rows].float()), pool.beats[rows].float()

    def _distort(self, mel: torch.Tensor) -> torch.Tensor:
        return distort_bands(mel, self._rng, self.generator)


class ChordLearner(Learner):
    def __init__(self, device: str, seed: int, compiled: bool) -> None:
        torch.manual_seed(seed + 1)
        super().__init__(ChordNetwork(), device, seed + 1, compiled)

    def _losses(self, pool: ClipPool, rows: torch.Tensor) -> list[torch.Tensor]:
        inputs = vary_contrast(pool.pitch[rows].float(), self.generator)
        chords, keys = self._predict(inputs)
        chord_loss = F.cross_entropy(chords.float(), pool.chords[rows], ignore_index=UNSCORED)
        key_loss = F.cross_entropy(keys.float(), pool.keys[rows], ignore_index=UNSCORED)
        return [chord_loss, KEY_LOSS_SHARE * key_loss]


class ClipPool:
    """A ring buffer of the most recent clips. Each is drawn into a few batches before it is overwritten."""

    def __init__(self, clip_count: int, device: str) -> None:
        self.mel = torch.zeros(clip_count, MEL_FRAMES, MEL_BANDS, dtype=torch.float16, device=device)
        self.beats = torch.zeros(clip_count, BEAT_OUTPUTS, MEL_FRAMES, dtype=torch.float16, device=device)
        self.pitch = torch.zeros(clip_count, PITCH_FRAMES, PITCH_BINS, dtype=torch.float16, device=device)
        self.chords = torch.full((clip_count, PITCH_FRAMES), UNSCORED, dtype=torch.long, device=device)
        self.keys = torch.full((clip_count,), UNSCORED, dtype=torch.long, device=device)
        self.filled_count = self.added_count = 0

    def add(
        self, mel: torch.Tensor, beats: torch.Tensor, pitch: torch.Tensor, chords: torch.Tensor, keys: torch.Tensor
    ) -> None:
        rows = (self.added_count + torch.arange(len(keys), device=self.keys.device)) % len(self.keys)
        self.mel[rows], self.beats[rows], self.pitch[rows] = mel.half(), beats.half(), pitch.half()
        self.chords[rows], self.keys[rows] = chords, keys
        self.added_count += len(keys)
        self.filled_count = min(self.added_count, len(self.keys))
