"""One-bar rhythms as strings, one character per step: sixteenths unless the bar is compound.

'X' accent, 'x' stroke, 'o' ghost note, '-' hold the previous stroke, '.' rest. Bass lines and the piano use other
symbols and set their own velocities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .timeline import Metre

# Set by ear.
SLOW_TWO_BEAT_BPM = 116.0
"""Below this a two-beat is often counted at half the tempo, with the bass on every beat."""
STROKE_VELOCITY = {"X": 1.0, "x": 0.82, "o": 0.38}


@dataclass(frozen=True)
class Stroke:
    pulse: float
    length_pulses: float
    velocity: float | None
    """None for a symbol without a place in STROKE_VELOCITY."""
    step: int
    symbol: str


def fit(pattern: str, metre: Metre) -> str:
    """Cuts or repeats a pattern to the metre's bar: three-four takes the first three beats of a four-four pattern."""
    steps = metre.steps_per_bar
    repeats = -(-steps // len(pattern))
    return (pattern * repeats)[:steps]


def strokes(pattern: str, metre: Metre) -> Iterator[Stroke]:
    fitted = fit(pattern, metre)
    pulses_per_step = metre.pulses_per_bar / len(fitted)
    for step, symbol in enumerate(fitted):
        if symbol in ".-":
            continue
        length_steps = 1
        while step + length_steps < len(fitted) and fitted[step + length_steps] == "-":
            length_steps += 1
        length_pulses = length_steps * pulses_per_step
        yield Stroke(step * pulses_per_step, length_pulses, STROKE_VELOCITY.get(symbol), step, symbol)
