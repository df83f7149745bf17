from types import SimpleNamespace

import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.concert import write_bass_line
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
