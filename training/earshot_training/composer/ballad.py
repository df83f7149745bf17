"""Slow pop songs: the two-handed piano accompaniment, the melody and the counter-melody.

General MIDI song books are full of these, and they are the hardest case of tempo octave errors in beat tracking:
sixteenth-note arpeggios at 65 beats a minute sound like eighths at 130. The difference lies in what this module writes:
chords that last a bar or half of one, melodies whose stresses and phrase ends fall on the slow beat, and left hands
that restart with every bar. The drums add a backbeat on two and four of the slow count.

Left-hand letters: 'R' the chord's bass, 'r' the octave below it too, '5' fifth, '8' octave, '9' ninth, 'T' tenth (the
third above the octave). Right-hand letters: 'c' the whole chord, 'u' its upper notes, 't' its lowest note, '1'..'4'
single notes counted from the bottom, 'h' the lowest an octave up. Probabilities, lengths and velocities are set by ear.
"""

from __future__ import annotations

from dataclasses import dataclass

from .harmony import Chord
from .instruments import Instrument, draw_instrument
from .invention import invent_figure
from .melody import MelodyStyle, write_melody
from .patterns import Stroke, fit, strokes
from .piece import Piece, at_or_above, close_voicing
from .score import ACCOMPANIMENT, COLOUR, LEAD

LEFT_HANDS_SLOW = [
    "R-5-8-5-R-5-8-5-",
    "R-5-8-9-T-9-8-5-",
    "R-5-8-T-8-5-8-5-",
    "R58T8585R58T8585",
    "R-58T-8-R-58T-8-",
    "R---5---8---5---",
    "R-5-8---R-5-8---",
    "R-5-8-T---------",
    "r---------------",
    "r-------R-------",
    "r-------5-------",
    "R-----5-8-----5-",
    "R5859585R5859585",
    "R-58--T-R-58--T-",
    "r-----r-5---8---",
    "R-58T8--5-8T8---",
    "R585T585R585T585",
    "r---R---r---R---",
    "R-5-T-5-8-5-T-5-",
    "R58T------------",
    "R--5--8-T-8-5---",
    "R-----R-5-8-----",
]
LEFT_HANDS_FAST = [
    "R---5---8---5---",
    "R---5---T---5---",
    "R-5-8-5-R-5-8-5-",
    "r-------r-------",
    "r---------------",
    "R-----R-5---R---",
    "R---R---5---5---",
    "R-------5---8---",
    "R-----5---8-----",
    "r-r-r-r-r-r-r-r-",
    "R---5---8---T---",
]
RIGHT_HANDS_SLOW = [
    "c---c---c---c---",
    "c-c-c-c-c-c-c-c-",
    "c---------------",
    "c-------c-------",
    "1-2-3-2-1-2-3-2-",
    "1232123212321232",
    "t-u-t-u-t-u-t-u-",
    "..u-..u-..u-..u-",
    "c-----c-....c---",
    "1-2-3-h-3-2-3-2-",
    "c---..u-c---..u-",
    "....u-......u---",
    "c--c--c-c--c--c-",
    "123h321312h32132",
    "........u-u-u-u-",
    "c---u-u-c---u-u-",
    "h-3-2-1-h-3-2-1-",
    "c-----u-----u---",
    "t-3-2-3-t-3-2-3-",
    "1-3-2-3-1-3-2-3-",
    "................",
    "c--u..u-c--u..u-",
    "c---c--cc---c--c",
]
RIGHT_HANDS_FAST = [
    "c---c---c---c---",
    "c---------------",
    "c-------c-------",
    "1---2---3---2---",
    "1-2-3-2-1-2-3-2-",
    "c-----c---c-----",
    "..c-..c-..c-..c-",
    "c-----c-----c---",
    "t---u---t---u---",
    "................",
    "c-c-c-c-c-c-c-c-",
    "....c-......c-..",
    "1-2-3-h-3-2-1-2-",
]
LEFT_HANDS_WALTZ = ["R-5-8-T-8-5-", "R---5---8---", "R---........", "r-----------", "R-5-8-5-8-5-", "R---8---8---"]
RIGHT_HANDS_WALTZ = ["....c---c---", "c---c---c---", "1-2-3-h-3-2-", "c-----------", "....u-u-u-u-", "1-2-3-2-3-2-"]
LEFT_HANDS_COMPOUND = ["R5858T", "R-5-8-", "R-----", "R58T85", "R--5--"]
RIGHT_HANDS_COMPOUND = ["c--c--", "123h32", "c-----", "t.uu.u", "123232"]
SLOW_BPM_MAX = 92.0
INVENTED_HANDS_CHANCE = 0.4
LEFT_LETTERS, RIGHT_LETTERS = "R5588T9", ("cccu", "1234h", "ccu13", "uut", "12321h")


