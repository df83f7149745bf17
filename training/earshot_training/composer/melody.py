"""Tunes: rhythmic motifs that return, pitches that move mostly by step and rest on chord tones."""

from __future__ import annotations

from dataclasses import dataclass

from .chance import Chance
from .harmony import SCALES
from .instruments import draw_instrument
from .piece import Piece

PHRASE_BARS = 2
# Note lengths in pulses, by how busy the tune is. Repeats make a length likelier.
LENGTHS: dict[str, list[float]] = {
    "long": [1, 2, 1.5, 0.5, 3],
    "calm": [1, 0.5, 0.5, 1.5, 2, 0.75],
    "pop": [0.5, 0.5, 1, 0.5, 0.75, 0.25, 1.5],
    "syllabic": [0.5, 0.5, 0.25, 0.25, 0.5, 0.75, 0.25, 1],
    "busy": [0.5, 0.25, 0.25, 0.5, 0.75, 1],
    "patter": [0.25, 0.25, 0.5, 0.25, 0.5],
    "running": [0.25],
    "running_eighths": [0.5],
    "lyrical": [1, 1, 2, 0.5, 0.5, 1.5, 3],
    "compound": [1 / 3, 2 / 3, 1, 1 / 3, 1 / 3, 2],
    "compound_running": [1 / 3],
}
PHRASE_FORMS = [[0, 0, 1, 0], [0, 1, 0, 2], [0, 1], [0, 0, 0, 1], [0, 2, 1, 2], [0, 0, 1, 2]]
SWING_UNFRIENDLY = (0.25, 0.75)
CADENCE_CHANCE = 0.35
"""How often a phrase comes to rest on the key note, which is much of what tells a key from its relative."""
SHORTEST_SYLLABLE_S, SHORTEST_RUN_S = 0.14, 0.08


@dataclass(frozen=True)
class MelodyStyle:
    lengths: tuple[str, ...] = ("calm", "pop", "pop", "long", "busy")
    jitter_s: float = 0.0
    lag_s: float = 0.0
    rest_chance: float = 0.15
    range_midi: tuple[int, ...] = (55, 60, 62, 67)
    harmonised: float = 0.0
    """Chance of a second voice a third or sixth below."""


@dataclass(frozen=True)
class MotifNote:
    pulse: float
    pulses_long: float
    steps: int
    """Scale steps from the note before."""


def write_melody(piece: Piece, part: str, stem: int, instrument_group: str, style: MelodyStyle) -> None:
    chance = piece.chance
    instrument = draw_instrument(chance, piece.bank, instrument_group)
    scale = _scale_for(chance, piece)
    lengths = _lengths_for(chance, piece, style)
    motifs = [_invent_motif(chance, piece, lengths) for _ in range(3)]
    phrase_form = chance.pick(PHRASE_FORMS)
    floor = chance.pick(style.range_midi)
    rest_chance = chance.uniform(0, 2) * style.rest_chance
    lag_s = abs(chance.gauss(0, style.lag_s))
    harmony_below = chance.pick([3, 4, 8, 9]) if chance.happens(style.harmonised) else 0
    degree = chance.randrange(7)
    for index, bar in enumerate(_phrase_bars(piece, part)):
        if chance.happens(rest_chance):
            continue
        theme = piece.form.at(bar).theme
        motif = motifs[phrase_form[(index + theme) % len(phrase_form)]]
        for note in motif:
            if chance.happens(0.05):
                continue
            wander = chance.randrange(-1, 2) if chance.happens(0.3) else 0
            degree = max(-3, min(11, degree + note.steps + wander))
            if note is motif[-1] and chance.happens(CADENCE_CHANCE):
                degree = _nearest_tonic(degree, len(scale))
            pitch = _settle(piece, chance, bar, note.pulse, _pitch_of(piece, scale, degree, floor))
            delay_s = lag_s + (chance.gauss(0, style.jitter_s) if style.jitter_s else 0.0)
            long_note = note.pulses_long * 60 / piece.pulse_bpm > 0.35
            vibrato = chance.uniform(0.1, 0.5) if instrument.family != "plucked" and long_note else 0.0
            held = note.pulses_long * chance.uniform(0.7, 1.0)
            velocity = chance.uniform(0.7, 1.0)
            piece.play(instrument, stem, bar, note.pulse, held, pitch, velocity, delay_s, vibrato)
            if harmony_below:
                piece.play(
                    instrument, stem, bar, note.pulse, held, pitch - harmony_below, velocity * 0.7, delay_s, vibrato
                )


