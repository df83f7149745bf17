"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training.composer.compose import Clip, Mix  # noqa: E402
from earshot_training.composer.score import ACCOMPANIMENT, BASS, COLOUR, DRUMS, LEAD, STEM_COUNT  # noqa: E402
from earshot_training.features import SAMPLE_RATE_HZ  # noqa: E402
from earshot_training.render.mixer import Mixer, _active_rms  # noqa: E402
from earshot_training.render.sampler import CLIP_SAMPLES  # noqa: E402

DRY = Mix([0.0] * STEM_COUNT, [0.0] * STEM_COUNT, pump_share=0.0, reverb_wet=0.0, reverb_s=1.0, swells_db=0.0)


def clip_of(mix: Mix) -> Clip:
    """A beat a second."""
    beats_s = [float(second) for second in range(30)]
    return Clip("test", np.zeros((0, 11)), beats_s, beats_s[::4], np.zeros(300), 0, 4, mix)


def mixer() -> Mixer:
    return Mixer("cpu", torch.Generator().manual_seed(1))


@pytest.mark.parametrize("beat_s", [5, 28])
def test_the_pump_dips_on_every_beat_by_its_share_and_comes_back_before_the_next(beat_s):
    gain = mixer()._ducking([clip_of(replace(DRY, pump_share=0.6))])[0, 0]
    # Drawn 100 times a second and joined by lines: within a sample of the beat, whose dip rises by 0.05 in 10 ms.
    assert gain[beat_s * SAMPLE_RATE_HZ].item() == pytest.approx(0.4, abs=0.001)
    # Seven and a half release times of 0.12 s later, half a thousandth of the dip is left.
    assert gain[int((beat_s + 0.9) * SAMPLE_RATE_HZ)].item() == pytest.approx(1, abs=0.001)


def test_before_the_first_beat_nothing_is_ducked():
    late = replace(clip_of(replace(DRY, pump_share=0.6)), beats_s=[2.0, 3.0])
    gain = mixer()._ducking([late])[0, 0]
    assert (gain[: int(1.99 * SAMPLE_RATE_HZ)] == 1).all()
    assert gain[2 * SAMPLE_RATE_HZ].item() == pytest.approx(0.4, abs=0.001)


def test_without_a_pump_the_gain_stays_one():
    assert (mixer()._ducking([clip_of(DRY)]) == 1).all()


@pytest.mark.parametrize(
    ("stem", "ducked"), [(DRUMS, False), (BASS, True), (ACCOMPANIMENT, True), (COLOUR, True), (LEAD, False)]
)
def test_the_pump_ducks_every_stem_but_drums_and_lead(stem, ducked):
    stems = torch.zeros(1, STEM_COUNT, CLIP_SAMPLES)
    stems[0, stem] = 0.1 * torch.sin(2 * torch.pi * 440 * torch.arange(CLIP_SAMPLES) / SAMPLE_RATE_HZ)
    pumped, steady = (mixer().mix(stems, [clip_of(replace(DRY, pump_share=share))]) for share in (0.6, 0.0))
    assert torch.equal(pumped, steady) == (not ducked)


def test_a_sparse_part_is_as_loud_as_it_is_where_it_plays():
    stems = torch.zeros(1, 2, CLIP_SAMPLES)
    stems[0, 0, : 3 * SAMPLE_RATE_HZ] = 0.5
    stems[0, 1] = 0.5
    assert _active_rms(stems)[0].tolist() == pytest.approx([0.5, 0.5], rel=1e-3)


def test_a_mix_has_about_unit_level_and_silence_stays_a_number():
    stems = torch.zeros(2, STEM_COUNT, CLIP_SAMPLES)
    times_s = torch.arange(CLIP_SAMPLES) / SAMPLE_RATE_HZ
    for stem, hz in ((DRUMS, 150.0), (BASS, 80.0), (LEAD, 440.0)):
        stems[0, stem] = 0.1 * torch.sin(2 * torch.pi * hz * times_s)
    mixed = mixer().mix(stems, [clip_of(DRY), clip_of(DRY)])
    assert torch.isfinite(mixed).all()
    # Compression, clipping and the last equaliser come after the level is set: 0.46 to 1.62 with a dozen seeds.
    assert 0.4 < mixed[0].pow(2).mean().sqrt().item() < 1.7
