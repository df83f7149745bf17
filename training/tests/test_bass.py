from types import SimpleNamespace

import pytest

from earshot_training.composer.bass import LINES, semitones_of_letter, walking_intervals, write_bass
from earshot_training.composer.chance import Chance
from earshot_training.composer.form import Form, Section
from earshot_training.composer.harmony import Chord, realise
from earshot_training.composer.piece import Piece
from earshot_training.composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from earshot_training.composer.timeline import Feel, Metre, Timeline, additive_metre, compound_metre, simple_metre

FOUR, THREE = simple_metre(4), simple_metre(3)
SIX_EIGHT, TWELVE_EIGHT = compound_metre(2), compound_metre(4)
BALKAN_SEVEN, BALKAN_EIGHT = additive_metre((2, 2, 3)), additive_metre((3, 3, 2))
# Above every probability, between those of a line and those of an ornament, and below every one.
NOTHING, LINES_ALONE, EVERYTHING = 1.1, 0.2, 1e-9
# C in even bars and G in odd ones, each the lowest at or above the D that `Scripted` draws as the lowest note.
C_MIDI, G_MIDI = 36, 31


class Scripted(Chance):
    """What is at least as probable as `threshold` happens; the first of each choice is drawn, or each in its turn."""

    def __init__(self, threshold: float, in_turn: bool = False) -> None:
        super().__init__(1)
        self.threshold, self.in_turn, self.turn = threshold, in_turn, -1

    def happens(self, probability: float) -> bool:
        return probability >= self.threshold

    def pick(self, items):
        self.turn += self.in_turn and len(items) > 1
        return items[max(self.turn, 0) % len(items)]

    def randrange(self, start: int, stop: int) -> int:
        return start


class WrittenPiece(Piece):
    """Records (pulse, length in pulses, pitch, velocity) by bar."""

    def play(self, instrument, stem, bar, pulse, length_pulses, pitch_midi, velocity) -> None:
        self.bars.setdefault(bar, []).append((pulse, length_pulses, pitch_midi, velocity))


def write(
    line: str,
    metre: Metre = FOUR,
    chance: Chance | None = None,
    pulse_bpm: float = 120.0,
    chords_per_bar: int = 1,
    invents: bool = False,
) -> dict[int, list[tuple[float, float, int, float]]]:
    """A bass line under C and G in turn: the first eight bars are one theme, the others another."""
    chance = chance or Scripted(NOTHING)
    chords, slot_pulses = realise("I V", tonic=0), metre.pulses_per_bar / chords_per_bar
    harmony = SimpleNamespace(
        slot_starts=lambda bar: [index * slot_pulses for index in range(chords_per_bar)],
        at=lambda bar, pulse: chords[int((bar * metre.pulses_per_bar + pulse) / slot_pulses) % 2],
    )
    sections = [Section(8 * theme, 8, theme, 1.0, frozenset({"bass"})) for theme in range(2)]
    bank = SimpleNamespace(programs={32: [[(0, 40.0)]]})
    timeline = Timeline(chance, metre, pulse_bpm, Feel())
    piece = WrittenPiece(chance, bank, timeline, Form(sections), harmony, SimpleNamespace(), invents=invents)
    piece.bars = {}
    write_bass(piece, line, "acoustic_bass")
    return piece.bars


def notes(bar: list[tuple[float, float, int, float]], held_share: float = 0.96) -> list[tuple[float, float, int]]:
    """(pulse, length as written, pitch): a note is played for a share of its written length."""
    return [(round(pulse, 3), round(length / held_share, 3), pitch) for pulse, length, pitch, _ in bar]


def chord_of(numeral: str) -> Chord:
    return realise(numeral, tonic=0)[0]


