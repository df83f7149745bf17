import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.invention import invent_figure, invent_rhythm
from earshot_training.composer.patterns import fit, strokes
from earshot_training.composer.timeline import compound_metre, simple_metre


def test_strokes_carry_place_length_and_accent():
    found = list(strokes("X--.x...o-......", simple_metre(4)))
    assert [(s.pulse, s.length_pulses, s.symbol) for s in found] == [(0, 0.75, "X"), (1, 0.25, "x"), (2, 0.5, "o")]
    assert found[0].velocity > found[1].velocity > found[2].velocity


def test_a_four_four_pattern_is_cut_to_three_and_repeated_to_five():
    assert fit("x...o...x...o...", simple_metre(3)) == "x...o...x..."
    assert fit("x...o...x...o...", simple_metre(5)) == "x...o...x...o...x..."


@pytest.mark.parametrize("metre", [simple_metre(4), simple_metre(3), compound_metre(4)])
def test_invented_rhythms_fill_the_bar_and_always_sound(metre):
    for seed in range(50):
        rhythm = invent_rhythm(Chance(seed), metre, 0.3)
        assert len(rhythm) == metre.steps_per_bar
        assert set(rhythm) <= set("Xxo-.")
        assert set(rhythm) & set("Xxo")
        figure = invent_figure(Chance(seed), metre, "R58", "R", 0.5, 1)
        assert next(letter for letter in figure if letter not in "-.") == "R"


def test_a_rhythm_in_eighths_strikes_no_sixteenth():
    rhythms = [invent_rhythm(Chance(seed), simple_metre(4), 1.0, finest_steps=2) for seed in range(50)]
    assert not {symbol for rhythm in rhythms for symbol in rhythm[1::2]} & set("Xxo")
    assert all(any(rhythm[step] in "Xxo" for rhythm in rhythms) for step in range(0, 16, 2))
