"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from earshot_training.composer.harmony import UNSCORED  # noqa: E402
from earshot_training.targets import stack_beat_targets  # noqa: E402
from earshot_training.validation import Validation  # noqa: E402


class Answers(torch.nn.Module):
    """In place of a network: gives these, whatever the input."""

    def __init__(self, answers: object) -> None:
        super().__init__()
        self.answers = answers

    def forward(self, _: torch.Tensor) -> object:
        return self.answers


def validation_of(clips: list, *examples: torch.Tensor | None) -> Validation:
    """Without composing and rendering."""
    validation = object.__new__(Validation)
    validation.sets = {"all": [(clips, examples)]}
    return validation


def test_beats_and_downbeats_are_scored_by_style():
    clips = [
        SimpleNamespace(style=style, beats_s=[0.5, 1.0, 1.5, 2.0], downbeats_s=[0.5, 1.5]) for style in ("rock", "ska")
    ]
    activations = torch.from_numpy(stack_beat_targets(clips, 150))
    # The last two beats of ska, one of them a downbeat, are missed.
    activations[1, :, 60:] = 0
    table = validation_of(clips, torch.zeros(2)).score_beats(Answers(torch.logit(activations, eps=1e-6)))
    assert table["all"]["by style"] == {"rock": [1.0, 1.0], "ska": [0.667, 0.667]}
    assert (table["all"]["beat F"], table["all"]["downbeat F"], table["all"]["clips"]) == (0.8333, 0.8333, 2)


def test_chords_are_scored_where_they_are_labelled_in_clips_that_have_a_key():
    chords = torch.tensor([[0, 0, 12, 12, UNSCORED], [24, 24, UNSCORED, UNSCORED, UNSCORED], [5, 5, 5, 5, 5]])
    found = torch.tensor([[0, 0, 12, 0, 3], [24, 24, 1, 1, 1], [6, 6, 6, 6, 6]])
    keys, found_keys = torch.tensor([0, 12, UNSCORED]), torch.tensor([0, 13, 1])
    one_hot = torch.nn.functional.one_hot
    answers = one_hot(found, 25).transpose(1, 2).float(), one_hot(found_keys, 24).float()
    table = validation_of([None] * 3, None, None, None, chords, keys).score_chords(Answers(answers))
    # Three frames of four and both of two; the second key is wrong.
    assert table == {"all": {"chord frames": 0.875, "key": 0.5, "clips": 2}}