@pytest.mark.parametrize(
    ("numeral", "letters", "pitch_classes"),
    [
        ("I", "Rr35678", [0, 0, 4, 7, 9, 10, 0]),
        ("i", "R35", [0, 3, 7]),
        ("Imaj7", "R357", [0, 4, 7, 11]),
        ("Isus4", "R35", [0, 5, 7]),
        ("Isus2", "R35", [0, 2, 7]),
        ("I+", "R35", [0, 4, 8]),
        ("io", "R35", [0, 3, 6]),
        ("I/3", "R35", [4, 4, 7]),
    ],
)
def test_a_letter_is_a_degree_of_the_chord(numeral, letters, pitch_classes):
    chord = chord_of(numeral)
    assert [(chord.bass + semitones_of_letter(chord, letter)) % 12 for letter in letters] == pitch_classes


@pytest.mark.parametrize(
    ("numeral", "pitch_classes"),
    [("I", {0, 2, 4, 5, 7}), ("I9", {0, 2, 4, 5, 7, 10}), ("iadd9", {0, 2, 3, 5, 7}), ("I/3", {0, 2, 4, 5, 7})],
)
def test_a_walking_line_keeps_to_the_chord_and_the_steps_between_whatever_is_in_the_bass(numeral, pitch_classes):
    chord = chord_of(numeral)
    assert {(chord.bass + interval) % 12 for interval in walking_intervals(chord)} == pitch_classes
    assert max(walking_intervals(chord)) == 12


@pytest.mark.parametrize(
    ("line", "metre", "threshold", "pulse_bpm", "expected"),
    [
        ("quarters", FOUR, NOTHING, 120, [(0, 1, 36), (1, 1, 36), (2, 1, 36), (3, 1, 36)]),
        # Three-four has the first three beats of a line in four, or a line of its own.
        ("quarters", THREE, NOTHING, 120, [(0, 1, 36), (1, 1, 36), (2, 1, 36)]),
        ("quarters", THREE, LINES_ALONE, 120, [(0, 1, 36)]),
        # Whatever the line, compound bars have one of their own.
        ("octaves", SIX_EIGHT, NOTHING, 60, [(0, 2, 36)]),
        ("octaves", TWELVE_EIGHT, NOTHING, 60, [(0, 1, 36), (1, 1, 36), (2, 1, 36), (3, 1, 36)]),
        ("octaves", compound_metre(3), NOTHING, 60, [(0, 1, 36), (1, 1, 36), (2, 1, 36)]),
        # In 7/8 a pulse is an eighth, and quarters are two pulses apart.
        ("quarters", BALKAN_SEVEN, NOTHING, 420, [(0, 2, 36), (2, 2, 36), (4, 2, 36), (6, 1, 36)]),
        # A slow two-beat may be counted at half the tempo, a fast one is not.
        ("root_fifth", FOUR, LINES_ALONE, 115, [(0, 0.5, 36), (1, 0.5, 43), (2, 0.5, 36), (3, 0.5, 43)]),
        ("root_fifth", FOUR, LINES_ALONE, 117, [(0, 1, 36), (2, 1, 43)]),
        ("root_fifth", FOUR, NOTHING, 115, [(0, 1, 36), (2, 1, 43)]),
        # The next chord is anticipated a beat early.
        ("tumbao", FOUR, NOTHING, 120, [(1.5, 1.5, 43), (3, 1, 31)]),
    ],
)
def test_a_line_fits_its_metre_and_tempo(line, metre, threshold, pulse_bpm, expected):
    assert notes(write(line, metre, Scripted(threshold), pulse_bpm)[2]) == expected


def test_a_held_note_ends_with_its_chord():
    assert notes(write("whole", chords_per_bar=1)[2]) == [(0, 4, 36)]
    assert notes(write("whole", chords_per_bar=2)[2]) == [(0, 2, 36)]


def test_small_r_is_softer():
    velocities = [velocity for _, _, _, velocity in write("eighths")[2]]
    assert max(velocities[1::2]) < min(velocities[::2])


def test_each_theme_has_its_own_pattern():
    bars = write("octaves", chance=Scripted(NOTHING, in_turn=True))
    # Two patterns with the same notes: held in one, cut short in the other.
    assert [{length for _, length, _ in notes(bars[bar])} for bar in (2, 7, 8, 9)] == [{0.5}, {0.5}, {0.25}, {0.25}]


