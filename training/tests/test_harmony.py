import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.form import Harmony, plan_form
from earshot_training.composer.harmony import Chord, parse_roman, realise
from earshot_training.composer.progressions import PROGRESSIONS
from earshot_training.composer.timeline import additive_metre, compound_metre, simple_metre


@pytest.mark.parametrize(
    ("numeral", "expected"),
    [
        ("I", (0, (0, 4, 7), 0)),
        ("vi7", (9, (0, 3, 7, 10), 9)),
        ("V/7", (7, (0, 4, 7), 11)),
        ("bVII", (10, (0, 4, 7), 10)),
        ("iv/b6", (5, (0, 3, 7), 8)),
        ("#ivo7", (6, (0, 3, 6, 9), 6)),
    ],
)
def test_numerals_mean_what_musicians_mean(numeral, expected):
    assert parse_roman(numeral) == expected


def test_a_minor_is_the_sixth_of_c_and_g_major_labels_itself():
    assert [chord.label for chord in realise("I vi V", tonic=0)] == [0, 12 + 9, 7]


def test_suspended_and_diminished_chords_carry_no_major_minor_label():
    assert Chord(0, (0, 5, 7), 0).label is None
    assert Chord(0, (0, 3, 6), 0).label is None


def test_every_progression_of_every_idiom_parses():
    for modes in PROGRESSIONS.values():
        for progressions in modes.values():
            for progression in progressions:
                assert realise(progression, tonic=3)


@pytest.mark.parametrize("pulses", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("bars_per_chord", [0.25, 0.5, 1.0, 2.0])
def test_each_bar_begins_with_a_chord_and_changes_only_where_it_says(pulses, bars_per_chord):
    metre = simple_metre(pulses)
    for seed in range(20):
        chance = Chance(seed)
        form = plan_form(chance, 24, [4, 8])
        harmony = Harmony(chance, metre, form, "ballad", "major", 5, bars_per_chord)
        for bar in range(24):
            starts = harmony.slot_starts(bar)
            assert starts[0] == 0
            assert starts == sorted(set(starts))
            assert starts[-1] < pulses
            for pulse in range(1, pulses):
                if pulse not in starts:
                    assert harmony.at(bar, pulse) == harmony.at(bar, pulse - 1)


@pytest.mark.parametrize(
    ("metre", "middle"),
    [
        (simple_metre(4), 2),
        (simple_metre(3), 2),
        (simple_metre(5), 3),
        (compound_metre(2), 1),
        (compound_metre(3), 2),
        (additive_metre((2, 2, 3)), 4),
        (additive_metre((3, 2, 2)), 3),
        (additive_metre((3, 3, 2)), 3),
        (additive_metre((2, 2, 2, 3)), 4),
        (additive_metre((2, 2, 3, 2, 2)), 7),
    ],
)
def test_two_chords_share_a_bar_at_the_beat_nearest_to_its_middle(metre, middle):
    # The chords of a blues are all equally long: here half a bar.
    harmony = Harmony(Chance(1), metre, plan_form(Chance(1), 8, [8]), "blues", "major", 0, 0.5)
    assert [harmony.slot_starts(bar) for bar in range(4)] == [[0, middle]] * 4
