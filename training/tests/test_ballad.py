import pytest

from earshot_training.composer.ballad import _left_interval
from earshot_training.composer.harmony import realise


@pytest.mark.parametrize(
    ("numeral", "pitch_classes"),
    [
        # In C: the bass, the note of letter '5', and that of 'T'.
        ("I", (0, 7, 4)),
        ("i", (0, 7, 3)),
        ("io", (0, 6, 3)),
        ("Isus4", (0, 7, 5)),
        ("Isus2", (0, 7, 2)),
        ("I/3", (4, 0, 4)),
        ("I/5", (7, 0, 4)),
        # Where the root is a step above the bass, '5' is the third of the chord.
        ("i/b7", (10, 3, 3)),
        ("V7/4", (5, 11, 11)),
        ("bIII/2", (2, 7, 7)),
    ],
)
def test_the_left_hands_fifths_and_tenths_are_notes_of_the_chord(numeral, pitch_classes):
    chord = realise(numeral, tonic=0)[0]
    assert tuple((chord.bass + _left_interval(chord, letter)) % 12 for letter in "R5T") == pitch_classes


@pytest.mark.parametrize(("letter", "semitones"), [("R", 0), ("r", 0), ("5", 7), ("8", 12), ("9", 14), ("T", 16)])
def test_a_letter_of_the_left_hand_has_its_place_above_the_bass(letter, semitones):
    assert _left_interval(realise("I", tonic=0)[0], letter) == semitones