@pytest.mark.parametrize(
    ("line", "invents", "onset_pulses"),
    [
        # The likeliest steps of the first rhythm invented are the beats; the table has another.
        ("syncopated", True, [0, 1, 2, 3]),
        ("syncopated", False, [0, 0.75, 1.5, 2.5, 3.5]),
        ("octaves", True, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]),
    ],
)
def test_only_lines_without_an_idiom_are_invented_and_only_by_players_who_invent(line, invents, onset_pulses):
    bar = write(line, chance=Scripted(LINES_ALONE), invents=invents)[2]
    assert [pulse for pulse, _, _ in notes(bar)] == onset_pulses


@pytest.mark.parametrize(
    ("metre", "pulse", "length_pulses"),
    [
        (FOUR, 3.5, 0.5),
        (THREE, 2.5, 0.5),
        (simple_metre(5), 4.5, 0.5),
        (SIX_EIGHT, 1.667, 0.333),
        (compound_metre(3), 2.667, 0.333),
        (TWELVE_EIGHT, 3.667, 0.333),
        (BALKAN_SEVEN, 6, 1),
        (BALKAN_EIGHT, 7, 1),
    ],
)
def test_an_approach_note_is_the_last_eighth_before_the_bar_line(metre, pulse, length_pulses):
    bars = write("whole", metre, Scripted(EVERYTHING))
    # A half step below the next bar's chord, G after C and C after G.
    assert notes(bars[2])[-1] == (pulse, length_pulses, G_MIDI - 1)
    assert notes(bars[3])[-1] == (pulse, length_pulses, C_MIDI - 1)


@pytest.mark.parametrize(
    ("metre", "chords_per_bar", "expected"),
    [
        (FOUR, 1, [(0, 1, 36), (1, 1, 36), (2, 1, 36), (3, 1, 30)]),
        (FOUR, 2, [(0, 1, 36), (1, 1, 30), (2, 1, 31), (3, 1, 35)]),
        (THREE, 1, [(0, 1, 36), (1, 1, 36), (2, 1, 30)]),
        (BALKAN_SEVEN, 1, [(0, 2, 36), (2, 2, 36), (4, 3, 30)]),
    ],
)
def test_a_walk_takes_a_step_on_every_beat_and_approaches_the_next_chord(metre, chords_per_bar, expected):
    bars = write("walking", metre, Scripted(LINES_ALONE), chords_per_bar=chords_per_bar)
    assert notes(bars[2], held_share=0.92) == expected


def test_a_walk_begins_every_chord_with_its_bass():
    bars = write("walking", chance=Scripted(NOTHING, in_turn=True), chords_per_bar=2)
    assert {(bar[0][2], bar[2][2]) for bar in bars.values()} == {(C_MIDI, G_MIDI)}


@pytest.mark.parametrize(
    ("metre", "skip_pulses", "length_pulses"),
    [(FOUR, [0.5, 1.5, 2.5, 3.5], 0.5), (SIX_EIGHT, [0.667, 1.667], 0.333), (BALKAN_SEVEN, [1, 3, 6], 1)],
)
def test_a_skip_repeats_a_note_of_the_walk_on_the_last_eighth_of_its_beat(metre, skip_pulses, length_pulses):
    bar = write("walking", metre, Scripted(EVERYTHING))[2]
    skips = notes(bar[1::2], held_share=0.8)
    assert skips == [(pulse, length_pulses, bar[2 * i][2]) for i, pulse in enumerate(skip_pulses)]


def test_every_line_of_a_style_is_written_and_none_is_written_twice():
    named = {line for style in TRAINING_STYLES + VALIDATION_STYLES for line in style.bass_lines}
    # No style names the lines of 6/8, and a walk is drawn note by note.
    assert named | {"six_eight"} == set(LINES) | {"walking"}
    assert len({frozenset(patterns) for patterns in LINES.values()}) == len(LINES)
