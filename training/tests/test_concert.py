from types import SimpleNamespace

import pytest

from earshot_training.composer import concert as concert_py
from earshot_training.composer.chance import Chance
from earshot_training.composer.concert import write_bass_line, write_choir
from earshot_training.composer.form import Form, Section
from earshot_training.composer.harmony import realise
from earshot_training.composer.piece import Piece
from earshot_training.composer.timeline import Feel, Timeline, additive_metre, compound_metre, simple_metre


class WrittenPiece(Piece):
    """Records (pulse, length in pulses) of the notes of bar 2."""

    def play(self, instrument, stem, bar, pulse, length_pulses, pitch_midi, velocity) -> None:
        if bar == 2:
            self.played.append((pulse, length_pulses))


@pytest.mark.parametrize(
    ("metre", "motion", "starts"),
    [
        (simple_metre(4), "downbeats", [0]),
        (simple_metre(4), "slots", [0, 2]),
        (simple_metre(4), "pulses", [0, 1, 2, 3]),
        (simple_metre(2), "eighths", [0, 0.5, 1, 1.5]),
        (compound_metre(2), "eighths", [0, 1 / 3, 2 / 3, 1, 4 / 3, 5 / 3]),
        (additive_metre((2, 3)), "eighths", [0, 1, 2, 3, 4]),
    ],
)
def test_a_bass_line_moves_with_bars_chords_pulses_or_eighths(metre, motion, starts):
    chance, chord = Chance(1), realise("I", tonic=0)[0]
    harmony = SimpleNamespace(tonic=0, mode="major", slot_starts=lambda bar: [0, 2], at=lambda bar, pulse: chord)
    form = Form([Section(0, 64, 0, 1.0, frozenset({"bass"}))])
    bank = SimpleNamespace(programs={32: [[(0, 40.0)]]})
    piece = WrittenPiece(chance, bank, Timeline(chance, metre, 120.0, Feel()), form, harmony, SimpleNamespace())
    piece.played = []
    write_bass_line(piece, "acoustic_bass", motion)
    assert [pulse for pulse, _ in piece.played] == starts
    # Each lasts 95 % of the time to the next note or to the end of the bar.
    ends = [*starts[1:], metre.pulses_per_bar]
    lengths_pulses = [0.95 * (end - start) for start, end in zip(starts, ends)]
    assert [length for _, length in piece.played] == pytest.approx(lengths_pulses)


class Choir(Piece):
    """Records (bar, pulse, pitch) of the notes, voice by voice."""

    def play(self, instrument, stem, bar, pulse, length_pulses, pitch_midi, velocity, delay_s) -> None:
        self.voices.setdefault(instrument, []).append((bar, pulse, pitch_midi))


@pytest.mark.parametrize(
    ("threshold", "pulses"),
    # With the chords; with the beat; with the beat but where it rests, which is never where a chord begins.
    [(0.7, {0, 2}), (0.5, {0, 1, 2, 3}), (0.3, {0, 2})],
)
def test_four_voices_sing_with_the_chords_or_with_the_beat_in_registers_of_their_own(monkeypatch, threshold, pulses):
    singers = iter(("bass", "tenor", "alto", "soprano"))
    monkeypatch.setattr(concert_py, "draw_instrument", lambda chance, bank, group: next(singers))
    chance, chords = Chance(1), realise("I/3 V", tonic=0)
    harmony = SimpleNamespace(slot_starts=lambda bar: [0, 2], at=lambda bar, pulse: chords[int(pulse >= 2)])
    form = Form([Section(0, 64, 0, 1.0, frozenset({"accompaniment"}))])
    timeline = Timeline(chance, simple_metre(4), 120.0, Feel())
    piece = Choir(chance, SimpleNamespace(), timeline, form, harmony, SimpleNamespace())
    piece.voices = {}
    chance.happens = lambda probability: probability > threshold
    write_choir(piece, solo=False)
    assert piece.voiced_bars == set(timeline.audible_bars())
    for lowest_midi, notes in zip((43, 50, 55, 60), piece.voices.values(), strict=True):
        assert {(bar, pulse) for bar, pulse, _ in notes} == {
            (bar, pulse) for bar in piece.voiced_bars for pulse in pulses
        }
        for _, pulse, midi in notes:
            assert lowest_midi <= midi < lowest_midi + 12
            assert midi % 12 in ({0, 4, 7} if pulse < 2 else {7, 11, 2})
    # E under C major, and G.
    assert {(int(pulse >= 2), midi) for _, pulse, midi in piece.voices["bass"]} == {(0, 52), (1, 43)}
