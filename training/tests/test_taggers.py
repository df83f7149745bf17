import numpy as np
import pytest

from earshot_training.taggers import FilterBank, Norm, fold_time


def norm_of(scale: list[float], shift: list[float]) -> Norm:
    """With a mean of 0 and a variance of 1, gamma is the scale and beta the shift."""
    count = len(scale)
    return Norm(np.array(scale), np.array(shift), np.zeros(count), np.ones(count), 0.0)


def test_a_batch_norm_is_a_scale_and_a_shift():
    norm = Norm(np.array([6.0]), np.array([1.0]), np.array([5.0]), np.array([3.0]), 1.0)
    # (x - 5) / 2 * 6 + 1
    assert (norm.scale.tolist(), norm.shift.tolist()) == ([3.0], [-14.0])


@pytest.mark.parametrize("before", [True, False])
def test_a_folded_layer_in_time_answers_as_the_layer_and_its_norm(before):
    rng = np.random.default_rng(1)
    kernel, bias = rng.normal(size=(4, 3, 7)), np.array([0.3, -0.2, 0.8, -0.5])
    # The last two filters are dead, and their scales are negative.
    kernel[2:] = 0
    norm = norm_of([1.5, 0.4, -2.0, -1.0], [0.1, -0.3, 0.7, 0.2])
    folded = fold_time(kernel, bias, norm, before)
    for x in rng.normal(size=(20, 3, 7)):
        response = np.einsum("oct,ct->o", kernel, x)
        if before:
            expected = np.maximum((response + bias) * norm.scale + norm.shift, 0)
        else:
            expected = np.maximum(response + bias, 0) * norm.scale + norm.shift
        assert np.maximum(folded["scale"] * response + folded["bias"], 0) + folded["shift"] == pytest.approx(expected)


def test_a_live_channel_that_cannot_be_folded_is_refused():
    with pytest.raises(ValueError, match="negative scale"):
        fold_time(np.ones((1, 2, 3)), np.zeros(1), norm_of([-1.0], [0.0]), before=False)


@pytest.mark.parametrize(
    ("before", "constant"),
    # Of biases 2 and -2, scale 3 and shift -1: relu(3 * 2 - 1) and relu(-7), or 3 * relu(2) - 1 and -1.
    [(True, [0, 5, 0, 0]), (False, [0, 5, 0, -1])],
)
def test_dead_filters_are_removed_and_leave_their_constants(before, constant):
    kernel = np.zeros((4, 5))
    kernel[[0, 2]] = 1
    kernel[3] = 1e-5
    bank = FilterBank(kernel, np.array([1.0, 2.0, 1.0, -2.0]), norm_of([3.0] * 4, [-1.0] * 4), before)
    assert bank.live.tolist() == [0, 2]
    assert bank.kernel.tolist() == kernel[[0, 2]].tolist()
    assert bank.constant.tolist() == constant
