"""Instruments and drum kits drawn from the sound bank, each with its own envelope.

Envelopes, shares and ranges are set by ear, wide enough for one sample to stand for many instruments.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..sounds.bank import DECAYING_PROGRAMS, SoundBank, Voicing
from .chance import Chance

# General MIDI programs by role.
PROGRAM_GROUPS: dict[str, list[int]] = {
    "piano": [0, 0, 0, 1, 2, 3],
    "electric_piano": [4, 5],
    "keys": [4, 5, 6, 7],
    "nylon_guitar": [24],
    "acoustic_guitar": [24, 25],
    "electric_guitar": [26, 27, 28],
    "distorted_guitar": [29, 30],
    "organ": [16, 17, 18, 19],
    "church_organ": [19, 20],
    "strings": [48, 49, 50, 51, 44],
    "pizzicato": [45],
    "brass": [56, 57, 58, 59, 60, 61, 62, 63],
    "horns": [57, 58, 60, 61],
    "reed": [64, 65, 66, 67, 68, 69, 70, 71],
    "flute": [72, 73, 74, 75, 77, 78, 79],
    "synth_lead": [80, 81, 82, 83, 84, 85, 86, 87],
    "pad": [88, 89, 90, 91, 92, 93, 94, 95],
    "electric_bass": [33, 34, 35, 36, 37],
    "acoustic_bass": [32],
    "synth_bass": [38, 39],
    "choir": [52, 53, 54],
    "mallet": [9, 10, 11, 12, 13, 14],
    "folk": [104, 105, 110, 21, 22, 15, 46],
    "accordion": [21, 23, 22],
    "fiddle": [110, 40],
    "solo_strings": [40, 41, 42],
    "plucked_folk": [105, 106, 107, 15],
    "sitar": [104],
    "harp": [46, 45, 6],
    "harpsichord": [6],
    "pop_melody": [0, 11, 22, 24, 26, 40, 54, 56, 65, 68, 71, 73, 80, 81, 85],
    "pop_bridge": [0, 4, 5, 11, 24, 25, 27, 46, 48, 61, 88],
    "pop_piano": [0, 0, 0, 0, 1, 4, 5, 6, 24, 25, 46],
}
# Probability that a synthesised tone replaces a group's samples, so that a role has more than a few sounds.
SYNTHESISED_SHARE = {
    "synth_lead": 0.45,
    "pad": 0.35,
    "keys": 0.3,
    "organ": 0.3,
    "electric_guitar": 0.2,
    "mallet": 0.3,
    "strings": 0.15,
    "synth_bass": 0.6,
    "electric_bass": 0.15,
    "harp": 0.15,
    "plucked_folk": 0.3,
    "electric_piano": 0.2,
}
SUSTAINED_ENSEMBLES = {"strings", "pad", "choir"}


@dataclass(frozen=True)
class Instrument:
    voicing: Voicing
    attack_s: float
    decay_per_s: float
    release_s: float
    family: str
    """'plucked', 'sustained', or 'voice', whose notes take a random syllable instead of the nearest pitch."""


def draw_instrument(chance: Chance, bank: SoundBank, group: str) -> Instrument:
    if group == "voice":
        return _voice(chance, bank)
    if group == "speech":
        return Instrument(chance.pick(bank.speakers), 0.004, 0.0, 0.03, "voice")
    if group == "growl":
        octave_down = [(sample, pitch_midi - 12) for sample, pitch_midi in chance.pick(bank.singers)]
        return Instrument(octave_down, 0.01, 0.2, 0.05, "voice")
    if group == "tone" or chance.happens(SYNTHESISED_SHARE.get(group, 0)):
        voicing = chance.pick(bank.bass_tones if "bass" in group else bank.tones)
        plucked = "bass" in group or chance.happens(0.5)
    else:
        program = chance.pick([p for p in PROGRAM_GROUPS[group] if p in bank.programs])
        voicing = chance.pick(bank.programs[program])
        plucked = program in DECAYING_PROGRAMS
    if group in SUSTAINED_ENSEMBLES:
        return Instrument(
            voicing, chance.uniform(0.01, 0.18), chance.uniform(0, 0.3), chance.uniform(0.08, 0.4), "sustained"
        )
    if group in ("piano", "pop_piano"):
        return Instrument(voicing, 0.001, chance.uniform(0.1, 1.0), chance.uniform(0.05, 0.35), "plucked")
    if plucked:
        return Instrument(
            voicing, chance.uniform(0.001, 0.006), chance.uniform(0.3, 3.5), chance.uniform(0.04, 0.3), "plucked"
        )
    return Instrument(
        voicing, chance.uniform(0.004, 0.04), chance.uniform(0, 0.6), chance.uniform(0.04, 0.15), "sustained"
    )


def _voice(chance: Chance, bank: SoundBank) -> Instrument:
    return Instrument(
        chance.pick(bank.singers),
        chance.uniform(0.005, 0.04),
        chance.uniform(0, 0.8),
        chance.uniform(0.03, 0.12),
        "voice",
    )


# --- drum kits ---

# General MIDI percussion keys by piece.
DRUM_KEYS: dict[str, list[int]] = {
    "kick": [36, 36, 35],
    "snare": [38, 38, 40],
    "rim": [37],
    "clap": [39],
    "hat": [42, 42, 44],
    "open_hat": [46],
    "ride": [51, 51, 59, 53],
    "crash": [49, 57, 55],
    "tom": [50, 48, 47, 45, 43, 41],
    "shaker": [70, 82, 69],
    "percussion": [56, 54, 60, 61, 62, 63, 64, 65, 66, 67, 68, 73, 75, 76, 77],
    "low_drum": [41, 35, 64],
    "high_drum": [60, 62, 63, 61],
    "bell": [56, 53, 67, 76],
}
# Presets of a soundfont's drum bank, numbered as in Roland's GS.
KIT_FAMILIES: dict[str, list[int]] = {
    "standard": list(range(0, 8)),
    "room": list(range(8, 16)),
    "power": [16, 17, 18, 19],
    "electronic": [24],
    "analogue": [25],
    "jazz": [32, 33, 34, 35, 36],
    "brush": [40, 41, 42],
    "orchestra": [48],
}
SYNTHESISED_KIND = {"low_drum": "tom", "high_drum": "percussion", "bell": "percussion"}


class DrumKit:
    """Each piece of the kit is drawn once, tuned and damped at random, and then kept."""

    def __init__(self, chance: Chance, bank: SoundBank, family: str) -> None:
        self._chance, self._bank, self._family = chance, bank, family
        self._pieces: dict[str, tuple[list[int], float, float]] = {}

    def piece(self, kind: str) -> tuple[list[int], float, float]:
        """(samples from high to low, ratio of the playback rate, decay per second)"""
        if kind not in self._pieces:
            rate_ratio = 2 ** self._chance.gauss(0, 0.18)
            decay_per_s = self._chance.uniform(0, 14) if self._chance.happens(0.4) else self._chance.uniform(0, 3)
            self._pieces[kind] = (self._draw(kind), rate_ratio, decay_per_s)
        return self._pieces[kind]

    def _draw(self, kind: str) -> list[int]:
        synthesised = SYNTHESISED_KIND.get(kind, kind)
        if self._family == "synthesised" or self._chance.happens(0.2):
            return [self._chance.pick(self._bank.drums[synthesised])]
        kits = [kit for kit in self._bank.kits if kit[1] in KIT_FAMILIES[self._family]]
        kit = self._bank.kits[self._chance.pick(kits)]
        standard = self._bank.kits[(0, 0)]
        samples = [kit.get(key, standard.get(key)) for key in DRUM_KEYS[kind]]
        found = [sample for sample in samples if sample is not None]
        if not found:
            return [self._chance.pick(self._bank.drums[synthesised])]
        return found if kind == "tom" else [self._chance.pick(found)]
