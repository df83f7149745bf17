import pytest

from earshot_training.composer.bass import semitones_of_letter, walking_intervals
from earshot_training.composer.harmony import Chord, realise


def chord_of(numeral: str) -> Chord:
    return realise(numeral, tonic=0)[0]


@pytest.mark.parametrize(
    ("numeral", "letters", "pitch_classes"),
    [
        ("I", "R357", [0, 4, 7, 10]),
        ("i", "R35", [0, 3, 7]),
        ("Imaj7", "R357", [0, 4, 7, 11]),
        ("Isus4", "R35", [0, 5, 7]),
        ("Isus2", "R35", [0, 2, 7]),
        ("I+", "R35", [0, 4, 8]),
        ("io", "R35", [0, 3, 6]),
        ("I/3", "R35", [4, 4, 7]),
    ],
)
def test_a_letter_is_a_note_of_the_chord(numeral, letters, pitch_classes):
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
