"""Musical time: bars, pulses, swing, and the drift of a human tempo.

A pulse is the unit in which patterns are written, usually a beat. Where listeners group pulses (the 2+2+3 of a fast
7/8), only the first pulse of each group is annotated as a beat. Ranges and limits are set by ear.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..features import MEL_FRAMES_PER_S, PITCH_FRAMES_PER_S
from .chance import Chance

CLIP_S = 30.0
MEL_FRAMES, PITCH_FRAMES = int(CLIP_S * MEL_FRAMES_PER_S), int(CLIP_S * PITCH_FRAMES_PER_S)
"""Of the networks' inputs, in a clip."""

# Limits of a beat's length in a rubato, as logarithms: two thirds and seven quarters of the length at the tempo.
LOG_STRETCH_MIN, LOG_STRETCH_MAX = -0.4, 0.55
# Below this swing is inaudible.
AUDIBLE_SWING_MIN = 0.501
# Players are early or late, so bars this far outside the clip may still be audible in it.
AUDIBLE_BEFORE_S, AUDIBLE_AFTER_S = 0.1, 0.5
# The first pulse is before the clip by at least this share of a pulse, so that it is never annotated.
EDGE_SHARE = 0.01


@dataclass(frozen=True)
class Metre:
    pulses_per_bar: int
    beat_pulses: tuple[int, ...]
    """Which pulses of the bar are beats; the first is the downbeat."""
    steps_per_pulse: int = 4
    """Sixteenths: four in a simple beat, two in a pulse that listeners group. In compound time, three eighths."""

    @property
    def steps_per_bar(self) -> int:
        return self.pulses_per_bar * self.steps_per_pulse

    @property
    def eighths_per_pulse(self) -> int:
        """Two in a simple beat, three in a compound one; where listeners group pulses, each is an eighth itself."""
        return 3 if self.steps_per_pulse == 3 else self.steps_per_pulse // 2

    def beat_spans(self) -> list[tuple[int, int]]:
        """The pulses at which each beat of a bar begins and ends."""
        return list(pairwise((*self.beat_pulses, self.pulses_per_bar)))


def simple_metre(beats_per_bar: int) -> Metre:
    return Metre(beats_per_bar, tuple(range(beats_per_bar)))


def compound_metre(beats_per_bar: int) -> Metre:
    return Metre(beats_per_bar, tuple(range(beats_per_bar)), steps_per_pulse=3)


def additive_metre(groups: tuple[int, ...]) -> Metre:
    """Uneven beats, as in Balkan dances: (2, 2, 3) is 7/8 with three beats."""
    starts = tuple(sum(groups[:i]) for i in range(len(groups)))
    return Metre(sum(groups), starts, steps_per_pulse=2)


@dataclass(frozen=True)
class Feel:
    """How a groove deviates from the grid."""

    eighth_swing: float = 0.5
    """Where in the beat the second eighth falls: 0.5 straight, 0.667 triplet."""
    sixteenth_swing: float = 0.5
    """The same within the eighth."""
    drift: float = 0.0
    """Standard deviation of the log tempo's step from beat to beat."""
    phrase_rubato: float = 0.0
    """How much the last beats of a phrase are stretched (0.2 = 20 %)."""
    phrase_bars: int = 4
    fermata_chance: float = 0.0


