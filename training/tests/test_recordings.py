import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training.distortion import Distortion  # noqa: E402
from earshot_training.learner import ClipPool  # noqa: E402
from earshot_training.recordings import cut_clips  # noqa: E402
from earshot_training.render.sampler import CLIP_SAMPLES  # noqa: E402
from earshot_training.student import Student  # noqa: E402
from earshot_training.teacher import pick_peaks, spread_peaks  # noqa: E402


def test_a_peak_is_a_local_maximum_and_keeps_the_teachers_probability():
    logits = torch.full((1, 20), -9.0)
    logits[0, [4, 5, 12]] = torch.tensor([1.0, 2.0, -3.0])
    peaks = pick_peaks(logits)
    assert peaks[0].nonzero().flatten().tolist() == [5]
    assert peaks[0, 5] == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_a_target_is_the_usual_bump_scaled_by_the_probability():
    probabilities = torch.zeros(1, 9)
    probabilities[0, 4] = 0.8
    assert spread_peaks(probabilities)[0].tolist() == pytest.approx([0, 0, 0.12, 0.4, 0.8, 0.4, 0.12, 0, 0])


def test_the_first_cut_is_at_the_recordings_own_speed():
    audio = np.arange(46 * 22050, dtype=np.float32)
    clips = cut_clips(audio, np.random.default_rng(1))
    assert {len(clip) for clip in clips} == {CLIP_SAMPLES}
    assert np.array_equal(clips[0], audio[:CLIP_SAMPLES])
    assert np.array_equal(clips[1], audio[15 * 22050 :][:CLIP_SAMPLES])


def test_distortion_keeps_the_loudness_and_stays_finite():
    mel = torch.rand(6, 200, 81, generator=torch.Generator().manual_seed(2)) * 3
    distorted = Distortion("cpu", 3)(mel)
    assert distorted.shape == mel.shape and bool(torch.isfinite(distorted).all())
    power = lambda m: torch.expm1(m).pow(2).mean((1, 2))  # noqa: E731
    assert torch.allclose(power(distorted), power(mel), rtol=1e-3)
    assert not torch.allclose(distorted, mel, atol=0.05)


def test_a_students_batch_has_a_fixed_share_of_recordings():
    recordings = {"mel": torch.rand(3, 1500, 81).half(), "beats": torch.zeros(3, 2, 1500).half()}
    pool = ClipPool(64, "cpu")
    pool.filled_count = 64
    student = Student(recordings, "cpu", 1, compiled=False, sizes=(16, 48))
    mel, beats = student._draw(pool, torch.arange(20))
    assert mel.shape == (20, 1500, 81) and beats.shape == (20, 2, 1500)
    # The pool's clips are silent; 13 of 20, a share of .65, are recordings.
    assert int((mel.amax((1, 2)) > 0.2).sum()) == 13


def test_compression_leaves_a_steady_clip_as_it_is():
    steady = torch.full((16, 100, 81), 2.0)
    compressed = Distortion("cpu", 5)._compress(steady)
    assert torch.allclose(compressed, steady, rtol=1e-4)
