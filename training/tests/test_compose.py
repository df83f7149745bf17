from dataclasses import replace

import numpy as np
import pytest

from earshot_training.composer import compose
from earshot_training.composer.compose import CHORD_FRAMES, compose_clip
from earshot_training.composer.harmony import NO_CHORD, UNSCORED
from earshot_training.composer.score import EVENT_FIELDS, STEM_COUNT
from earshot_training.composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from earshot_training.composer.timeline import CLIP_S
from earshot_training.sounds.bank import load_sound_bank
from earshot_training.stream import EVENTS_MIN


@pytest.fixture(scope="module")
def bank():
    return load_sound_bank(scale=0.02)


def test_the_same_seed_composes_the_same_music(bank):
    first, second = compose_clip(bank, 11), compose_clip(bank, 11)
    assert np.array_equal(first.events, second.events)
    assert first.beats_s == second.beats_s
    assert np.array_equal(first.chord_labels, second.chord_labels)
    assert not np.array_equal(first.events, compose_clip(bank, 12).events)


@pytest.mark.parametrize("style", TRAINING_STYLES + VALIDATION_STYLES, ids=lambda style: style.name)
def test_every_style_writes_playable_events_and_ordered_beats(bank, style):
    for seed in range(4):
        clip = compose_clip(bank, seed, [style])
        assert clip.events.shape[1] == len(EVENT_FIELDS)
        assert np.isfinite(clip.events).all()
        stem, start_s, duration_s, sample_index, rate_ratio = clip.events.T[:5]
        assert ((stem >= 0) & (stem < STEM_COUNT)).all()
        # Jitter and the lag of a player, some hundredths of a second, come on top.
        assert (start_s <= CLIP_S + 0.5).all()
        assert (duration_s > 0).all()
        assert (rate_ratio > 0).all()
        assert sample_index.min() >= 0 and sample_index.max() < len(bank.waveforms)
        # No style is tapped at more than 750 beats a minute.
        assert np.all(np.diff(clip.beats_s) > 0.08)
        assert set(clip.downbeats_s) <= set(clip.beats_s)
        assert clip.chord_labels.shape == (CHORD_FRAMES,)
        assert clip.chord_labels.min() >= UNSCORED and clip.chord_labels.max() <= NO_CHORD


def test_training_and_validation_styles_share_no_name():
    assert not {style.name for style in TRAINING_STYLES} & {style.name for style in VALIDATION_STYLES}


def test_drums_alone_have_no_key_and_no_chord(bank):
    drum_loop = [style for style in TRAINING_STYLES if style.name == "drum_loop"]
    clip = compose_clip(bank, 3, drum_loop)
    assert clip.key_label is None
    assert set(clip.chord_labels) == {NO_CHORD}


def test_nothing_is_annotated_where_a_clip_starts_late_or_stops_early(bank, monkeypatch):
    monkeypatch.setattr(compose, "draw_silence", lambda chance: (5.0, 20.0))
    clip = compose_clip(bank, 1, [style for style in TRAINING_STYLES if style.name == "rock"])
    # Rock has more than 60 beats a minute.
    assert 5 <= clip.beats_s[0] < 6 and 19 < clip.beats_s[-1] <= 20
    assert clip.downbeats_s[0] >= 5 and clip.downbeats_s[-1] <= 20
    # Players are up to 0.06 s early, and frames more than 0.8 s before the first note are no chord.
    assert set(clip.chord_labels[:41]) == {NO_CHORD}
    assert set(clip.chord_labels) > {NO_CHORD}


def test_ballads_are_annotated_at_the_slow_level(bank):
    """At the tempo a listener taps, although the accompaniment plays eighths and sixteenths."""
    ballad = next(style for style in TRAINING_STYLES if style.name == "ballad")
    slow = [replace(ballad, tempo_bpm=(65.0, 65.0))]
    tempi_bpm = [
        60 / np.median(np.diff(clip.beats_s))
        for clip in (compose_clip(bank, seed, slow) for seed in range(20))
        if len(clip.beats_s) > 4
    ]
    # A few clips are up to 14 % outside the range of their style; none is near 130.
    assert len(tempi_bpm) > 10
    assert min(tempi_bpm) > 55 and max(tempi_bpm) < 76


@pytest.mark.parametrize("name", ["talk", "applause", "drone"])
def test_what_has_no_pulse_has_no_beats_and_no_key(bank, name):
    style = [style for style in TRAINING_STYLES if style.name == name]
    for seed in range(4):
        clip = compose_clip(bank, seed, style)
        assert len(clip.events) >= EVENTS_MIN
        assert clip.beats_s == [] and clip.downbeats_s == []
        assert clip.key_label is None
