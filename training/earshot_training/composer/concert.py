"""Music without a rhythm section: keyboard pieces, ensembles in several voices, hymns, choirs.

No part keeps the beat. As in classical music, the metre follows from chord changes, from the placing of long notes and
accents, and from figures that repeat with the bar. Probabilities and registers are set by hand.
"""

from __future__ import annotations

from .comping import write_comping
from .harmony import SCALES
from .instruments import draw_instrument
from .melody import MelodyStyle, write_melody
from .piece import Piece, at_or_above, close_voicing
from .score import ACCOMPANIMENT, BASS, COLOUR, LEAD

ORCHESTRAL = ["strings", "strings", "solo_strings", "reed", "flute", "horns", "brass", "choir", "harp", "pizzicato"]
SOLOISTS = ["solo_strings", "flute", "reed", "piano", "strings", "brass", "harp", "nylon_guitar"]
FIGURES = [
    "alberti",
    "block",
    "arpeggio",
    "detached",
    "tremolo",
    "fast_arpeggio",
    "boom_chick",
    "block_eighths",
    "half_pad",
]
CANTABILE = MelodyStyle(
    lengths=("lyrical", "lyrical", "calm", "long", "running", "running_eighths"),
    jitter_s=0.006,
    rest_chance=0.1,
    range_midi=(55, 60, 67, 72),
    harmony_chance=0.15,
)
INNER_VOICE = MelodyStyle(
    lengths=("lyrical", "long", "calm"), jitter_s=0.006, rest_chance=0.25, range_midi=(48, 55, 60)
)
RUNNING = MelodyStyle(lengths=("running", "running_eighths"), rest_chance=0.1, range_midi=(55, 60, 67))


def write_keyboard_piece(piece: Piece) -> None:
    chance = piece.chance
    group = chance.pick(["piano", "piano", "piano", "harpsichord", "nylon_guitar", "harp", "church_organ"])
    write_comping(piece, "accompaniment", ACCOMPANIMENT, chance.pick(FIGURES), group, chance.pick([45, 48, 52]))
    write_melody(piece, "lead", LEAD, group, CANTABILE)
    if chance.happens(0.5):
        write_bass_line(piece, group, chance.pick(["downbeats", "slots", "pulses"]))


def write_ensemble(piece: Piece) -> None:
    chance = piece.chance
    if chance.happens(0.75):
        figure, group = chance.pick(FIGURES), chance.pick(ORCHESTRAL)
        write_comping(piece, "accompaniment", ACCOMPANIMENT, figure, group, chance.pick([48, 52, 55, 60]))
    if chance.happens(0.8):
        group = chance.pick(["strings", "solo_strings", "pizzicato", "acoustic_bass", "reed"])
        write_bass_line(piece, group, chance.pick(["downbeats", "slots", "pulses"]))
    write_melody(piece, "lead", LEAD, chance.pick(SOLOISTS), CANTABILE)
    for _ in range(chance.randrange(0, 3)):
        write_melody(piece, chance.pick(["lead", "colour"]), COLOUR, chance.pick(ORCHESTRAL), INNER_VOICE)


def write_counterpoint(piece: Piece) -> None:
    """Two or three equal voices over a moving bass, the first in running notes, as in the baroque."""
    chance = piece.chance
    group = chance.pick(["harpsichord", "solo_strings", "strings", "church_organ", "flute", "piano", "reed"])
    for voice in range(chance.randrange(2, 4)):
        style = RUNNING if voice == 0 else chance.pick([RUNNING, INNER_VOICE, CANTABILE])
        write_melody(piece, "lead" if voice == 0 else "colour", (LEAD, COLOUR, ACCOMPANIMENT)[voice], group, style)
    write_bass_line(piece, chance.pick([group, "strings", "harpsichord"]), chance.pick(["pulses", "eighths", "slots"]))
    if chance.happens(0.5):
        figure = chance.pick(["pad", "block", "arpeggio"])
        write_comping(piece, "accompaniment", ACCOMPANIMENT, figure, "harpsichord", 52)


def write_bass_line(piece: Piece, group: str, motion: str) -> None:
    chance = piece.chance
    instrument = draw_instrument(chance, piece.bank, group)
    lowest_midi = chance.randrange(33, 41)
    scale = SCALES[piece.harmony.mode]
    in_key = {(piece.harmony.tonic + step) % 12 for step in scale}
    pulses, eighths_per_pulse = piece.metre.pulses_per_bar, piece.metre.eighths_per_pulse
    moves = {
        "downbeats": [0.0],
        "slots": [],
        "pulses": [float(p) for p in range(pulses)],
        "eighths": [index / eighths_per_pulse for index in range(pulses * eighths_per_pulse)],
    }[motion]
    for bar in piece.bars_of("bass"):
        starts = moves or [float(start) for start in piece.harmony.slot_starts(bar)]
        for index, pulse in enumerate(starts):
            following = starts[index + 1] if index + 1 < len(starts) else pulses
            chord = piece.harmony.at(bar, pulse)
            pitch_midi = at_or_above(chord.bass, lowest_midi)
            if pulse not in piece.harmony.slot_starts(bar):
                near_midi = [pitch_midi + s for s in (-2, -1, 1, 2, 3, 4, 5, 7) if (pitch_midi + s) % 12 in in_key]
                pitch_midi = chance.pick(near_midi) if near_midi else pitch_midi
            velocity = 0.9 if pulse == 0 else 0.7
            piece.play(instrument, BASS, bar, pulse, (following - pulse) * 0.95, pitch_midi, velocity)


def write_choir(piece: Piece, solo: bool) -> None:
    """Unaccompanied voices: a chorale that moves with the beat or with the chords, with or without a soloist."""
    chance = piece.chance
    moving = chance.happens(0.6)
    for voice in range(4):
        group = chance.pick(["voice", "voice", "choir"])
        singer = draw_instrument(chance, piece.bank, group)
        lowest_midi = (43, 50, 55, 60)[voice]
        for bar in piece.bars_of("accompaniment"):
            piece.voiced_bars.add(bar)
            starts = range(piece.metre.pulses_per_bar) if moving else piece.harmony.slot_starts(bar)
            for start in starts:
                if moving and start not in piece.harmony.slot_starts(bar) and chance.happens(0.4):
                    continue
                chord = piece.harmony.at(bar, start)
                notes_midi = close_voicing(chord, lowest_midi)
                pitch_midi = at_or_above(chord.bass, lowest_midi) if voice == 0 else chance.pick(notes_midi)
                length_pulses = 1 if moving else piece.pulses_to_chord_change(bar, start)
                stem, delay_s = ACCOMPANIMENT if voice else BASS, chance.gauss(0, 0.015)
                piece.play(singer, stem, bar, start, length_pulses * 0.95, pitch_midi, 0.6, delay_s)
    if solo:
        write_melody(piece, "lead", LEAD, "voice", MelodyStyle(lag_s=0.02, jitter_s=0.025))
