import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training import recordings  # noqa: E402
from earshot_training.composer.timeline import MEL_FRAMES  # noqa: E402
from earshot_training.distortion import Distortion  # noqa: E402
from earshot_training.features import SAMPLE_RATE_HZ  # noqa: E402
from earshot_training.learner import ClipPool  # noqa: E402
from earshot_training.recordings import cut_clips, label, load_recordings, read_recording  # noqa: E402
from earshot_training.render.sampler import CLIP_SAMPLES  # noqa: E402
from earshot_training.render.spectra import Spectra  # noqa: E402
from earshot_training.student import Student  # noqa: E402
from earshot_training.teacher import pick_peaks, spread_peaks  # noqa: E402


def test_a_peak_is_a_local_maximum_and_keeps_the_teachers_probability():
    logits = torch.full((1, 20), -9.0)
    logits[0, [4, 5, 12]] = torch.tensor([1.0, 2.0, -3.0])
    peaks = pick_peaks(logits)
    assert peaks[0].nonzero().flatten().tolist() == [5]
    assert peaks[0, 5] == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_a_peak_is_the_highest_within_three_frames():
    logits = torch.full((1, 30), -9.0)
    logits[0, [6, 9]] = torch.tensor([2.0, 1.0])
    logits[0, [20, 24]] = torch.tensor([2.0, 1.0])
    assert pick_peaks(logits)[0].nonzero().flatten().tolist() == [6, 20, 24]


def test_a_weak_peak_is_kept_down_to_a_probability_of_012():
    probabilities = torch.zeros(1, 20)
    probabilities[0, [4, 12]] = torch.tensor([0.13, 0.11])
    expected = torch.zeros(20)
    expected[4] = 0.13
    # Through a logit and back in single precision.
    assert torch.allclose(pick_peaks(torch.logit(probabilities))[0], expected, atol=1e-6)


def test_a_target_is_the_usual_bump_scaled_by_the_probability():
    probabilities = torch.zeros(1, 9)
    probabilities[0, 4] = 0.8
    assert spread_peaks(probabilities)[0].tolist() == pytest.approx([0, 0, 0.12, 0.4, 0.8, 0.4, 0.12, 0, 0])


def ramp(duration_s: float) -> np.ndarray:
    return np.arange(int(duration_s * SAMPLE_RATE_HZ), dtype=np.float32)


def test_the_first_cuts_are_at_the_recordings_own_speed_every_15_s():
    audio = ramp(45)
    # The random part of a stride is 0 s, and a recording of 45 s has room for the second clip to the sample.
    clips = cut_clips(audio, np.random.default_rng(1))
    assert {len(clip) for clip in clips} == {CLIP_SAMPLES}
    assert np.array_equal(clips[0], audio[:CLIP_SAMPLES])
    assert np.array_equal(clips[1], audio[15 * SAMPLE_RATE_HZ :])


def test_a_recording_shorter_than_a_clip_has_none():
    # At 0.8 times its speed, a clip needs 24.07 s.
    assert cut_clips(ramp(24), np.random.default_rng(1)) == []


def test_the_other_cuts_are_faster_or_slower_and_30_s_apart():
    clips = cut_clips(ramp(120), np.random.default_rng(1))
    # On a ramp the slope is the speed. The first 7 clips start every 15 s of the 90 s that 120 s leave.
    slopes = [float(clip[-1] - clip[0]) / (CLIP_SAMPLES - 1) for clip in clips]
    assert slopes[:7] == pytest.approx([1] * 7)
    others = slopes[7:]
    # Interpolation repeats the outermost samples, which costs a millionth of the slope.
    assert len({round(slope, 4) for slope in others}) == 7
    assert 0.8 < min(others) < 1 < max(others) < 1.25
    for clip, following, slope, next_slope in zip(clips[7:], clips[8:], others, others[1:]):
        if slope == pytest.approx(next_slope, abs=1e-5):
            assert following[0] - clip[0] == pytest.approx(30 * SAMPLE_RATE_HZ, abs=1)


@pytest.mark.parametrize(("rate_hz", "shape"), [(44100, 10), (22050, (10, 2))])
def test_only_mono_files_at_the_networks_rate_are_read(monkeypatch, rate_hz, shape):
    read = lambda path, dtype: (np.zeros(shape, dtype), rate_hz)  # noqa: E731
    monkeypatch.setitem(sys.modules, "soundfile", SimpleNamespace(read=read))
    with pytest.raises(ValueError, match="song.wav is not mono at 22050 Hz"):
        read_recording(Path("song.wav"))


class FixedTeacher:
    """Detects these beats, clip by clip, and every fourth as a downbeat."""

    def __init__(self, beats_of_clips: list[torch.Tensor]) -> None:
        self.remaining = torch.stack(beats_of_clips)

    def find_beats(self, audio: torch.Tensor, frames: int) -> tuple[torch.Tensor, torch.Tensor]:
        found, self.remaining = self.remaining[: len(audio)], self.remaining[len(audio) :]
        assert found.shape == (len(audio), frames)
        return found, torch.where(torch.arange(frames) % (4 * BEAT_FRAMES) == 0, found, 0)


BEAT_FRAMES = 25


