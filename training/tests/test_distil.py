import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training.container import Model  # noqa: E402
from earshot_training.distil import Distiller, FoldedBeatNetwork, change_speed  # noqa: E402
from earshot_training.export import export_beats  # noqa: E402
from earshot_training.inference import beat_logits  # noqa: E402
from earshot_training.networks import BeatNetwork  # noqa: E402
from earshot_training.targets import MEL_FRAMES  # noqa: E402


def untrained(seed: int) -> Model:
    torch.manual_seed(seed)
    return export_beats(BeatNetwork(4, 6, blocks=3), "1")


def music(clips: int) -> torch.Tensor:
    return torch.rand(clips, MEL_FRAMES, 81, generator=torch.Generator().manual_seed(1)) * 3


def test_a_folded_network_answers_as_its_file_does():
    model, mel = untrained(1), music(1)
    heard = FoldedBeatNetwork(model)(mel)[0].detach().numpy()
    # The order of float32 sums differs.
    np.testing.assert_allclose(heard, beat_logits(model, mel[0].numpy()), atol=1e-4)


def test_labels_are_the_weighted_mean_of_log_odds():
    first, second, mel = untrained(1), untrained(2), music(1)
    wanted = 0.35 * beat_logits(first, mel[0].numpy()) + 0.65 * beat_logits(second, mel[0].numpy())
    # Kept in half precision, whose steps at 8 are 0.008.
    np.testing.assert_allclose(Distiller(first, second, "cpu", 1).label(mel)[0].float().numpy(), wanted, atol=1e-2)


def test_a_student_comes_nearer_to_both_teachers():
    distiller, mel = Distiller(untrained(1), untrained(2), "cpu", 1), music(4)
    wanted = distiller.label(mel)
    distance = lambda: (distiller.network(mel) - wanted.float()).abs().mean().item()
    before = distance()
    for _ in range(12):
        distiller.step(mel, wanted, 0.0)
    assert distance() < before


def test_a_faster_clip_has_its_beats_earlier_and_silence_behind():
    mel = torch.zeros(1, MEL_FRAMES, 81)
    mel[0, 1000] = 1
    assert change_speed(mel, 1.25)[0, :, 0].argmax() == 800
    assert change_speed(mel, 0.8)[0, :, 0].argmax() == 1250
    assert change_speed(torch.ones_like(mel), 1.25)[0, 1200:].max() == 0
