from types import SimpleNamespace

import pytest

from earshot_training.composer import melody as melody_py
from earshot_training.composer.chance import Chance
from earshot_training.composer.harmony import SCALES, realise
from earshot_training.composer.melody import (
    LENGTHS_PULSES,
    SYLLABLE_S_MIN,
    MelodyStyle,
    _draw_lengths_pulses,
    _invent_motif,
    _nearest_tonic,
    _pitch_of,
    _settle,
)
from earshot_training.composer.timeline import Feel, Metre, additive_metre, compound_metre, simple_metre


class Always(Chance):
    def happens(self, probability: float) -> bool:
        return True


def piece_of(
    numeral: str = "I",
    tonic: int = 0,
    pulse_bpm: float = 120.0,
    feel: Feel | None = None,
    metre: Metre = simple_metre(4),  # noqa: B008
    chance: Chance | None = None,
) -> SimpleNamespace:
    """One chord for the whole of it. All that may happen does, unless `chance` is given."""
    chord = realise(numeral, tonic)[0]
    return SimpleNamespace(
        chance=chance or Always(1),
        harmony=SimpleNamespace(tonic=tonic, at=lambda bar, pulse: chord),
        metre=metre,
        pulse_bpm=pulse_bpm,
        timeline=SimpleNamespace(feel=feel or Feel()),
    )


@pytest.mark.parametrize(("degree", "midi"), [(0, 62), (1, 64), (4, 69), (7, 74), (-1, 61)])
def test_degrees_are_counted_from_the_key_note_above_the_register(degree, midi):
    # D major from middle C up.
    assert _pitch_of(piece_of(tonic=2), SCALES["major"], degree, 60) == midi


@pytest.mark.parametrize("name", SCALES)
def test_every_step_up_a_scale_rises_and_the_scale_repeats_every_octave(name):
    scale = SCALES[name]
    midi = [_pitch_of(piece_of(), scale, degree, 60) for degree in range(-3, len(scale) + 5)]
    # The widest step is an augmented second or, in scales of five and six notes, a minor third.
    assert all(1 <= upper - lower <= 3 for lower, upper in zip(midi, midi[1:]))
    assert [upper - lower for lower, upper in zip(midi, midi[len(scale) :])] == [12] * 8


def test_a_phrase_rests_on_the_key_note_that_is_nearest():
    assert [_nearest_tonic(degree, 7) for degree in (-3, 2, 5, 9)] == [0, 0, 7, 7]


@pytest.mark.parametrize(("midi", "settled"), [(60, 60), (61, 60), (62, 60), (65, 64), (70, 72)])
def test_on_the_beat_a_tune_moves_to_the_nearest_note_of_the_chord(midi, settled):
    # C major: C, E and G. D lies as near to C as to E, and falls; B flat is nearest to the C above.
    assert _settle(piece_of(), 0, 1.0, midi) == settled
    assert _settle(piece_of(), 0, 1.5, midi) == midi


def test_only_the_first_pulse_of_a_group_is_on_the_beat():
    piece = piece_of(metre=additive_metre((2, 2, 3)))
    # Beats of 2+2+3 in the second bar, counted in eighths from the first: 7, 9 and 11.
    settled = [pulse for pulse in range(7, 14) if _settle(piece, 0, pulse, 65) == 64]
    assert settled == [7, 9, 11]


@pytest.mark.parametrize(
    ("metre", "notes_per_pulse"),
    [(simple_metre(4), 4), (compound_metre(2), 3), (compound_metre(4), 3), (additive_metre((2, 2, 3)), 2)],
)
def test_a_motif_keeps_to_the_notes_into_which_a_pulse_divides(metre, notes_per_pulse):
    for seed in range(50):
        piece = piece_of(metre=metre, chance=Chance(seed))
        for note in _invent_motif(piece, _draw_lengths_pulses(piece, MelodyStyle())):
            # Exactly, or a note on the beat is not recognised as one.
            assert note.pulse == round(note.pulse * notes_per_pulse) / notes_per_pulse
            end = (note.pulse + note.length_pulses) * notes_per_pulse
            assert end == pytest.approx(round(end))


def test_a_motif_keeps_to_two_bars():
    for seed in range(50):
        for name in ("calm", "syllabic", "running"):
            motif = _invent_motif(piece_of(chance=Chance(seed)), LENGTHS_PULSES[name])
            assert all(-1 <= note.pulse < 8 and note.pulse + note.length_pulses <= 8 for note in motif)


def test_nobody_sings_sixteenths_at_presto_and_a_swung_tune_has_none():
    busy = MelodyStyle(lengths=("busy",))
    fast = _draw_lengths_pulses(piece_of(pulse_bpm=180.0), busy)
    assert min(fast) * 60 / 180 >= SYLLABLE_S_MIN
    swung = _draw_lengths_pulses(piece_of(pulse_bpm=60.0, feel=Feel(eighth_swing=2 / 3)), busy)
    assert set(swung) == {0.5, 1}


class Usual(Chance):
    def happens(self, probability: float) -> bool:
        return probability > 0.5


def test_a_second_voice_follows_the_first_a_third_or_sixth_below_in_the_bars_where_phrases_begin(monkeypatch):
    monkeypatch.setattr(melody_py, "draw_instrument", lambda chance, bank, group: SimpleNamespace(family="plucked"))
    piece, played = piece_of(chance=Usual(1)), []
    piece.bank, piece.harmony.idiom, piece.harmony.mode = None, "pop", "major"
    piece.form = SimpleNamespace(at=lambda bar: SimpleNamespace(theme=0), bar_of_section=lambda bar: bar)
    piece.bars_of = lambda part: range(4)
    piece.play = lambda instrument, stem, *note: played.append(note)
    melody_py.write_melody(piece, "lead", 4, "flute", MelodyStyle(rest_chance=0.0, harmony_chance=1.0))
    assert {note[0] for note in played} == {0, 2}
    intervals = set()
    for upper, lower in zip(played[::2], played[1::2], strict=True):
        # Bar, pulse, length, and at the end delay and vibrato are the same.
        assert upper[:3] + upper[5:] == lower[:3] + lower[5:]
        intervals.add(upper[3] - lower[3])
        assert lower[4] == pytest.approx(0.7 * upper[4])
    assert len(intervals) == 1 and intervals <= {3, 4, 8, 9}
