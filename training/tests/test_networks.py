"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training import features  # noqa: E402
from earshot_training.composer.compose import compose_clip  # noqa: E402
from earshot_training.composer.score import EVENT_FIELDS, field_of  # noqa: E402
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


NOTE = {
    "stem": 2,
    "start_s": 1.0,
    "duration_s": 0.1,
    "sample_index": 0,
    "rate_ratio": 1.0,
    "gain": 0.25,
    "attack_s": 1e-4,
    "decay_per_s": 0.0,
    "release_s": 0.01,
    "vibrato_semitones": 0.0,
    "vibrato_hz": 5.0,
}
STEADY, RAMP = np.ones(22050, np.float32), np.arange(22050, dtype=np.float32)


def play(waveform: np.ndarray, **fields: float) -> torch.Tensor:
    event = np.array([[{**NOTE, **fields}[name] for name in EVENT_FIELDS]], np.float32)
    return Sampler([waveform], "cpu").play([event])[0]


def test_sampler_puts_a_note_where_and_as_loud_as_the_score_says():
    stems = play(STEADY, attack_s=0.02)
    assert stems.shape == (5, CLIP_SAMPLES)
    # The note begins after a second with an attack of 441 samples.
    assert stems[2, :22051].abs().max() == 0
    assert stems[2, 22051] == pytest.approx(0.25 / 441)
    assert stems[2, 22050 + 441 : 22050 + 2205].numpy() == pytest.approx(0.25)
    assert stems[[0, 1, 3, 4]].abs().max() == 0


def test_a_note_decays_and_is_cut_five_release_times_after_its_end():
    note = play(STEADY, decay_per_s=10.0)[2, 22050:]
    # After 0.05 s, and after 0.12 s, which is two release times after the end.
    assert note[[1102, 2646]].numpy() == pytest.approx(0.25 * np.exp([-10 * 1102 / 22050, -10 * 0.12 - 2]), rel=1e-4)
    # 0.15 s are 3,307 whole samples.
    assert note[3306] > 0 and note[3307:].abs().max() == 0


def test_a_sample_is_read_between_its_points_at_the_rate_of_the_note():
    # A ramp is its own index, so the position that is read shows in the value.
    note = play(RAMP, rate_ratio=1.5, gain=1.0)[2, 22050:]
    assert note[[1000, 1001]].tolist() == [1500.0, 1501.5]


def test_vibrato_bends_the_pitch_up_and_back():
    note = play(RAMP, vibrato_semitones=1.0, duration_s=0.3, gain=1.0)[2, 22050:]
    # The integral of a sine of one semitone (ln 2 / 12 of the rate) over half a period, 0.1 s, is ahead by its mean.
    ahead_samples = 2205 * 2 / np.pi * np.log(2) / 12
    # The constant has four digits.
    assert note[[2205, 4410]].numpy() == pytest.approx([2205 + ahead_samples, 4410], abs=0.05)


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
