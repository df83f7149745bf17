"""Scales, chords, and chord progressions: written as Roman numerals and realised in a key. form.py lays them out.

Notation: upper case major, lower case minor, then a quality (7, maj7, sus4, 7sus4, sus2, add9, 6, 9, o, o7,
ø, +, 5), then /n for a bass on scale degree n (b7 and #4 allowed). Degrees count from the major scale of the tonic, so
natural minor is written i bIII iv v bVI bVII. Each numeral lasts one slot; the harmonic rhythm says how long a slot is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

MAJOR_SCALE = (0, 2, 4, 5, 7, 9, 11)
# Semitones above the tonic.
SCALES = {
    "major": MAJOR_SCALE,
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "harmonic_minor": (0, 2, 3, 5, 7, 8, 11),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
    "phrygian_dominant": (0, 1, 4, 5, 7, 8, 10),
    "blues": (0, 3, 5, 6, 7, 10),
    "major_pentatonic": (0, 2, 4, 7, 9),
    "minor_pentatonic": (0, 3, 5, 7, 10),
}
NUMERALS = {"i": 0, "ii": 1, "iii": 2, "iv": 3, "v": 4, "vi": 5, "vii": 6}
FIXED_QUALITIES = {
    "maj7": (0, 4, 7, 11),
    "sus4": (0, 5, 7),
    "7sus4": (0, 5, 7, 10),
    "sus2": (0, 2, 7),
    "o": (0, 3, 6),
    "o7": (0, 3, 6, 9),
    "ø": (0, 3, 6, 10),
    "+": (0, 4, 8),
    "5": (0, 7),
}
# Qualities that follow the numeral's case: intervals above a root whose third is (major, minor).
CASED_QUALITIES = {
    "": ((0, 4, 7), (0, 3, 7)),
    "7": ((0, 4, 7, 10), (0, 3, 7, 10)),
    "add9": ((0, 4, 7, 14), (0, 3, 7, 14)),
    "6": ((0, 4, 7, 9), (0, 3, 7, 9)),
    "9": ((0, 4, 7, 10, 14), (0, 3, 7, 10, 14)),
}
_ROMAN = re.compile(r"^([b#]?)([ivIV]+)([^/]*)(?:/([b#]?)(\d))?$")

NO_CHORD = 24
# Stands for a missing label in integer arrays of chords and keys; the losses ignore it.
UNSCORED = -1


@dataclass(frozen=True)
class Chord:
    """Root and bass, which may differ, are pitch classes (C is 0); intervals are semitones above the root."""

    root: int
    intervals: tuple[int, ...]
    bass: int

    @property
    def label(self) -> int | None:
        """The network's class, 0..11 major and 12..23 minor by root; None for other chords."""
        if 4 in self.intervals and 7 in self.intervals:
            return self.root
        if 3 in self.intervals and 7 in self.intervals:
            return self.root + 12
        return None


@cache
def parse_roman(numeral: str) -> tuple[int, tuple[int, ...], int]:
    """(root, intervals, bass) in semitones above the tonic."""
    match = _ROMAN.match(numeral)
    if match is None:
        raise ValueError(f"not a Roman numeral: {numeral!r}")
    accidental, letters, quality, bass_accidental, bass_degree = match.groups()
    shift_semitones = {"": 0, "b": -1, "#": 1}
    root = (MAJOR_SCALE[NUMERALS[letters.lower()]] + shift_semitones[accidental]) % 12
    if quality in CASED_QUALITIES:
        intervals = CASED_QUALITIES[quality][0 if letters.isupper() else 1]
    else:
        intervals = FIXED_QUALITIES[quality]
    bass = root
    if bass_degree is not None:
        bass = (MAJOR_SCALE[int(bass_degree) - 1] + shift_semitones[bass_accidental]) % 12
    return root, intervals, bass


def realise(progression: str, tonic: int) -> list[Chord]:
    """The chords of a progression in the key of a pitch class."""
    chords = []
    for numeral in progression.split():
        root, intervals, bass = parse_roman(numeral)
        chords.append(Chord((root + tonic) % 12, intervals, (bass + tonic) % 12))
    return chords
