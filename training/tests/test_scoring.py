from types import SimpleNamespace

import numpy as np
import pytest

from earshot_training.scoring import f_measure, pick_peaks_s, score_beats
from earshot_training.targets import beat_targets


def test_perfect_half_and_empty_estimates():
    beats_s = [0.5, 1.0, 1.5, 2.0]
    assert f_measure(beats_s, beats_s) == 1.0
    assert f_measure(beats_s, beats_s[::2]) == pytest.approx(2 / 3)
    assert f_measure(beats_s, []) == 0.0
    assert f_measure([], beats_s) == 0.0
    assert f_measure([], []) == 1.0


def test_seventy_milliseconds_are_close_enough_and_eighty_are_not():
    assert f_measure([1.0], [1.069]) == 1.0
    assert f_measure([1.0], [1.08]) == 0.0


def test_an_estimate_counts_for_one_reference_and_a_reference_for_one_estimate():
    assert f_measure([1.0], [0.98, 1.02]) == pytest.approx(2 / 3)
    assert f_measure([0.98, 1.02], [1.0]) == pytest.approx(2 / 3)


def test_beats_and_downbeats_have_thresholds_and_reaches_of_their_own():
    clip = SimpleNamespace(beats_s=[0.2, 0.4, 1.0], downbeats_s=[0.2, 1.0, 1.8])
    beat, downbeat = np.zeros(100), np.zeros(100)
    # The weakest is no beat; beats 0.2 s apart are both found.
    beat[[10, 20, 50, 70]] = [0.3, 0.26, 0.3, 0.24]
    # The weakest is too near to a stronger one to be a downbeat; one of three is missed.
    downbeat[[10, 50, 62]] = [0.22, 0.3, 0.21]
    assert score_beats(clip, beat, downbeat) == (1.0, pytest.approx(0.8))


def test_peaks_are_the_highest_within_reach_and_above_the_threshold():
    activation = np.zeros(100)
    activation[[0, 50, 55, 70, 99]] = [0.9, 0.8, 0.7, 0.2, 0.5]
    assert pick_peaks_s(activation, 0.25, 7).tolist() == [0.0, 1.0, 1.98]


def test_targets_are_bumps_that_do_not_leak_over_the_edge():
    target = beat_targets([0.0, 1.0], 60)
    assert target[0] == 1.0 and target[50] == 1.0
    assert target[49] == target[51] == 0.5
    assert target[1] == 0.5 and target[-1] == 0.0
    # A beat's own frame is not lowered by the bump of the next.
    assert beat_targets([0.0, 0.02], 3).tolist() == [1.0, 1.0, 0.5]
