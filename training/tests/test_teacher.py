import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
beat_tracker = pytest.importorskip("beat_this.model.beat_tracker")

from earshot_training import teacher  # noqa: E402
from earshot_training.teacher import BANDS, SIZES, Teacher, load_network  # noqa: E402


class Exported(torch.nn.Module):
    """Its weights are called model.…, like those of the file."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, mel: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits = self.model(mel)
        return logits["beat"], logits["downbeat"]


def test_every_weight_of_the_onnx_file_returns_to_its_layer(tmp_path):
    torch.manual_seed(1)
    network = beat_tracker.BeatThis(spect_dim=BANDS, **SIZES)
    # Otherwise the biases and norms of all layers would be equal.
    for name, weight in network.state_dict().items():
        if weight.is_floating_point() and "rotary" not in name:
            weight.add_(0.1 * torch.randn_like(weight))
    exported = Exported(network).eval()
    mel = 5 * torch.rand(1, 100, BANDS)
    torch.onnx.export(exported, (mel,), tmp_path / "network.onnx", dynamo=False)
    with torch.no_grad():
        expected, loaded = network(mel), load_network(tmp_path / "network.onnx")(mel)
    # A norm rounds differently once it is folded into its convolution.
    assert torch.allclose(loaded["beat"], expected["beat"], atol=1e-4)
    assert torch.allclose(loaded["downbeat"], expected["downbeat"], atol=1e-4)


class Recorder(torch.nn.Module):
    """In place of the network: keeps the spectrum it is given."""

    def forward(self, mel: torch.Tensor) -> dict[str, torch.Tensor]:
        self.mel = mel
        return {"beat": mel[..., 0], "downbeat": mel[..., 1]}


def test_the_teacher_hears_the_spectrum_it_was_trained_on(monkeypatch):
    pytest.importorskip("librosa")
    preprocessing = pytest.importorskip("beat_this.preprocessing")
    recorder = Recorder()
    monkeypatch.setattr(teacher, "load_network", lambda path: recorder)
    audio = 0.1 * torch.randn(2, 22050, generator=torch.Generator().manual_seed(1))
    Teacher(None, "cpu").find_beats(audio, 50)
    theirs = torch.stack([preprocessing.LogMelSpect()(clip)[:50] for clip in audio])
    # Their filters are computed in single precision.
    assert torch.allclose(recorder.mel, theirs, atol=1e-3)
