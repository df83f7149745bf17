"""Melodies: rhythmic motifs that recur, with pitches that move mostly by step and settle on chord tones.

Probabilities, weights and ranges are set by ear.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .harmony import SCALES
from .instruments import draw_instrument
from .piece import Piece, at_or_above

PHRASE_BARS = 2
# Note lengths in pulses, by how busy the melody is. Repeats make a length likelier.
LENGTHS_PULSES: dict[str, list[float]] = {
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
# Quarters and thirds of a pulse.
NOTE_PLACES_PER_PULSE = 12
PHRASE_FORMS = [[0, 0, 1, 0], [0, 1, 0, 2], [0, 1], [0, 0, 0, 1], [0, 2, 1, 2], [0, 0, 1, 2]]
SWING_UNFRIENDLY_PULSES = (0.25, 0.75)
# Above this, eighths sound unequal.
SWUNG_EIGHTHS_MIN = 0.56
CADENCE_CHANCE = 0.35
"""Probability that a phrase ends on the tonic, one of the main cues that tell a key from its relative."""
SYLLABLE_S_MIN, RUN_NOTE_S_MIN, VIBRATO_NOTE_S_MIN = 0.14, 0.08, 0.35


@dataclass(frozen=True)
class MelodyStyle:
    lengths: tuple[str, ...] = ("calm", "pop", "pop", "long", "busy")
    """Keys of LENGTHS_PULSES."""
    jitter_s: float = 0.0
    lag_s: float = 0.0
    rest_chance: float = 0.15
    range_midi: tuple[int, ...] = (55, 60, 62, 67)
    harmony_chance: float = 0.0
    """Chance of a second voice, a third or sixth below."""


@dataclass(frozen=True)
class MotifNote:
    pulse: float
    length_pulses: float
    steps: int
    """Scale steps from the previous note."""


def write_melody(piece: Piece, part: str, stem: int, instrument_group: str, style: MelodyStyle) -> None:
    chance = piece.chance
    instrument = draw_instrument(chance, piece.bank, instrument_group)
    scale = _draw_scale(piece)
    lengths_pulses = _draw_lengths_pulses(piece, style)
    motifs = [_invent_motif(piece, lengths_pulses) for _ in range(3)]
    phrase_form = chance.pick(PHRASE_FORMS)
    lowest_midi = chance.pick(style.range_midi)
    rest_chance = chance.uniform(0, 2) * style.rest_chance
    lag_s = abs(chance.gauss(0, style.lag_s))
    harmony_semitones = chance.pick([3, 4, 8, 9]) if chance.happens(style.harmony_chance) else None
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
            degree = max(-3, min(len(scale) + 4, degree + note.steps + wander))
            if note is motif[-1] and chance.happens(CADENCE_CHANCE):
                degree = _nearest_tonic(degree, len(scale))
            pitch_midi = _settle(piece, bar, note.pulse, _pitch_of(piece, scale, degree, lowest_midi))
            delay_s = lag_s + (chance.gauss(0, style.jitter_s) if style.jitter_s else 0.0)
            is_long = note.length_pulses * 60 / piece.pulse_bpm > VIBRATO_NOTE_S_MIN
            vibrato_semitones = chance.uniform(0.1, 0.5) if instrument.family != "plucked" and is_long else 0.0
            held_pulses = note.length_pulses * chance.uniform(0.7, 1.0)
            velocity = chance.uniform(0.7, 1.0)
            voices = [(pitch_midi, velocity)]
            if harmony_semitones is not None:
                voices.append((pitch_midi - harmony_semitones, velocity * 0.7))
            for pitch_midi, velocity in voices:
                piece.play(
                    instrument, stem, bar, note.pulse, held_pulses, pitch_midi, velocity, delay_s, vibrato_semitones
                )


def _phrase_bars(piece: Piece, part: str) -> list[int]:
    return [bar for bar in piece.bars_of(part) if piece.form.bar_of_section(bar) % PHRASE_BARS == 0]


def _draw_scale(piece: Piece) -> tuple[int, ...]:
    if piece.harmony.idiom == "andalusian":
        return SCALES["phrygian_dominant"]
    if piece.harmony.idiom == "blues":
        return SCALES["blues"]
    if piece.harmony.mode == "minor":
        return SCALES[piece.chance.pick(["minor", "minor", "minor_pentatonic", "dorian", "harmonic_minor"])]
    return SCALES[piece.chance.pick(["major", "major", "major", "major_pentatonic", "mixolydian"])]


def _draw_lengths_pulses(piece: Piece, style: MelodyStyle) -> list[float]:
    name = piece.chance.pick(style.lengths)
    if piece.metre.steps_per_pulse == 3:
        return LENGTHS_PULSES["compound_running" if name.startswith("running") else "compound"]
    # Uneven metres already count in short pulses.
    if len(piece.metre.beat_pulses) < piece.metre.pulses_per_bar:
        return [1, 1, 2, 1, 3, 0.5, 0.5]
    lengths_pulses = LENGTHS_PULSES[name]
    if piece.timeline.feel.eighth_swing > SWUNG_EIGHTHS_MIN:
        lengths_pulses = [0.5 if length in SWING_UNFRIENDLY_PULSES else length for length in lengths_pulses]
    # Too fast to sing or play: twice as long.
    shortest_pulses = (RUN_NOTE_S_MIN if name.startswith("running") else SYLLABLE_S_MIN) * piece.pulse_bpm / 60
    return [length * 2 if length < shortest_pulses else length for length in lengths_pulses]


def _invent_motif(piece: Piece, lengths_pulses: list[float]) -> list[MotifNote]:
    """Two bars that may begin with an upbeat or a rest and may end on a longer note."""
    chance, end_pulse = piece.chance, piece.metre.pulses_per_bar * PHRASE_BARS
    eighth_pulses = 1 / piece.metre.eighths_per_pulse
    pulse = (
        chance.pick([0, 0, 0, 0, 0.5, 1, -0.5, -1, 0.5])
        if piece.metre.steps_per_pulse == 4
        else chance.pick([0, 0, -eighth_pulses, eighth_pulses])
    )
    last_pulse = end_pulse - chance.pick([0.5, 1, 1, 2])
    notes = []
    while pulse < last_pulse:
        length_pulses = chance.pick(lengths_pulses)
        if chance.happens(0.88):
            steps = chance.choices([-3, -2, -1, 0, 1, 2, 3], [1, 3, 6, 3, 6, 3, 1])[0]
            notes.append(MotifNote(pulse, min(length_pulses, end_pulse - pulse), steps))
        # Three thirds added up are not quite a pulse.
        pulse = round((pulse + length_pulses) * NOTE_PLACES_PER_PULSE) / NOTE_PLACES_PER_PULSE
    if notes and chance.happens(0.7):
        final = notes[-1]
        to_end_pulses = end_pulse - final.pulse - chance.pick([0, eighth_pulses, 1])
        notes[-1] = replace(final, length_pulses=max(final.length_pulses, to_end_pulses))
    return notes


def _pitch_of(piece: Piece, scale: tuple[int, ...], degree: int, lowest_midi: int) -> int:
    octave, step = divmod(degree, len(scale))
    return at_or_above(piece.harmony.tonic, lowest_midi) + scale[step] + 12 * octave


def _nearest_tonic(degree: int, scale_length: int) -> int:
    return round(degree / scale_length) * scale_length


def _settle(piece: Piece, bar: int, pulse: float, pitch_midi: int) -> int:
    """Moves a note on the beat, more often than not, to the nearest note of the chord."""
    if pulse % piece.metre.pulses_per_bar not in piece.metre.beat_pulses or not piece.chance.happens(0.65):
        return pitch_midi
    chord = piece.harmony.at(bar, max(pulse, 0))
    tones = {(chord.root + interval) % 12 for interval in chord.intervals}
    near_midi = (pitch_midi + semitones for semitones in (0, -1, 1, -2, 2, -3, 3))
    return next((near for near in near_midi if near % 12 in tones), pitch_midi)
