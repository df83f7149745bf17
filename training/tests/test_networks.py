"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training import features  # noqa: E402
from earshot_training.composer.compose import compose_clip  # noqa: E402
from earshot_training.composer.score import field_of  # noqa: E402
from earshot_training.container import read_model, write_model  # noqa: E402
from earshot_training.export import export_beats, export_chords  # noqa: E402
from earshot_training.inference import beat_logits, chord_logits  # noqa: E402
from earshot_training.networks import BeatNetwork, ChordNetwork, PlaneConvolution  # noqa: E402
from earshot_training.render.sampler import CLIP_SAMPLES, Sampler  # noqa: E402
from earshot_training.render.spectra import Spectra  # noqa: E402
from earshot_training.sounds.bank import load_sound_bank  # noqa: E402


def shake(network: torch.nn.Module) -> torch.nn.Module:
    """Randomises batch norms, so that one that is not folded in changes the result."""
    source = torch.Generator().manual_seed(0)
    for module in network.modules():
        if isinstance(module, (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d)):
            module.running_mean.normal_(0, 0.5, generator=source)
            module.running_var.uniform_(0.5, 2.0, generator=source)
            torch.nn.init.uniform_(module.weight, -1.5, 1.5)
            torch.nn.init.uniform_(module.bias, -0.5, 0.5)
    return network.eval()


@torch.no_grad()
def test_exported_beat_network_answers_as_the_trained_one(tmp_path):
    torch.manual_seed(1)
    network = shake(BeatNetwork(front_channels=4, channels=6, blocks=3))
    write_model(tmp_path / "beats.bin", export_beats(network, "test"), "f32")
    mel = torch.rand(1, 200, 81) * 3
    expected = network(mel)[0].numpy()
    # Different summation order in float32.
    assert np.abs(beat_logits(read_model(tmp_path / "beats.bin"), mel[0].numpy()) - expected).max() < 1e-4


@torch.no_grad()
def test_exported_chord_network_answers_as_the_trained_one(tmp_path):
    torch.manual_seed(1)
    network = shake(ChordNetwork(front_channels=3, channels=5, dilations=(1, 4)))
    write_model(tmp_path / "chords.bin", export_chords(network, "test"), "f32")
    pitch = torch.rand(1, 80, 144) * 2
    chords, key = network(pitch)
    got_chords, got_key = chord_logits(read_model(tmp_path / "chords.bin"), pitch[0].numpy())
    # Different summation order in float32, as below.
    assert np.abs(got_chords - chords[0].numpy()).max() < 1e-4
    assert np.abs(got_key - key[0].numpy()).max() < 1e-4


@torch.no_grad()
def test_the_matrix_product_equals_the_convolution():
    torch.manual_seed(2)
    layer = PlaneConvolution(3, 4, 3, 5, places=10)
    x = torch.rand(2, 7, 10, 3)
    expected = torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), layer.kernel.weight, layer.kernel.bias, padding=(1, 2))
    assert torch.allclose(layer(x), expected.permute(0, 2, 3, 1), atol=1e-5)


@torch.no_grad()
def test_a_circular_convolution_of_a_rotated_input_is_rotated():
    torch.manual_seed(3)
    circle = PlaneConvolution(2, 3, 1, 12, places=12, circular=True)
    x = torch.rand(1, 4, 12, 2)
    assert torch.allclose(circle(torch.roll(x, 5, 2)), torch.roll(circle(x), 5, 2), atol=1e-5)


def test_batched_spectra_equal_the_reference():
    audio = np.random.RandomState(0).randn(2 * features.SAMPLE_RATE_HZ).astype(np.float32)
    spectra = Spectra("cpu")
    batch = torch.from_numpy(audio)[None]
    # float32 FFTs of two libraries.
    assert np.abs(spectra.mel(batch)[0].numpy() - features.mel_spectrogram(audio)).max() < 1e-4
    assert np.abs(spectra.pitch(batch)[0].numpy() - features.pitch_spectrogram(audio)).max() < 1e-4


def test_sampler_puts_a_note_where_and_as_loud_as_the_score_says():
    sampler = Sampler([np.ones(5000, np.float32)], "cpu")
    start_s, gain = 1.0, 0.25
    event = np.array([[2, start_s, 0.1, 0, 1.0, gain, 1e-4, 0.0, 0.01, 0.0, 5.0]], np.float32)
    stems = sampler.play([event])
    assert stems.shape == (1, 5, CLIP_SAMPLES)
    first = int(start_s * features.SAMPLE_RATE_HZ)
    assert stems[0, 2, first - 1] == 0
    assert stems[0, 2, first + 1000] == pytest.approx(gain)
    assert stems[0, [0, 1, 3, 4]].abs().max() == 0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="the kernel needs a GPU")
def test_the_kernel_plays_what_the_reference_plays():
    bank = load_sound_bank(scale=0.02)
    clips = [compose_clip(bank, seed) for seed in range(3)]
    events = [clip.events for clip in clips]
    fast, plain = (Sampler(bank.waveforms, device).play(events).cpu() for device in ("cuda", "cpu"))
    # Notes of a few units, added in another order, with the sines and exponentials of another library.
    assert (fast - plain).abs().max() < 1e-3


def test_every_stem_of_a_composed_clip_that_has_notes_sounds_and_no_other():
    bank = load_sound_bank(scale=0.02)
    clip = compose_clip(bank, 1)
    stems = Sampler(bank.waveforms, "cpu").play([clip.events])
    assert torch.isfinite(stems).all()
    assert set(stems[0].any(1).nonzero().flatten().tolist()) == set(field_of(clip.events, "stem").astype(int))
