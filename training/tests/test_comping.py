from types import SimpleNamespace

import pytest

from earshot_training.composer import comping as comping_py
from earshot_training.composer.chance import Chance
from earshot_training.composer.comping import COMPINGS, RHYTHMS, Texture, _draw_playing, _restrike_on_chord_change
from earshot_training.composer.harmony import realise
from earshot_training.composer.patterns import strokes
from earshot_training.composer.piece import at_or_above, close_voicing
from earshot_training.composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from earshot_training.composer.timeline import Metre, additive_metre, compound_metre, simple_metre

FOUR, THREE = simple_metre(4), simple_metre(3)
SIX_EIGHT, TWELVE_EIGHT, BALKAN_SEVEN = compound_metre(2), compound_metre(4), additive_metre((3, 2, 2))
EIGHTHS, SIXTEENTHS = "x-x-x-x-x-x-x-x-", "xxxxxxxxxxxxxxxx"
HELD = "X---------------"


class Written:
    """Stands in for a piece with equally long chords in the bar, and records the pitches played, by pulse."""

    def __init__(self, progression: str, metre: Metre = FOUR) -> None:
        chords = realise(progression, tonic=0)
        self.chance, self.metre = Chance(1), metre
        starts = range(0, metre.pulses_per_bar, metre.pulses_per_bar // len(chords))
        at = lambda bar, pulse: chords[int(pulse) * len(chords) // metre.pulses_per_bar]
        self.harmony = SimpleNamespace(at=at, slot_starts=lambda bar: list(starts), tonic=0, mode="major")
        self.played: dict[float, list[int]] = {}

    def pulses_to_chord_change(self, bar: int, pulse: float) -> float:
        return 1.0

    def play(self, instrument, stem, bar, pulse, length_pulses, pitch_midi, velocity, delay_s) -> None:
        self.played.setdefault(pulse, []).append(pitch_midi)


def play(name: str, progression: str, rhythm: str, metre: Metre = FOUR) -> dict[float, list[int]]:
    piece = Written(progression, metre)
    texture = Texture(piece, SimpleNamespace(), stem=2, lowest_midi=60)
    texture.rising = True
    for stroke in strokes(rhythm, metre):
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


@pytest.mark.parametrize(
    ("metre", "rhythm", "beats"),
    [(FOUR, EIGHTHS, [0, 1, 2, 3]), (SIX_EIGHT, "xxxxxx", [0, 1]), (BALKAN_SEVEN, EIGHTHS, [0, 3, 5])],
)
def test_strums_go_down_and_the_thumb_plays_on_the_beat_alone(metre, rhythm, beats):
    strummed = play("strum", "I", rhythm, metre)
    # C3, C4, E4, G4, C5, E5; on the way up the two lowest strings are left out.
    assert [pulse for pulse, midi in strummed.items() if midi == [48, 60, 64, 67, 72, 76]] == beats
    assert all(midi == [76, 72, 67, 64] for pulse, midi in strummed.items() if pulse not in beats)
    thumb = {pulse: midi for pulse, midi in play("picking", "I", rhythm, metre).items() if midi[0] < 60}
    assert thumb == {beat: [48 if index % 2 == 0 else 55] for index, beat in enumerate(beats)}


@pytest.mark.parametrize(
    ("metre", "rhythm"),
    [
        (FOUR, EIGHTHS),
        (FOUR, SIXTEENTHS),
        (SIX_EIGHT, "xxxxxx"),
        (TWELVE_EIGHT, "xxxxxxxxxxxx"),
        (BALKAN_SEVEN, EIGHTHS),
        (BALKAN_SEVEN, SIXTEENTHS),
    ],
)
def test_a_rising_arpeggio_climbs_a_note_with_every_stroke(metre, rhythm):
    notes = list(play("arpeggio", "I", rhythm, metre).values())
    assert notes == [[(60, 64, 67, 72, 76, 79)[index % 6]] for index in range(len(notes))]


@pytest.mark.parametrize(
    ("comping", "metre", "pulse_bpm", "common", "playing"),
    [
        ("strum", FOUR, 120, True, ("strum", Texture.strum)),
        ("strum", SIX_EIGHT, 60, False, ("six_eight", Texture.strum)),
        ("strum", TWELVE_EIGHT, 60, False, ("twelve_eight", Texture.strum)),
        ("strum", THREE, 120, True, ("waltz", Texture.strum)),
        ("strum", THREE, 120, False, ("strum", Texture.strum)),
        ("pad", THREE, 120, True, ("held", Texture.block)),
        ("boom_chick", THREE, 100, True, ("quarters", Texture.boom_chick)),
        ("boom_chick", FOUR, 117, True, ("quarters", Texture.boom_chick)),
        ("boom_chick", FOUR, 115, False, ("quarters", Texture.boom_chick)),
        ("boom_chick", FOUR, 115, True, ("eighths", Texture.boom_chick_in_eighths)),
        ("boom_chick", SIX_EIGHT, 60, True, ("six_eight", Texture.boom_chick_in_eighths)),
        ("boom_chick", TWELVE_EIGHT, 60, True, ("twelve_eight", Texture.boom_chick_in_eighths)),
    ],
)
def test_the_rhythm_is_one_of_the_metre(comping, metre, pulse_bpm, common, playing):
    # `common`: what usually happens does.
    chance = SimpleNamespace(happens=lambda probability: common)
    assert _draw_playing(SimpleNamespace(chance=chance, metre=metre, pulse_bpm=pulse_bpm), comping) == playing


def test_in_compound_time_boom_chick_has_a_bass_on_every_beat():
    notes = play("boom_chick_eighths", "I", "xxxxxx", SIX_EIGHT)
    chord = [60, 64, 67]
    assert list(notes.values()) == [[48], chord, chord, [55], chord, chord]


def test_alberti_breaks_a_chord_low_high_middle_high():
    notes = play("alberti", "I", "x-x-x-x-........")
    assert [notes[pulse] for pulse in (0, 0.5, 1, 1.5)] == [[60], [67], [64], [67]]


def test_a_held_chord_is_struck_again_where_the_harmony_changes_and_only_there():
    assert _restrike_on_chord_change(Written("I IV"), 0, HELD) == "X-------x-------"
    assert _restrike_on_chord_change(Written("I I"), 0, HELD) == HELD
    assert _restrike_on_chord_change(Written("I IV"), 0, "X...............") == "X..............."


class Band(Written):
    """A piece of four bars, of whose chances only those of `happening` happen."""

    def __init__(self, happening: set[float]) -> None:
        super().__init__("I")
        self.chance.happens = lambda probability: probability in happening
        self.bank, self.voiced_bars, self.invents, self.pulse_bpm = None, set(), True, 120
        self.form = SimpleNamespace(at=lambda bar: SimpleNamespace(theme=bar))
        self.bars_of = lambda part: range(4)


@pytest.fixture
def write(monkeypatch):
    monkeypatch.setattr(comping_py, "draw_instrument", lambda chance, bank, group: SimpleNamespace())
    monkeypatch.setattr(comping_py, "invent_rhythm", lambda *_: ".x..............")

    def write(comping: str, happening: set[float]) -> Band:
        band = Band(happening)
        comping_py.write_comping(band, "accompaniment", 2, comping, "piano", 60)
        return band

    return write


def test_only_bars_in_which_a_chord_sounds_are_voiced(write):
    assert write("pad", {comping_py.STROKE_CHANCE}).voiced_bars == {0, 1, 2, 3}
    assert write("pad", set()).voiced_bars == set()
    assert write("power", {comping_py.STROKE_CHANCE}).voiced_bars == set()


@pytest.mark.parametrize("comping", ["stabs", "jazz_sparse", "charleston"])
def test_a_loose_player_keeps_an_invented_rhythm(write, comping):
    invented = comping_py.INVENTED_CHANCES.get(comping, comping_py.INVENTED_CHANCE)
    assert list(write(comping, {comping_py.STROKE_CHANCE, comping_py.LOOSE_CHANCE, invented}).played) == [0.25]
