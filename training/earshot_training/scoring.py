"""The beat F-measure (Dixon 2007): hits within 70 ms, one estimate for one reference."""

from __future__ import annotations

import numpy as np

from .composer.compose import Clip
from .features import MEL_FRAMES_PER_S

TOLERANCE_S = 0.07
# Set by eye, to compare networks. A peak is the highest within 140 ms to either side for beats, 300 ms for downbeats.
BEAT_THRESHOLD, BEAT_REACH_FRAMES = 0.25, 7
DOWNBEAT_THRESHOLD, DOWNBEAT_REACH_FRAMES = 0.2, 15


def score_beats(clip: Clip, beat: np.ndarray, downbeat: np.ndarray) -> tuple[float, float]:
    """Beat F and downbeat F of two activations, from peaks alone: the engine also uses a tempo model."""
    return (
        f_measure(clip.beats_s, pick_peaks_s(beat, BEAT_THRESHOLD, BEAT_REACH_FRAMES)),
        f_measure(clip.downbeats_s, pick_peaks_s(downbeat, DOWNBEAT_THRESHOLD, DOWNBEAT_REACH_FRAMES)),
    )


def pick_peaks_s(activation: np.ndarray, threshold: float, reach_frames: int) -> np.ndarray:
    """Times of the frames above a threshold that none within reach exceeds."""
    padded = np.pad(activation, reach_frames, constant_values=0)
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach_frames + 1).max(-1)
    return np.flatnonzero((activation == highest) & (activation > threshold)) / MEL_FRAMES_PER_S


def f_measure(reference_s: list[float], estimate_s: list[float]) -> float:
    if not len(reference_s) and not len(estimate_s):
        return 1.0
    i = j = hits = 0
    while i < len(reference_s) and j < len(estimate_s):
        gap_s = estimate_s[j] - reference_s[i]
        if abs(gap_s) <= TOLERANCE_S:
            hits, i, j = hits + 1, i + 1, j + 1
        elif gap_s < 0:
            j += 1
        else:
            i += 1
    return 2 * hits / (len(reference_s) + len(estimate_s))
