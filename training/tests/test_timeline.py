import numpy as np
import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.timeline import Feel, Timeline, additive_metre, compound_metre, simple_metre


def test_steady_tempo_gives_evenly_spaced_beats():
    timeline = Timeline(Chance(1), simple_metre(4), 120.0, Feel())
    assert np.allclose(np.diff(timeline.beat_times_s()), 0.5)
    assert np.allclose(np.diff(timeline.downbeat_times_s()), 2.0)


def test_every_downbeat_is_a_beat():
    timeline = Timeline(Chance(2), simple_metre(3), 97.0, Feel(drift=0.02, phrase_rubato=0.2))
    assert set(timeline.downbeat_times_s()) <= set(timeline.beat_times_s())


def test_swing_moves_the_second_eighth_and_nothing_else():
    straight = Timeline(Chance(3), simple_metre(4), 100.0, Feel())
    swung = Timeline(Chance(3), simple_metre(4), 100.0, Feel(eighth_swing=2 / 3))
    assert swung.seconds_at(4.0) == straight.seconds_at(4.0)
    assert swung.seconds_at(4.5) - swung.seconds_at(4.0) == pytest.approx(0.4)


def test_uneven_metre_annotates_group_starts():
    timeline = Timeline(Chance(4), additive_metre((2, 2, 3)), 420.0, Feel())
    pulse_s = 60 / 420
    intervals = np.diff(timeline.beat_times_s()) / pulse_s
    assert set(np.round(intervals).astype(int)) == {2, 3}
    assert np.allclose(np.diff(timeline.downbeat_times_s()), 7 * pulse_s)


@pytest.mark.parametrize(
    ("metre", "eighths_per_bar", "beat_spans"),
    [
        (simple_metre(3), 6, [(0, 1), (1, 2), (2, 3)]),
        (compound_metre(2), 6, [(0, 1), (1, 2)]),
        (additive_metre((2, 2, 3)), 7, [(0, 2), (2, 4), (4, 7)]),
    ],
)
def test_a_bar_is_divided_into_beats_and_eighths(metre, eighths_per_bar, beat_spans):
    assert metre.pulses_per_bar * metre.eighths_per_pulse == eighths_per_bar
    assert metre.beat_spans() == beat_spans
