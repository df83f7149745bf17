"""Some clips start with silence or stop early, as songs do, so that the networks learn to report nothing there.

Probabilities and durations are set by hand: enough clips of each kind to learn from.
"""

from __future__ import annotations

import numpy as np

from .chance import Chance
from .score import field_of
from .timeline import CLIP_S

LATE_ENTRANCE_CHANCE, EARLY_EXIT_CHANCE = 0.1, 0.07
SLACK_S = 0.06
"""Players enter a little before or after the beat."""


def draw_silence(chance: Chance) -> tuple[float, float]:
    """(time before which nothing sounds, time after which no note begins); outside the clip where neither applies."""
    entrance_s = chance.uniform(0.3, 5.0) if chance.happens(LATE_ENTRANCE_CHANCE) else -CLIP_S
    exit_s = chance.uniform(20.0, 28.0) if chance.happens(EARLY_EXIT_CHANCE) else 2 * CLIP_S
    return entrance_s, exit_s


def keep_between(events: np.ndarray, entrance_s: float, exit_s: float) -> np.ndarray:
    start_s = field_of(events, "start_s")
    return events[(start_s >= entrance_s - SLACK_S) & (start_s <= exit_s + SLACK_S)]
