"""Bass lines. Most are patterns of letters for notes of the chord; walking bass lines are drawn note by note.

'R' the chord's bass, 'r' the same but soft, '5' fifth, '8' octave, '3' third, '6' sixth, '7' seventh, 'N' the next
chord's bass, anticipated, 'a' a step or half step from it, '-' hold, '.' rest. Probabilities, lengths and velocities
are set by ear.
"""

from __future__ import annotations

from .harmony import Chord
from .instruments import Instrument, draw_instrument
from .invention import invent_figure
from .patterns import SLOW_TWO_BEAT_BPM, strokes
from .piece import Piece, at_or_above
from .score import BASS

LINES: dict[str, list[str]] = {
    "whole": ["R---------------"],
    "halves": ["R-------R-------", "R-------5-------", "R-------8-------", "R-----r-R-------"],
    "ballad": ["R-----r-5-------", "R-----r-R---5---", "R-----5-8-------", "R-------R-----a-", "R-----R-5---R---"],
    "root_fifth_quarters": ["R-..5-..R-..5-..", "R---5---R---5---"],
    "root_fifth": ["R---....5---....", "R---....5---..a.", "R-......5-......"],
    "quarters": ["R---R---R---R---", "R---5---R---5---", "R---R---5---a---"],
    "eighths": ["R-r-R-r-R-r-R-r-", "R-R-R-R-R-R-R-R-", "R-r-R-r-R-r-R-a-"],
    "octaves": ["R-8-R-8-R-8-R-8-", "R.8.R.8.R.8.R.8."],
    "offbeats": ["..R-..R-..R-..R-"],
    "gallop": [".RRR.RRR.RRR.RRR", "R.RRR.RRR.RRR.RR"],
    "pumping_sixteenths": ["RRRRRRRRRRRRRRRR", "R.RRR.RRR.RRR.RR", "R..R..R.R..R..R."],
    "syncopated": [
        "R--R--R...R-..R.",
        "R-....R-..R-....",
        "R--r..8-..5-R...",
        "R.....R.R..R....",
        "R-.8..R-..5-8...",
        "R--R....R--R..a.",
    ],
    "funk": ["R.R....8..R..5.8", "R..8.R..R.r.8...", "R.rR..8...R.5.8.", "R...r.8.R..r..5a"],
    "bossa": ["R----.5-5----.R-", "R-----R-5-----5-"],
    "samba": ["R--.5--5R--.5--5", "R--55---R--55---"],
    "tumbao": ["......5-----N---", "R.....5-----N---"],
    "reggae": ["R-..R.R...5-3...", "..R-R-..5-5-....", "R--R--R-....5-8-", "....R-R-..5-3-R-"],
    "boom": ["R---------------", "R-----....R-----", "R--R----..R-....", "R-------....R-.."],
    "shuffle": ["R-3-5-6-7-6-5-3-", "R-r-3-r-5-r-6-r-", "R-r-5-r-6-r-5-r-", "R-r-R-r-R-r-R-r-"],
    "waltz": ["R---........", "R-----------", "R---....5---", "R-------5---"],
    "twelve_eight": ["R--R--R--R--", "R----R5----5", "R-----5-----", "R----RR----a", "R-----------"],
    "six_eight": ["R-----", "R--5--", "R----a", "R--R--"],
    "tango": ["R---R---R---R-a-", "R-----R-5---R---"],
}
# Probability that a line is invented instead of taken from the table.
INVENTED_LINE_CHANCES = {"syncopated": 0.6, "funk": 0.6, "reggae": 0.4, "halves": 0.1, "ballad": 0.25, "boom": 0.3}
OCTAVE_LETTERS = {"R": 0, "r": 0, "8": 12}


def write_bass(piece: Piece, line: str, instrument_group: str) -> None:
    instrument = draw_instrument(piece.chance, piece.bank, instrument_group)
    lowest_midi = piece.chance.randrange(26, 34)
    if line == "walking":
        _write_walking(piece, instrument, lowest_midi)
        return
    if piece.metre.steps_per_pulse == 3:
        line = "six_eight" if piece.metre.pulses_per_bar == 2 else "twelve_eight"
    elif line == "root_fifth" and piece.pulse_bpm < SLOW_TWO_BEAT_BPM and piece.chance.happens(0.4):
        line = "root_fifth_quarters"
    elif piece.metre.pulses_per_bar == 3 and piece.chance.happens(0.8):
        line = "waltz"
    written = [_draw_line(piece, line) for _ in range(2)]
    approach_chance = piece.chance.uniform(0, 0.1)
    for bar in piece.bars_of("bass"):
        pattern = written[piece.form.at(bar).theme % 2]
        for stroke in strokes(pattern, piece.metre):
            _play_letter(piece, instrument, lowest_midi, bar, stroke.pulse, stroke.length_pulses, stroke.symbol)
        if piece.chance.happens(approach_chance):
            eighth_pulses = 1 / piece.metre.eighths_per_pulse
            last_eighth = piece.metre.pulses_per_bar - eighth_pulses
            _play_letter(piece, instrument, lowest_midi, bar, last_eighth, eighth_pulses, "a")