@dataclass(frozen=True)
class Hands:
    left: str
    right: str


def draw_hands(piece: Piece) -> Hands:
    chance = piece.chance
    if piece.metre.steps_per_pulse == 3:
        return Hands(chance.pick(LEFT_HANDS_COMPOUND), chance.pick(RIGHT_HANDS_COMPOUND))
    if piece.metre.pulses_per_bar == 3:
        return Hands(chance.pick(LEFT_HANDS_WALTZ), chance.pick(RIGHT_HANDS_WALTZ))
    if piece.invents and chance.happens(INVENTED_HANDS_CHANCE):
        slow = piece.pulse_bpm < SLOW_BPM_MAX
        finest_steps = chance.pick([1, 2, 2]) if slow else 2
        left = invent_figure(chance, piece.metre, LEFT_LETTERS, "RRr", chance.pick([0.5, 1.0, 1.8]), finest_steps)
        right = invent_figure(
            chance, piece.metre, chance.pick(RIGHT_LETTERS), "cut", chance.pick([0.4, 0.8, 1.4, 2.0]), finest_steps
        )
        return Hands(left, right)
    if piece.pulse_bpm < SLOW_BPM_MAX:
        return Hands(chance.pick(LEFT_HANDS_SLOW), chance.pick(RIGHT_HANDS_SLOW))
    return Hands(chance.pick(LEFT_HANDS_FAST), chance.pick(RIGHT_HANDS_FAST))


class Pianist:
    def __init__(self, piece: Piece, instrument: Instrument) -> None:
        self.piece, self.instrument = piece, instrument
        chance = piece.chance
        self.left_lowest_midi = chance.randrange(31, 41)
        self.right_lowest_midi = chance.randrange(52, 62)
        self.pedal = chance.happens(0.7)
        self.variation_chance = chance.uniform(0, 0.5)
        self.rolled_chord_chance = chance.pick([0, 0, 0.1, 0.4])
        # Most accompanists keep one pattern for a section; a few change it from bar to bar.
        self.hands = [draw_hands(piece) for _ in range(2)]
        self.restless = chance.happens(0.25)

    def play_bar(self, bar: int) -> None:
        chance, section = self.piece.chance, self.piece.form.at(bar)
        hands = self.hands[section.theme % 2]
        if self.restless and chance.happens(0.5):
            hands = draw_hands(self.piece)
        elif self.piece.form.is_last_bar(bar) and chance.happens(self.variation_chance):
            hands = Hands(hands.left, draw_hands(self.piece).right)
        velocity = 0.55 + 0.4 * section.intensity
        for pattern, play in ((hands.left, self._left), (hands.right, self._right)):
            for stroke in strokes(self._restart_with_chord(bar, pattern), self.piece.metre):
                play(bar, stroke, velocity * (1.0 if stroke.pulse == 0 else 0.86))

    def _restart_with_chord(self, bar: int, pattern: str) -> str:
        """Restarts the figure where the chord changes within the bar."""
        starts = self.piece.harmony.slot_starts(bar)
        pattern = fit(pattern, self.piece.metre)
        if len(starts) == 1 or self.piece.harmony.at(bar, starts[1]) == self.piece.harmony.at(bar, 0):
            return pattern
        if len(starts) == 4:
            return pattern[: self.piece.metre.steps_per_pulse] * 4
        cut = starts[1] * self.piece.metre.steps_per_pulse
        return pattern[:cut] + pattern[: len(pattern) - cut]

    def _left(self, bar: int, stroke: Stroke, velocity: float) -> None:
        chord = self.piece.harmony.at(bar, stroke.pulse)
        bass_midi = at_or_above(chord.bass, self.left_lowest_midi)
        self._sound(bar, stroke, bass_midi + _left_interval(chord, stroke.symbol), velocity * 0.8)
        if stroke.symbol == "r":
            self._sound(bar, stroke, bass_midi - 12, velocity * 0.7)

    def _right(self, bar: int, stroke: Stroke, velocity: float) -> None:
        notes_midi = close_voicing(self.piece.harmony.at(bar, stroke.pulse), self.right_lowest_midi)
        symbol = stroke.symbol
        chosen = {"c": notes_midi, "u": notes_midi[1:], "t": notes_midi[:1], "h": [notes_midi[0] + 12]}.get(symbol)
        if chosen is None:
            chosen = [notes_midi[(int(symbol) - 1) % len(notes_midi)]]
        rolled = symbol == "c" and self.piece.chance.happens(self.rolled_chord_chance)
        for index, pitch_midi in enumerate(chosen):
            self._sound(bar, stroke, pitch_midi, velocity * 0.65, 0.03 * index if rolled else 0.0)

    def _sound(self, bar: int, stroke: Stroke, pitch_midi: int, velocity: float, delay_s: float = 0.0) -> None:
        held_pulses = stroke.length_pulses
        if self.pedal:
            held_pulses = max(held_pulses, self.piece.pulses_to_chord_change(bar, stroke.pulse) * 0.95)
        velocity *= self.piece.chance.uniform(0.85, 1.12)
        self.piece.play(self.instrument, ACCOMPANIMENT, bar, stroke.pulse, held_pulses, pitch_midi, velocity, delay_s)


