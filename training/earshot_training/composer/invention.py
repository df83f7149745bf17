"""Invented rhythms: drawn step by step, with more strokes on strong steps, and then repeated like one from a table.

The tables hold idioms; invented rhythms keep the networks from relying on them. Syncopation is drawn per pattern, so
that some keep to the beat and some avoid it. Weights and probabilities are set by ear.
"""

from __future__ import annotations

from .chance import Chance
from .timeline import Metre


def invent_rhythm(chance: Chance, metre: Metre, strokes_per_pulse: float, finest_steps: int = 1) -> str:
    """A bar in the notation of patterns.py. `finest_steps` = 2 keeps to eighths where steps are sixteenths."""
    syncopation = chance.pick([0.0, 0.2, 0.4, 0.7, 1.0])
    holds = chance.happens(0.6)
    per_pulse = metre.steps_per_pulse
    steps = []
    for step in range(metre.steps_per_bar):
        in_pulse = step % per_pulse
        if step % finest_steps:
            weight = 0.0
        elif in_pulse == 0:
            weight = 2.2 * (1 - 0.6 * syncopation)
        elif in_pulse * 2 == per_pulse:
            weight = 1.0
        else:
            weight = 0.55 + 0.4 * syncopation
        if step == 0:
            weight = 8.0 * (1 - 0.6 * syncopation)
        struck = chance.happens(min(0.97, weight * strokes_per_pulse * finest_steps / per_pulse))
        if struck:
            steps.append("X" if in_pulse == 0 and chance.happens(0.4) else chance.pick("xxxo"))
        else:
            steps.append("-" if holds and steps else ".")
    if not any(step in "Xxo" for step in steps):
        steps[0] = "X"
    return "".join(steps)


def invent_figure(
    chance: Chance, metre: Metre, letters: str, first: str, strokes_per_pulse: float, finest_steps: int
) -> str:
    """A rhythm with a random letter for each stroke, the first one from `first`: a bass line or a pianist's hand."""
    rhythm = invent_rhythm(chance, metre, strokes_per_pulse, finest_steps)
    figure = [chance.pick(letters) if symbol in "Xxo" else symbol for symbol in rhythm]
    onset = next(index for index, symbol in enumerate(figure) if symbol in letters)
    figure[onset] = chance.pick(first)
    return "".join(figure)
