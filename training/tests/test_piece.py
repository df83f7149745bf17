from types import SimpleNamespace

import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.compose import label_chords
from earshot_training.composer.form import Form, Harmony, Section
from earshot_training.composer.harmony import NO_CHORD, UNSCORED, realise
from earshot_training.composer.instruments import Instrument
from earshot_training.composer.piece import Piece
from earshot_training.composer.score import ACCOMPANIMENT, LEAD, Score, field_of
from earshot_training.composer.timeline import Feel, Timeline, simple_metre

PIANO = Instrument([(0, 60.0)], 0.001, 0.0, 0.1, "plucked")


def piece_of(progression: str = "I") -> Piece:
    """Straight time at 120 beats a minute, in tune, with equally long chords in every bar."""
    chance, metre = Chance(1), simple_metre(4)
    chords = realise(progression, tonic=0)
    harmony = SimpleNamespace(
        slot_starts=lambda bar: [4 // len(chords) * index for index in range(len(chords))],
        at=lambda bar, pulse: chords[int(pulse % 4) * len(chords) // 4],
    )
    form = Form([Section(0, 64, 0, 1.0, frozenset())])
    timeline = Timeline(chance, metre, 120.0, Feel())
    return Piece(chance, SimpleNamespace(), timeline, form, harmony, Score(chance, 0.0, 1.0))


def test_an_anticipated_bar_is_played_early_by_the_band_and_ends_on_time():
    piece = piece_of()
    piece.pushed_bars.add(2)
    for stem, pulse in ((ACCOMPANIMENT, 0), (LEAD, 0), (ACCOMPANIMENT, 1)):
        piece.play(PIANO, stem, 2, pulse, 1, 60, 1.0)
    bar_s = piece.timeline.at(2, 0)
    events = piece.score.events()
    # A half pulse is a quarter of a second. Neither the soloist nor a later note is early.
    assert field_of(events, "start_s") - bar_s == pytest.approx([-0.25, 0, 0.5], abs=1e-5)
    assert field_of(events, "duration_s") == pytest.approx([0.75, 0.5, 0.5], abs=1e-5)


def test_a_chord_lasts_to_the_next_one_or_to_the_end_of_the_bar():
    piece = piece_of("I V")
    assert [piece.pulses_to_chord_change(0, pulse) for pulse in (0, 1.5, 2, 3)] == [2, 0.5, 2, 1]


def test_chords_are_labelled_where_they_are_voiced_and_sounding():
    piece = piece_of("I V")
    piece.voiced_bars.add(2)
    start_s = piece.timeline.at(2, 0)
    for pitch_midi in (60, 64, 67):
        piece.play(PIANO, ACCOMPANIMENT, 2, 0, 8, pitch_midi, 1.0)
    labels = label_chords(piece, piece.score.events())
    middle = lambda seconds: labels[int((start_s + seconds) * 10)]
    # Bar 2 changes from C to G after a second. Bar 3 sounds, but no part voices it; the end is silent.
    assert [middle(0.5), middle(1.5), middle(3.0), middle(10.0)] == [0, 7, UNSCORED, NO_CHORD]


@pytest.mark.parametrize(
    ("idiom", "mode", "key_label"),
    # C major, C minor, and E as the dominant of A minor.
    [("pop", "major", 0), ("pop", "minor", 12), ("andalusian", "minor", 12 + 9)],
)
def test_the_key_is_the_one_a_listener_names(idiom, mode, key_label):
    form = Form([Section(0, 8, 0, 1.0, frozenset())])
    tonic = 4 if idiom == "andalusian" else 0
    assert Harmony(Chance(1), simple_metre(4), form, idiom, mode, tonic, 1.0).key_label == key_label
