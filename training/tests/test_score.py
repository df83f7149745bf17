from types import SimpleNamespace

import numpy as np
import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.instruments import Instrument
from earshot_training.composer.score import (
    BASS,
    DRUMS,
    EVENT_FIELDS,
    GAIN_MIN,
    LEAD,
    Score,
    field_of,
    without_drums,
)
from earshot_training.composer.silence import SLACK_S, keep_between

# Recorded at C2, C3 and C4.
PIANO = Instrument([(7, 36.0), (8, 48.0), (9, 60.0)], 0.001, 0.5, 0.1, "plucked")


def score() -> Score:
    """In tune, and exactly in time."""
    return Score(Chance(1), timing_jitter_s=0.0, tuning_ratio=1.0)


def test_a_note_takes_the_nearest_sample_and_plays_it_as_much_faster_as_it_is_higher():
    written = score()
    written.note(PIANO, BASS, 1.0, 0.5, 48 + 5, 0.8)
    events = written.events()
    assert field_of(events, "sample_index").tolist() == [8]
    # A fourth, five semitones: 2^(5/12).
    assert field_of(events, "rate_ratio")[0] == pytest.approx(1.3348, abs=1e-4)


def test_a_piece_out_of_tune_shifts_its_notes_and_not_its_drums():
    written = Score(Chance(1), timing_jitter_s=0.0, tuning_ratio=1.01)
    written.note(PIANO, BASS, 1.0, 0.5, 48, 0.8)
    written.hit(SimpleNamespace(piece=lambda kind: ([3], 1.5, 2.0)), "tom", 1.0, 0.8)
    assert field_of(written.events(), "rate_ratio") == pytest.approx([1.01, 1.5])


def test_variants_of_a_drum_run_through_its_samples_and_begin_again():
    written = score()
    for variant in range(4):
        written.hit(SimpleNamespace(piece=lambda kind: ([3, 4, 5], 1.0, 2.0)), "tom", 1.0, 0.8, variant)
    assert field_of(written.events(), "sample_index").tolist() == [3, 4, 5, 3]
    assert field_of(written.events(), "stem").tolist() == [DRUMS] * 4


@pytest.mark.parametrize(
    ("start_s", "duration_s", "velocity"),
    [(31.0, 1.0, 1.0), (-3.0, 9.0, 1.0), (-1.0, 0.5, 1.0), (1.0, 1.0, GAIN_MIN)],
    ids=["begins after the clip", "begins too early", "ends before the clip", "too quiet"],
)
def test_what_is_not_heard_in_the_clip_is_not_written(start_s, duration_s, velocity):
    written = score()
    written.note(PIANO, LEAD, start_s, duration_s, 60, velocity)
    assert len(written.events()) == 0


def events_of(rows: list[tuple[int, float]]) -> np.ndarray:
    """Stem and start of each."""
    events = np.zeros((len(rows), len(EVENT_FIELDS)), np.float32)
    events[:, :2] = rows
    return events


def test_without_drums_the_pitched_events_are_left():
    events = events_of([(DRUMS, 1.0), (BASS, 2.0), (DRUMS, 3.0), (LEAD, 4.0)])
    assert field_of(without_drums(events), "start_s").tolist() == [2.0, 4.0]


def test_between_entrance_and_exit_everything_is_kept_with_a_little_slack():
    early, late = 2.0 - SLACK_S, 9.0 + SLACK_S
    events = events_of([(BASS, early - 0.01), (BASS, early + 0.01), (BASS, late - 0.01), (BASS, late + 0.01)])
    assert len(keep_between(events, 2.0, 9.0)) == 2
