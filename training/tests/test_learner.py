"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

import math
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from earshot_training.composer.timeline import MEL_FRAMES, PITCH_FRAMES  # noqa: E402
from earshot_training.features import MEL_BANDS, PITCH_BINS  # noqa: E402
from earshot_training.learner import PEAK_RATE, BeatLearner, ChordLearner, ClipPool, Learner, update_average  # noqa: E402
from earshot_training.networks import BEAT_OUTPUTS  # noqa: E402

LN_2 = math.log(2)


def clips(*numbers: int) -> tuple[torch.Tensor, ...]:
    """A clip full of each number, in the order in which ClipPool.add takes its parts."""
    values = torch.tensor(numbers)

    def full(*shape: int) -> torch.Tensor:
        return values.reshape(-1, *[1] * len(shape)).expand(-1, *shape)

    return (
        full(MEL_FRAMES, MEL_BANDS),
        full(BEAT_OUTPUTS, MEL_FRAMES),
        full(PITCH_FRAMES, PITCH_BINS),
        full(PITCH_FRAMES),
        values,
    )


def test_clips_beyond_the_end_of_the_pool_overwrite_the_oldest():
    pool = ClipPool(3, "cpu")
    pool.add(*clips(1, 2))
    assert (pool.filled_count, pool.added_count) == (2, 2)
    pool.add(*clips(3, 4))
    assert (pool.filled_count, pool.added_count) == (3, 4)
    for tensor in (pool.mel, pool.beats, pool.pitch, pool.chords, pool.keys):
        assert tensor.reshape(3, -1).float().mean(1).tolist() == [4, 2, 3]


def networks(averaged: float, current: float) -> tuple[torch.nn.Module, torch.nn.Module]:
    pair = torch.nn.BatchNorm1d(1), torch.nn.BatchNorm1d(1)
    for network, value in zip(pair, (averaged, current)):
        for tensor in (network.weight.data, network.bias.data, network.running_mean):
            tensor.fill_(value)
    return pair


@pytest.mark.parametrize(
    ("step_count", "expected"),
    # After 80 steps half of the average is new; late, the share that is kept is the largest.
    [(80, 5.0), (1_000_000, 1.0)],
)
def test_the_average_follows_faster_at_first_and_copies_what_was_counted(step_count, expected):
    average, network = networks(0, 10)
    update_average(average, network, step_count, 0.9)
    assert average.weight.item() == pytest.approx(expected)
    assert average.bias.item() == pytest.approx(expected)
    assert average.running_mean.item() == 10


def test_a_report_before_the_first_loss_says_how_many_steps_there_were():
    learner = BeatLearner("cpu", 1, compiled=False, sizes=(4, 6))
    learner.step_count = 49
    assert learner.report() == "step 49, no loss yet"
    learner.step_count, learner.losses = 100, [[1.0, 3.0], [2.0, 5.0]]
    assert learner.report() == "step 100 loss 1.5000 4.0000"


class ConstantLearner(Learner):
    def _losses(self, pool: ClipPool, rows: torch.Tensor) -> list[torch.Tensor]:
        return [self.network(torch.ones(1, 1)).sum()]


@pytest.mark.parametrize(
    ("step_count", "progress", "share"),
    # Half a cosine above a floor of .005, times the part of 300 steps that are done.
    [(0, 0.0, 1.005 / 300), (299, 0.0, 1.005), (1000, 0.5, 0.505), (1000, 1.0, 0.005), (1000, 2.0, 0.005)],
)
def test_the_rate_rises_over_the_first_steps_and_falls_with_progress(step_count, progress, share):
    learner = ConstantLearner(torch.nn.Linear(1, 1), "cpu", 1, compiled=False)
    learner.step_count = step_count
    learner.step(SimpleNamespace(filled_count=1), progress)
    assert learner._optimiser.param_groups[0]["lr"] == pytest.approx(PEAK_RATE * share)


def test_missed_beats_and_downbeats_weigh_two_and_three_times():
    learner, pool = BeatLearner("cpu", 1, compiled=False, sizes=(4, 6)), ClipPool(2, "cpu")
    learner._predict = lambda inputs: torch.zeros(len(inputs), BEAT_OUTPUTS, MEL_FRAMES)
    pool.beats[0] = 1
    # At even odds, a frame without a beat costs ln 2.
    losses = [torch.stack(learner._losses(pool, torch.tensor([row]))).tolist() for row in (0, 1)]
    assert losses == [pytest.approx([2 * LN_2, 3 * LN_2]), pytest.approx([LN_2, LN_2])]


def test_unscored_chords_and_keys_cost_nothing():
    learner, pool = ChordLearner("cpu", 1, compiled=False), ClipPool(2, "cpu")
    chord_logits, key_logits = torch.randn(2, 25, PITCH_FRAMES), torch.randn(2, 24)
    pool.chords[0, :10], pool.keys[1] = 3, 5
    # Of 25 classes the right one has half of the probability, of 24 keys one in 24.
    chord_logits[0, :, :10], chord_logits[0, 3, :10], key_logits[1] = 0, math.log(24), 0
    learner._predict = lambda inputs: (chord_logits, key_logits)
    chord_loss, key_loss = learner._losses(pool, torch.tensor([0, 1]))
    assert chord_loss.item() == pytest.approx(LN_2, rel=1e-5)
    assert key_loss.item() == pytest.approx(0.3 * math.log(24), rel=1e-5)
