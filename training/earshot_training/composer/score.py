"""The list of all sound events, in the form the renderer reads.

Velocities and gains are factors of amplitude: 1 is an accent. Jitter, lag, velocity ranges and the
envelope of drums are set by ear.
"""

from __future__ import annotations

import numpy as np

from .chance import Chance
from .instruments import DrumKit, Instrument
from .timeline import CLIP_S

STEM_COUNT = 5
DRUMS, BASS, ACCOMPANIMENT, COLOUR, LEAD = range(STEM_COUNT)
EVENT_FIELDS = (
    "stem",
    "start_s",
    "duration_s",
    "sample_index",
    "rate_ratio",
    "gain",
    "attack_s",
    "decay_per_s",
    "release_s",
    "vibrato_semitones",
    "vibrato_hz",
)
"""The columns of an event. `sample_index` refers to the sound bank; `rate_ratio` is playback over recorded rate."""
# A note that begins earlier has mostly decayed when the clip begins.
START_S_MIN = -2.0
# Any rate but 0, for notes without vibrato: the sampler divides by it.
STEADY_HZ = 5.5
# -48 dB: inaudible next to anything else.
GAIN_MIN = 0.004
DRUM_RING_S = 1.6


class Score:
    def __init__(self, chance: Chance, timing_jitter_s: float, tuning_ratio: float) -> None:
        self._chance = chance
        self._timing_jitter_s = timing_jitter_s
        self._tuning_ratio = tuning_ratio
        self._events: list[tuple[float, ...]] = []
        # Players sit a little ahead of or behind the beat, each in their own way.
        self._stem_lag_s = [chance.gauss(0, timing_jitter_s * 0.8) for _ in range(STEM_COUNT)]
        self._stem_lag_s[DRUMS] *= 0.3

    def note(
        self,
        instrument: Instrument,
        stem: int,
        start_s: float,
        duration_s: float,
        pitch_midi: float,
        velocity: float,
        vibrato_semitones: float = 0.0,
        vibrato_hz: float = STEADY_HZ,
    ) -> None:
        if instrument.family == "voice":
            sample_index, recorded_pitch_midi = self._chance.pick(instrument.voicing)
        else:
            sample_index, recorded_pitch_midi = min(instrument.voicing, key=lambda entry: abs(entry[1] - pitch_midi))
        rate_ratio = self._tuning_ratio * 2 ** ((pitch_midi - recorded_pitch_midi) / 12)
        self._add(
            stem,
            start_s,
            max(0.03, duration_s),
            sample_index,
            rate_ratio,
            velocity,
            instrument.attack_s,
            instrument.decay_per_s,
            instrument.release_s,
            vibrato_semitones,
            vibrato_hz,
        )

    def hit(self, kit: DrumKit, kind: str, start_s: float, velocity: float, variant: int = 0) -> None:
        """One stroke; `variant` counts down a set of toms from the highest."""
        samples, rate_ratio, decay_per_s = kit.piece(kind)
        gain = velocity * self._chance.uniform(0.85, 1.1)
        envelope = (0.0005, decay_per_s, 0.02, 0.0, STEADY_HZ)
        self._add(DRUMS, start_s, DRUM_RING_S, samples[variant % len(samples)], rate_ratio, gain, *envelope)

    def _add(
        self,
        stem: int,
        start_s: float,
        duration_s: float,
        sample_index: int,
        rate_ratio: float,
        gain: float,
        *envelope: float,
    ) -> None:
        if start_s > CLIP_S or start_s < START_S_MIN or start_s + duration_s < 0 or gain <= GAIN_MIN:
            return
        if self._timing_jitter_s > 0:
            start_s += self._stem_lag_s[stem] + self._chance.gauss(0, self._timing_jitter_s)
        self._events.append((stem, start_s, duration_s, sample_index, rate_ratio, gain, *envelope))

    def events(self) -> np.ndarray:
        return np.array(self._events, np.float32).reshape(-1, len(EVENT_FIELDS))


def field_of(events: np.ndarray, name: str) -> np.ndarray:
    return events[:, EVENT_FIELDS.index(name)]


def without_drums(events: np.ndarray) -> np.ndarray:
    return events[field_of(events, "stem") != DRUMS]
