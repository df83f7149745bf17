import numpy as np
import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.timeline import Feel, Timeline, additive_metre, compound_metre, simple_metre


def test_steady_tempo_gives_evenly_spaced_beats():
    timeline = Timeline(Chance(1), simple_metre(4), 120.0, Feel())
    beats_s, downbeats_s = timeline.beat_times_s(), timeline.downbeat_times_s()
    assert np.allclose(np.diff(beats_s), 0.5)
    assert np.allclose(np.diff(downbeats_s), 2.0)
    # From the first to the last that the 30 s of a clip have room for.
    assert (len(beats_s), len(downbeats_s)) == (60, 15)


def test_every_downbeat_is_a_beat():
    timeline = Timeline(Chance(2), simple_metre(3), 97.0, Feel(drift=0.02, phrase_rubato=0.2))
    assert set(timeline.downbeat_times_s()) <= set(timeline.beat_times_s())


def test_swing_moves_the_second_eighth_and_with_it_the_sixteenths_but_no_beat():
    straight = Timeline(Chance(3), simple_metre(4), 100.0, Feel())
    swung = Timeline(Chance(3), simple_metre(4), 100.0, Feel(eighth_swing=2 / 3))
    assert swung.seconds_at(4.0) == straight.seconds_at(4.0)
    # A beat lasts 0.6 s, and its second eighth is at two thirds of it.
    offsets_s = [swung.seconds_at(4 + share) - swung.seconds_at(4.0) for share in (0.25, 0.5, 0.75)]
    assert offsets_s == pytest.approx([0.2, 0.4, 0.5])


def test_swung_sixteenths_leave_the_eighths_where_they_are():
    swung = Timeline(Chance(3), simple_metre(4), 100.0, Feel(sixteenth_swing=0.6))
    offsets_s = [swung.seconds_at(4 + share) - swung.seconds_at(4.0) for share in (0.25, 0.5, 0.75)]
    # Of an eighth of 0.3 s, the first sixteenth has 0.6.
    assert offsets_s == pytest.approx([0.18, 0.3, 0.48])


def test_rubato_stretches_the_last_beat_of_every_phrase_most():
    timeline = Timeline(Chance(3), simple_metre(4), 100.0, Feel(phrase_rubato=0.2, phrase_bars=2))
    lengths_s = np.diff([timeline.seconds_at(pulse) for pulse in range(17)])
    assert lengths_s[[7, 15]] == pytest.approx(0.6 * np.exp(0.2))
    assert lengths_s[:7].max() < lengths_s[7] and lengths_s[:7].min() < 0.6


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