def _phrase_bars(piece: Piece, part: str) -> list[int]:
    return [bar for bar in piece.bars_of(part) if piece.form.bar_of_section(bar) % PHRASE_BARS == 0]


def _scale_for(chance: Chance, piece: Piece) -> tuple[int, ...]:
    if piece.harmony.idiom == "andalusian":
        return SCALES["phrygian_dominant"]
    if piece.harmony.idiom == "blues":
        return SCALES["blues"]
    if piece.harmony.mode == "minor":
        return SCALES[chance.pick(["minor", "minor", "minor_pentatonic", "dorian", "harmonic_minor"])]
    return SCALES[chance.pick(["major", "major", "major", "major_pentatonic", "mixolydian"])]


def _lengths_for(chance: Chance, piece: Piece, style: MelodyStyle) -> list[float]:
    name = chance.pick(style.lengths)
    if piece.metre.steps_per_pulse == 3:
        return LENGTHS["compound_running" if name.startswith("running") else "compound"]
    lengths = LENGTHS[name]
    if piece.timeline.feel.eighth_swing > 0.56:
        lengths = [0.5 if length in SWING_UNFRIENDLY else length for length in lengths]
    # Nobody sings sixteenths at presto; uneven metres count in short pulses already.
    shortest_s = SHORTEST_RUN_S if name.startswith("running") else SHORTEST_SYLLABLE_S
    lengths = [length * 2 if length * 60 / piece.pulse_bpm < shortest_s else length for length in lengths]
    if len(piece.metre.beat_pulses) < piece.metre.pulses_per_bar:
        lengths = [1, 1, 2, 1, 3, 0.5, 0.5]
    return lengths


def _invent_motif(chance: Chance, piece: Piece, lengths: list[float]) -> list[MotifNote]:
    """Two bars that may begin with an upbeat or a rest and end on a longer note."""
    end = piece.metre.pulses_per_bar * PHRASE_BARS
    pulse = (
        chance.pick([0, 0, 0, 0, 0.5, 1, -0.5, -1, 0.5])
        if piece.metre.steps_per_pulse == 4
        else chance.pick([0, 0, -1 / 3, 1 / 3])
    )
    last_start = end - chance.pick([0.5, 1, 1, 2])
    notes = []
    while pulse < last_start:
        length = chance.pick(lengths)
        if chance.happens(0.88):
            notes.append(
                MotifNote(
                    pulse, min(length, end - pulse), chance.choices([-3, -2, -1, 0, 1, 2, 3], [1, 3, 6, 3, 6, 3, 1])[0]
                )
            )
        pulse += length
    if notes and chance.happens(0.7):
        final = notes[-1]
        notes[-1] = MotifNote(
            final.pulse, max(final.pulses_long, end - final.pulse - chance.pick([0, 0.5, 1])), final.steps
        )
    return notes


def _pitch_of(piece: Piece, scale: tuple[int, ...], degree: int, floor: int) -> int:
    octave, step = divmod(degree, len(scale))
    tonic = floor + (piece.harmony.tonic - floor) % 12
    return tonic + scale[step] + 12 * octave


def _nearest_tonic(degree: int, scale_length: int) -> int:
    return round(degree / scale_length) * scale_length


def _settle(piece: Piece, chance: Chance, bar: int, pulse: float, pitch: int) -> int:
    """On the beat a tune prefers notes of the chord."""
    if pulse % 1 != 0 or not chance.happens(0.65):
        return pitch
    chord = piece.harmony.at(bar, max(pulse, 0))
    tones = {(chord.root + interval) % 12 for interval in chord.intervals}
    near = [pitch + shift for shift in (0, -1, 1, -2, 2, -3, 3) if (pitch + shift) % 12 in tones]
    return near[0] if near else pitch
