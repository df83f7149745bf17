"""Targets of the beat network: a bump of a few frames around every beat, as annotations are not exact to a frame."""

from __future__ import annotations

import numpy as np

from .composer.compose import Clip
from .features import MEL_FRAMES_PER_S

BUMP = {0: 1.0, 1: 0.5, 2: 0.15}
"""Target by distance in frames (20 ms) from the beat: narrower than the 70 ms the beat F-measure tolerates."""


def beat_targets(times_s: list[float], frames: int) -> np.ndarray:
    target = np.zeros(frames, np.float32)
    centres = np.round(np.array(times_s) * MEL_FRAMES_PER_S).astype(int)
    for distance, value in BUMP.items():
        around = np.concatenate([centres - distance, centres + distance])
        around = around[(around >= 0) & (around < frames)]
        target[around] = np.maximum(target[around], value)
    return target


def stack_beat_targets(clips: list[Clip], frames: int) -> np.ndarray:
    """(clips, 2, frames)"""
    return np.stack([[beat_targets(clip.beats_s, frames), beat_targets(clip.downbeats_s, frames)] for clip in clips])