def _draw_line(piece: Piece, line: str) -> str:
    chance = piece.chance
    if piece.invents and piece.metre.steps_per_pulse == 4 and chance.happens(INVENTED_LINE_CHANCES.get(line, 0)):
        letters = "RRR35" if line == "reggae" else "RRRRr558"
        strokes_per_pulse, finest_steps = chance.pick([0.5, 0.8, 1.3]), chance.pick([1, 2, 2])
        return invent_figure(chance, piece.metre, letters, "R", strokes_per_pulse, finest_steps)
    return chance.pick(LINES[line])


def _play_letter(
    piece: Piece, instrument: Instrument, lowest_midi: int, bar: int, pulse: float, length_pulses: float, letter: str
) -> None:
    chance = piece.chance
    chord = piece.harmony.at(bar, pulse)
    # A held note may not outlast its chord.
    length_pulses = min(length_pulses, piece.pulses_to_chord_change(bar, pulse))
    if letter in "Na":
        following = piece.harmony.at(bar, pulse + piece.pulses_to_chord_change(bar, pulse))
        pitch_midi = at_or_above(following.bass, lowest_midi) + (0 if letter == "N" else chance.pick([-1, 1, -2, 2]))
    else:
        pitch_midi = at_or_above(chord.bass, lowest_midi) + semitones_of_letter(chord, letter)
    velocity = (0.65 if letter == "r" else 0.9) * chance.uniform(0.9, 1.08)
    piece.play(instrument, BASS, bar, pulse, length_pulses * 0.96, pitch_midi, velocity)


def semitones_of_letter(chord: Chord, letter: str) -> int:
    """Semitones above the chord's bass. '3' is the fourth or second of a suspended chord; '7' is minor in a triad."""
    if letter in OCTAVE_LETTERS:
        return OCTAVE_LETTERS[letter]
    third = next((interval for interval in (3, 4, 5, 2) if interval in chord.intervals), 4)
    fifth = next((interval for interval in (7, 6, 8) if interval in chord.intervals), 7)
    seventh = 11 if 11 in chord.intervals else 10
    semitones = {"3": third, "5": fifth, "6": 9, "7": seventh}[letter]
    return (semitones + chord.root - chord.bass) % 12


def walking_intervals(chord: Chord) -> list[int]:
    """Semitones above the chord's bass: the chord's notes, its second and fourth as passing notes, and the octave."""
    return [*((interval + chord.root - chord.bass) % 12 for interval in (*chord.intervals, 2, 5)), 12]


def _write_walking(piece: Piece, instrument: Instrument, lowest_midi: int) -> None:
    """The bass on the chord's first beat, chord and passing notes after it, an approach note before the next chord."""
    chance = piece.chance
    eighth_pulses = 1 / piece.metre.eighths_per_pulse
    for bar in piece.bars_of("bass"):
        for pulse, beat_end in piece.metre.beat_spans():
            beat_pulses = beat_end - pulse
            chord = piece.harmony.at(bar, pulse)
            bass_midi = at_or_above(chord.bass, lowest_midi)
            remaining_pulses = piece.pulses_to_chord_change(bar, pulse)
            if pulse in piece.harmony.slot_starts(bar):
                pitch_midi = bass_midi
            elif remaining_pulses <= beat_pulses:
                following = piece.harmony.at(bar, pulse + remaining_pulses)
                pitch_midi = at_or_above(following.bass, lowest_midi) + chance.pick([-1, 1, -2, 2, 7])
            else:
                pitch_midi = bass_midi + chance.pick(walking_intervals(chord))
            piece.play(instrument, BASS, bar, pulse, beat_pulses * 0.92, pitch_midi, chance.uniform(0.85, 1.0))
            if chance.happens(0.08):
                piece.play(instrument, BASS, bar, beat_end - eighth_pulses, eighth_pulses * 0.8, pitch_midi, 0.55)
