from types import SimpleNamespace

import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.instruments import DRUM_KEYS, DrumKit, draw_instrument

TOMS = {key: 100 + index for index, key in enumerate(DRUM_KEYS["tom"])}
BANK = SimpleNamespace(
    # The brushes have a snare alone.
    kits={(0, 0): {36: 1, 35: 2, 38: 3, **TOMS}, (0, 40): {38: 5}},
    drums={"percussion": [7], "snare": [8]},
    programs={0: [[(20, 60.0)]], 38: [[(21, 40.0)]]},
    tones=[[(30, 62.0)]],
    bass_tones=[[(31, 28.0)]],
    singers=[[(40, 50.0), (41, 55.0)]],
    speakers=[[(42, 45.0)]],
)


class Never(Chance):
    def happens(self, probability: float) -> bool:
        return False


class Always(Chance):
    def happens(self, probability: float) -> bool:
        return True


@pytest.mark.parametrize(
    ("family", "kind", "samples"),
    [
        ("brush", "snare", {5}),
        ("brush", "kick", {1, 2}),
        ("standard", "snare", {3}),
        ("synthesised", "snare", {8}),
        # Neither kit has a bell.
        ("standard", "bell", {7}),
    ],
)
def test_a_piece_is_of_the_kit_or_else_of_the_standard_one_or_else_synthesised(family, kind, samples):
    for seed in range(10):
        drawn, _, _ = DrumKit(Never(seed), BANK, family).piece(kind)
        assert len(drawn) == 1 and set(drawn) <= samples


def test_toms_are_a_set_from_high_to_low_and_a_piece_is_drawn_once():
    kit = DrumKit(Never(1), BANK, "brush")
    assert kit.piece("tom")[0] == [100, 101, 102, 103, 104, 105]
    assert kit.piece("kick") == kit.piece("kick")


@pytest.mark.parametrize(
    ("chance", "group", "sample", "pitch_midi", "family"),
    [
        (Never(1), "piano", 20, 60, "plucked"),
        (Never(1), "synth_bass", 21, 40, "plucked"),
        (Always(1), "synth_bass", 31, 28, "plucked"),
        (Never(1), "tone", 30, 62, "sustained"),
        (Never(1), "voice", 40, 50, "voice"),
        # Singers an octave down.
        (Never(1), "growl", 40, 38, "voice"),
        (Never(1), "speech", 42, 45, "voice"),
    ],
)
def test_an_instrument_has_the_sounds_and_the_manner_of_its_group(chance, group, sample, pitch_midi, family):
    instrument = draw_instrument(chance, BANK, group)
    assert (instrument.voicing[0], instrument.family) == ((sample, pitch_midi), family)
