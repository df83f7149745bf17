"""What every part needs while it is written: time, form, harmony, and the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..sounds.bank import SoundBank
from .chance import Chance
from .form import Form, Harmony
from .harmony import Chord
from .instruments import Instrument
from .score import ACCOMPANIMENT, BASS, COLOUR, STEADY_HZ, Score
from .timeline import Metre, Timeline

PUSHED_STEMS = (BASS, ACCOMPANIMENT, COLOUR)
# Range by ear.
VIBRATO_HZ = (4.5, 6.8)


@dataclass
class Piece:
    chance: Chance
    bank: SoundBank
    timeline: Timeline
    form: Form
    harmony: Harmony
    score: Score
    voiced_bars: set[int] = field(default_factory=set)
    """Bars in which some part plays whole chords. The others get no chord label, as nobody could name the chord."""
    pushed_bars: set[int] = field(default_factory=set)
    """Bars whose first notes the band anticipates, before the bar line, by `push_pulses`."""
    push_pulses: float = 0.5
    invents: bool = False
    """Whether players may invent rhythms (invention.py) instead of taking them from the tables."""

    @property
    def metre(self) -> Metre:
        return self.timeline.metre

    @property
    def pulse_bpm(self) -> float:
        return self.timeline.pulse_bpm

    def bars_of(self, part: str) -> Iterator[int]:
        """Audible bars in whose section the part plays."""
        for bar in self.timeline.audible_bars():
            if part in self.form.at(bar).playing:
                yield bar

    def play(
        self,
        instrument: Instrument,
        stem: int,
        bar: int,
        pulse: float,
        length_pulses: float,
        pitch_midi: float,
        velocity: float,
        delay_s: float = 0.0,
        vibrato_semitones: float = 0.0,
    ) -> None:
        """Writes a note, earlier where the band anticipates the bar."""
        if pulse == 0 and bar in self.pushed_bars and stem in PUSHED_STEMS:
            pulse, length_pulses = -self.push_pulses, length_pulses + self.push_pulses
        start_s = self.timeline.at(bar, pulse)
        end_s = self.timeline.at(bar, pulse + length_pulses)
        self.score.note(
            instrument,
            stem,
            start_s + delay_s,
            end_s - start_s,
            pitch_midi,
            velocity,
            vibrato_semitones,
            self.chance.uniform(*VIBRATO_HZ) if vibrato_semitones else STEADY_HZ,
        )

    def pulses_to_chord_change(self, bar: int, pulse: float) -> float:
        """Time to the next chord change, at most to the end of the bar."""
        following = [start for start in self.harmony.slot_starts(bar) if start > pulse]
        return (following[0] if following else self.metre.pulses_per_bar) - pulse


def close_voicing(chord: Chord, lowest_midi: int) -> list[int]:
    """The chord's notes within the octave above `lowest_midi`, in ascending order."""
    return sorted(lowest_midi + (chord.root + interval - lowest_midi) % 12 for interval in chord.intervals)


def at_or_above(pitch_class: int, lowest_midi: int) -> int:
    return lowest_midi + (pitch_class - lowest_midi) % 12