class Timeline:
    def __init__(self, chance: Chance, metre: Metre, pulse_bpm: float, feel: Feel) -> None:
        self.metre = metre
        self.pulse_bpm = pulse_bpm
        self.feel = feel
        pulse_s = 60 / pulse_bpm
        # Enough for a clip in the fastest rubato (each pulse two thirds as long), and for a lead-in.
        pulse_count = int(CLIP_S / pulse_s * 1.6) + 3 * metre.pulses_per_bar + 8
        log_stretch = np.clip(_log_stretch(chance, pulse_count, metre, feel), LOG_STRETCH_MIN, LOG_STRETCH_MAX)
        lead_in_s = chance.uniform(0, metre.pulses_per_bar) * pulse_s
        times_s = np.concatenate([[0.0], np.cumsum(pulse_s * np.exp(log_stretch))]) - lead_in_s - EDGE_SHARE * pulse_s
        self._pulse_times_s: list[float] = times_s.tolist()
        self.bar_count = pulse_count // metre.pulses_per_bar - 1

    def seconds_at(self, pulse: float) -> float:
        """Time of a position counted in pulses from the start of the piece, with swing."""
        whole = min(max(int(pulse), 0), len(self._pulse_times_s) - 2)
        fraction = pulse - whole
        if 0 < fraction < 1 and self.metre.steps_per_pulse == 4:
            fraction = _swing(fraction, self.feel)
        return self._pulse_times_s[whole] + fraction * (self._pulse_times_s[whole + 1] - self._pulse_times_s[whole])

    def at(self, bar: int, pulse_in_bar: float) -> float:
        return self.seconds_at(bar * self.metre.pulses_per_bar + pulse_in_bar)

    def audible_bars(self) -> range:
        """Bars any part of which falls into the clip."""
        first = 0
        while first < self.bar_count and self.at(first + 1, 0) < -AUDIBLE_BEFORE_S:
            first += 1
        last = first
        while last < self.bar_count and self.at(last, 0) < CLIP_S + AUDIBLE_AFTER_S:
            last += 1
        return range(first, last)

    def beat_times_s(self) -> list[float]:
        return self._annotated(self.metre.beat_pulses)

    def downbeat_times_s(self) -> list[float]:
        return self._annotated(self.metre.beat_pulses[:1])

    def _annotated(self, pulses_of_bar: tuple[int, ...]) -> list[float]:
        per_bar = self.metre.pulses_per_bar
        return [t_s for i, t_s in enumerate(self._pulse_times_s) if i % per_bar in pulses_of_bar and 0 <= t_s <= CLIP_S]


def _swing(fraction: float, feel: Feel) -> float:
    if feel.eighth_swing > AUDIBLE_SWING_MIN:
        return _bend(fraction, feel.eighth_swing)
    if feel.sixteenth_swing > AUDIBLE_SWING_MIN:
        half = 0.5 if fraction >= 0.5 else 0.0
        return half + _bend((fraction - half) * 2, feel.sixteenth_swing) / 2
    return fraction


def _bend(fraction: float, middle: float) -> float:
    """Moves the midpoint of a unit to `middle`, and everything else in proportion."""
    if fraction < 0.5:
        return fraction * 2 * middle
    return middle + (fraction - 0.5) * 2 * (1 - middle)


def _log_stretch(chance: Chance, count: int, metre: Metre, feel: Feel) -> np.ndarray:
    """For each pulse, the logarithm of its duration over that of the nominal tempo."""
    walk = np.cumsum([chance.gauss(0, 1) * feel.drift for _ in range(count)])
    # Half of the walk's trend is removed: tempi wander, but come back.
    stretch = walk - np.linspace(0, walk[-1], count) * 0.5
    phrase_pulses = metre.pulses_per_bar * feel.phrase_bars
    if feel.phrase_rubato > 0:
        to_phrase_end = phrase_pulses - 1 - np.arange(count) % phrase_pulses
        stretch = stretch + feel.phrase_rubato * np.exp(-to_phrase_end / (0.35 * metre.pulses_per_bar))
        # Hurrying in the middle of the phrase makes up for some of the time lost at its end.
        stretch = stretch - 0.35 * feel.phrase_rubato * np.sin(np.pi * to_phrase_end / phrase_pulses)
    if feel.fermata_chance > 0:
        for pulse in range(phrase_pulses - 1, count, phrase_pulses):
            if chance.happens(feel.fermata_chance):
                stretch[pulse] += chance.uniform(0.1, 0.5)
    return stretch
