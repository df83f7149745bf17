from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training.composer.timeline import MEL_FRAMES  # noqa: E402
from earshot_training.container import Model  # noqa: E402
from earshot_training.distil import DistillationPool, Distiller, FoldedBeatNetwork  # noqa: E402
from earshot_training.distortion import distort_bands  # noqa: E402
from earshot_training.export import export_beats  # noqa: E402
from earshot_training.inference import beat_logits  # noqa: E402
from earshot_training.networks import BeatNetwork  # noqa: E402


def untrained(seed: int) -> Model:
    torch.manual_seed(seed)
    return export_beats(BeatNetwork(4, 6, blocks=3), "1")


def music(clips: int) -> torch.Tensor:
    return torch.rand(clips, MEL_FRAMES, 81, generator=torch.Generator().manual_seed(1)) * 3


def test_a_folded_network_matches_the_reference_inference():
    model, mel = untrained(1), music(1)
    heard = FoldedBeatNetwork(model)(mel)[0].detach().numpy()
    # The order of float32 sums differs.
    np.testing.assert_allclose(heard, beat_logits(model, mel[0].numpy()), atol=1e-4)


def test_labels_are_the_weighted_mean_of_log_odds():
    first, second, mel = untrained(1), untrained(2), music(1)
    distiller = Distiller(second, [(first, 0.35), (second, 0.65)], "cpu", 1, beats_share=0)
    wanted = 0.35 * beat_logits(first, mel[0].numpy()) + 0.65 * beat_logits(second, mel[0].numpy())
    # Kept in half precision, whose steps at 8 are 0.008.
    np.testing.assert_allclose(distiller.label(mel)[0].float().numpy(), wanted, atol=1e-2)


def test_training_moves_the_student_towards_its_teachers():
    distiller, mel = Distiller(untrained(2), [(untrained(1), 1.0)], "cpu", 1, beats_share=0), music(4)
    wanted, beats = distiller.label(mel), torch.zeros(4, 2, MEL_FRAMES)
    distance = lambda: (distiller.network(mel) - wanted.float()).abs().mean().item()
    before = distance()
    for _ in range(12):
        distiller.step(mel, wanted, beats, 0.0)
    assert distance() < before


def test_a_student_learns_labelled_beats_that_its_teachers_miss():
    teacher, mel, beats = untrained(2), music(4), torch.zeros(4, 2, MEL_FRAMES)
    mel[:, ::25] += 3
    beats[:, :, ::25] = 1

    def beat_contrast(beats_share: float) -> float:
        distiller = Distiller(teacher, [(teacher, 1.0)], "cpu", 1, beats_share)
        # After twelve steps, one of five seeds still had the order reversed.
        for _ in range(30):
            distiller.step(mel, distiller.label(mel), beats, 0.0)
        heard = distiller.network(mel)
        return (heard[:, :, ::25].mean() - heard.mean()).item()

    assert beat_contrast(1.0) > beat_contrast(0.0)


def filled(*numbers: float) -> tuple[torch.Tensor, torch.Tensor]:
    """A clip full of each number, and beats that are a quarter of it."""
    values = torch.tensor(numbers)[:, None, None]
    return values.expand(-1, MEL_FRAMES, 81), (values / 4).expand(-1, 2, MEL_FRAMES)


def test_a_batch_mixes_recorded_and_composed_clips_each_with_its_own_labels():
    distiller = Distiller(untrained(1), [(untrained(1), 1.0)], "cpu", 1, beats_share=1)
    recordings = dict(zip(("mel", "beats"), (tensor.half() for tensor in filled(4.0, 8.0))))
    pool = DistillationPool(4, recordings, distiller)
    pool.add(*filled(0.5, 1.0, 2.0))
    mel, log_odds, beats = pool.draw()
    # The fourth place of the pool is empty.
    assert set(mel[:, 0, 0].tolist()) == {0.5, 1.0, 2.0, 4.0, 8.0}
    assert (mel[:, 0, 0] > 2).sum() == int(0.6 * len(mel))
    assert (beats == mel[:, :1, :1] / 4).all()
    # In half precision, and summed in another order.
    assert torch.allclose(log_odds, distiller.label(mel), atol=1e-2)


def test_the_running_average_is_exported_in_the_students_form():
    student = untrained(1)
    distiller = Distiller(student, [(untrained(2), 1.0)], "cpu", 1, beats_share=1)
    with torch.no_grad():
        for tensor in distiller.average.tensors:
            tensor.fill_(7)
    exported = distiller.export("4")
    assert (exported.name, exported.version, exported.architecture) == ("beats", "4", student.architecture)
    assert {name: tensor.shape for name, tensor in exported.tensors.items()} == {
        name: tensor.shape for name, tensor in student.tensors.items()
    }
    assert all((tensor == 7).all() for tensor in exported.tensors.values())


def test_clips_beyond_the_end_of_the_pool_overwrite_the_oldest():
    distiller = Distiller(untrained(1), [(untrained(1), 1.0)], "cpu", 1, beats_share=1)
    recordings = {"mel": torch.zeros(1, MEL_FRAMES, 81).half(), "beats": torch.zeros(1, 2, MEL_FRAMES).half()}
    pool = DistillationPool(3, recordings, distiller)
    for values in ((1, 2), (3, 4)):
        mel = torch.tensor(values)[:, None, None].expand(-1, MEL_FRAMES, 81).float()
        pool.add(mel, mel[:, :, :2].transpose(1, 2))
    assert (pool.filled_count, pool.added_count) == (3, 4)
    assert pool.mel[:, 0, 0].tolist() == pool.beats[:, 0, 0].tolist() == [4, 2, 3]


@pytest.mark.parametrize(("shift", "silent"), [(2, [0, 1]), (-2, [79, 80])])
def test_bands_vacated_by_a_shift_are_silent(shift, silent):
    class FixedRandom:
        """Shifts by `shift` bands and silences none; the drop-out falls into the second clip."""

        def randrange(self, low, high):
            return shift if low == -2 else low

        def random(self):
            return 1.0

    shifted = distort_bands(torch.ones(2, 200, 81), FixedRandom(), torch.Generator().manual_seed(1))
    assert [band for band in range(81) if not shifted[0, :, band].any()] == silent


def test_silenced_bands_and_a_drop_out_in_time_fall_into_different_halves_of_a_batch():
    # No shift; three bands from the fifth; ten frames from the twentieth.
    drawn = iter([0, 5, 3, 20, 10])
    rng = SimpleNamespace(randrange=lambda low, high: next(drawn), random=lambda: 0.0)
    distorted = distort_bands(torch.ones(20, 200, 81), rng, torch.Generator().manual_seed(1)) == 0
    expected = torch.zeros(20, 200, 81, dtype=torch.bool)
    expected[:10, :, 5:8] = True
    expected[10:18, 20:30] = True
    assert torch.equal(distorted, expected)