def beats(sure_count: int, unsure_count: int) -> torch.Tensor:
    probabilities = torch.zeros(MEL_FRAMES)
    probabilities[: BEAT_FRAMES * (sure_count + unsure_count) : BEAT_FRAMES] = 0.8
    # The most that an unsure one can have.
    probabilities[BEAT_FRAMES * sure_count :].clamp_(max=0.5)
    return probabilities


def test_clips_are_labelled_in_order_if_the_teacher_is_sure_of_them(monkeypatch):
    # Kept: 18 sure beats or more, fewer unsure ones than 0.45 of them, and an RMS above 0.001.
    clips_with_rms = [
        (beats(20, 0), 0.0005),
        (beats(18, 8), 0.002),
        (beats(17, 0), 0.1),
        (beats(18, 9), 0.1),
        (beats(20, 9), 0.1),
        (beats(40, 0), 0.1),
    ]
    rng = np.random.default_rng(1)
    clips = [rng.normal(0, rms, CLIP_SAMPLES).astype(np.float32) for _, rms in clips_with_rms]
    # One batch is full and one is not.
    monkeypatch.setattr(recordings, "BATCH_CLIPS", 4)
    found = [of_clip for of_clip, _ in clips_with_rms]
    labelled = label(clips, FixedTeacher(found), "cpu")
    kept = [1, 5]
    beat_targets, downbeat_targets = labelled["beats"].float().unbind(1)
    peaks = torch.stack([found[index] for index in kept])
    # Half precision.
    assert torch.allclose(beat_targets[peaks > 0], peaks[peaks > 0], atol=1e-3)
    assert beat_targets[:, 1].tolist() == pytest.approx([0.4, 0.4], abs=1e-3)
    peaks[:, torch.arange(MEL_FRAMES) % 100 > 0] = 0
    assert torch.equal(downbeat_targets > 0.45, peaks > 0)
    mel = Spectra("cpu").mel(torch.from_numpy(np.stack([clips[index] for index in kept])))[:, :MEL_FRAMES]
    # Half precision: a step at 4 to 8 is 0.004.
    assert torch.allclose(labelled["mel"].float(), mel, atol=5e-3)


def test_parts_of_recordings_are_joined(tmp_path):
    parts = [{"mel": torch.full((n, 2, 3), float(n)), "beats": torch.full((n, 2, 2), -float(n))} for n in (1, 2)]
    paths = [tmp_path / f"{index}.pt" for index in range(2)]
    for part, path in zip(parts, paths):
        torch.save(part, path)
    joined = load_recordings(paths)
    assert joined["mel"][:, 0, 0].tolist() == [1, 2, 2]
    assert joined["beats"][:, 0, 0].tolist() == [-1, -2, -2]


def test_distortion_keeps_the_loudness_and_stays_finite():
    mel = torch.rand(6, 200, 81, generator=torch.Generator().manual_seed(2)) * 3
    distorted = Distortion("cpu", 3)(mel)
    assert distorted.shape == mel.shape and bool(torch.isfinite(distorted).all())
    power = lambda m: torch.expm1(m).pow(2).mean((1, 2))  # noqa: E731
    # Magnitudes below zero, which rounding leaves, are cut; sums are in single precision.
    assert torch.allclose(power(distorted), power(mel), rtol=1e-4)
    assert not torch.allclose(distorted, mel, atol=0.05)


def test_a_students_batch_has_a_fixed_share_of_recordings_each_with_its_own_beats():
    recordings = {"mel": torch.rand(3, 1500, 81).half(), "beats": torch.ones(3, 2, 1500).half()}
    pool = ClipPool(64, "cpu")
    pool.filled_count = 64
    student = Student(recordings, "cpu", 1, compiled=False, sizes=(16, 48))
    mel, beats = student._draw(pool, torch.arange(20))
    assert mel.shape == (20, 1500, 81) and beats.shape == (20, 2, 1500)
    # The pool's clips are silent and have no beats; 13 of 20, a share of .65, are recordings.
    recorded = mel.amax((1, 2)) > 0.2
    assert int(recorded.sum()) == 13
    assert (beats == recorded[:, None, None]).all()


def test_compression_leaves_a_steady_clip_as_it_is():
    steady = torch.full((16, 100, 81), 2.0)
    compressed = Distortion("cpu", 5)._compress(steady)
    assert torch.allclose(compressed, steady, rtol=1e-4)


def test_a_room_adds_a_tail_that_decays_after_the_sound():
    distortion = Distortion("cpu", 1)
    distortion._some = lambda clips, chance: torch.ones(clips, 1)
    power = torch.zeros(8, 200, 81)
    # Near enough to the end that its tail would wrap around to the beginning.
    power[:, 180] = 1
    heard = distortion._reverberate(power)[..., 0]
    # A Fourier transform in single precision leaves a trace before the sound.
    assert heard[:, :180].max() < 1e-5
    assert torch.allclose(heard[:, 180], torch.ones(8), atol=1e-5)
    tail = heard[:, 181:]
    assert (tail.diff(dim=1) < 1e-5).all()
    assert (tail.sum(1) > 0).all() and (tail.sum(1) < 0.8 + 1e-3).all()