def _left_interval(chord: Chord, letter: str) -> int:
    """Semitones above the chord's bass."""
    shift = (chord.root - chord.bass) % 12
    third = next((interval for interval in (3, 4, 5, 2) if interval in chord.intervals), 4)
    fifth = 7 if 7 in chord.intervals else 6 if 6 in chord.intervals else 8
    if shift:
        # Over a bass that is not the root, '5' and 'T' are still notes of the chord: '5' the root, unless a step away.
        fifth, third = shift if shift >= 3 else shift + third, (shift + third) % 12
    return {"R": 0, "r": 0, "5": fifth, "8": 12, "9": 14, "T": 12 + third}[letter]


PLAYED_MELODY = MelodyStyle(
    lengths=("pop", "syllabic", "syllabic", "calm", "busy"),
    lag_s=0.008,
    jitter_s=0.004,
    rest_chance=0.08,
    range_midi=(57, 60, 62, 64, 67),
    harmony_chance=0.06,
)
SUNG_MELODY = MelodyStyle(
    lengths=("pop", "syllabic", "syllabic", "calm"),
    lag_s=0.018,
    jitter_s=0.02,
    rest_chance=0.1,
    range_midi=(50, 55, 60, 62),
    harmony_chance=0.1,
)
COUNTER_MELODY = MelodyStyle(lengths=("long", "lyrical", "calm"), rest_chance=0.3, range_midi=(55, 60, 65, 67))


def write_ballad(piece: Piece, sung: bool) -> None:
    """Piano, melody and counter-melody; compose.py adds bass, pad and drums as for a band."""
    chance, bank = piece.chance, piece.bank
    alone = chance.happens(0.2)
    group = "piano" if alone else "pop_piano"
    pianist = Pianist(piece, draw_instrument(chance, bank, group))
    for bar in piece.bars_of("accompaniment"):
        pianist.play_bar(bar)
        piece.voiced_bars.add(bar)
    if alone:
        write_melody(piece, "lead", LEAD, "piano", PLAYED_MELODY)
    elif sung:
        write_melody(piece, "lead", LEAD, "voice", SUNG_MELODY)
    else:
        write_melody(piece, "lead", LEAD, "pop_melody", PLAYED_MELODY)
    if chance.happens(0.55):
        group = "piano" if alone else "pop_bridge"
        write_melody(piece, "colour", COLOUR, group, COUNTER_MELODY if chance.happens(0.7) else PLAYED_MELODY)
