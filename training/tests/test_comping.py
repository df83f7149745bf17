from types import SimpleNamespace

from earshot_training.composer.chance import Chance
from earshot_training.composer.comping import COMPINGS, RHYTHMS, Texture, _restrike_on_chord_change
from earshot_training.composer.harmony import realise
from earshot_training.composer.patterns import strokes
from earshot_training.composer.piece import at_or_above, close_voicing
from earshot_training.composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from earshot_training.composer.timeline import simple_metre

FOUR = simple_metre(4)
HELD = "X---------------"


class Written:
    """Stands in for a piece with equally long chords in the bar, and records the pitches played, by pulse."""

    def __init__(self, progression: str) -> None:
        chords = realise(progression, tonic=0)
        self.chance, self.metre = Chance(1), FOUR
        starts = range(0, 4, 4 // len(chords))
        at = lambda bar, pulse: chords[int(pulse) * len(chords) // 4]
        self.harmony = SimpleNamespace(at=at, slot_starts=lambda bar: list(starts), tonic=0, mode="major")
        self.played: dict[float, list[int]] = {}

    def pulses_to_chord_change(self, bar: int, pulse: float) -> float:
        return 1.0

    def play(self, instrument, stem, bar, pulse, length_pulses, pitch_midi, velocity, delay_s) -> None:
        self.played.setdefault(pulse, []).append(pitch_midi)


def play(name: str, progression: str, rhythm: str) -> dict[float, list[int]]:
    piece = Written(progression)
    texture = Texture(piece, SimpleNamespace(), stem=2, lowest_midi=60)
    for stroke in strokes(rhythm, FOUR):
        COMPINGS[name][1](texture, 0, stroke)
    return piece.played


def test_every_comping_of_a_style_is_in_the_table_and_has_a_rhythm():
    named = {name for style in TRAINING_STYLES + VALIDATION_STYLES for name in style.compings}
    assert named <= set(COMPINGS)
    assert {family for family, _ in COMPINGS.values()} <= set(RHYTHMS)


def test_a_close_voicing_is_the_chord_within_an_octave_of_its_lowest_note():
    # A minor from C up: C, E, A.
    assert close_voicing(realise("vi", 0)[0], 60) == [60, 64, 69]
    assert [at_or_above(pitch_class, 60) for pitch_class in (0, 11)] == [60, 71]


def test_boom_chick_has_root_and_fifth_under_chords():
    # Seventeen semitones below the chords' lowest note: C3 is the first C at or above 43.
    assert play("boom_chick", "I", "x---x---x---x---") == {0: [48], 1: [60, 64, 67], 2: [55], 3: [60, 64, 67]}
    eighths = play("boom_chick_eighths", "I", "x-x-x-x-x-x-x-x-")
    assert [eighths[pulse] for pulse in (0, 1, 2, 3)] == [[48], [55], [48], [55]]
    assert all(eighths[pulse + 0.5] == [60, 64, 67] for pulse in range(4))


def test_alberti_breaks_a_chord_low_high_middle_high():
    notes = play("alberti", "I", "x-x-x-x-........")
    assert [notes[pulse] for pulse in (0, 0.5, 1, 1.5)] == [[60], [67], [64], [67]]


def test_a_held_chord_is_struck_again_where_the_harmony_changes_and_only_there():
    assert _restrike_on_chord_change(Written("I IV"), 0, HELD) == "X-------x-------"
    assert _restrike_on_chord_change(Written("I I"), 0, HELD) == HELD
