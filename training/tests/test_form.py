import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.form import Form, Section, plan_form


@pytest.mark.parametrize("seed", range(30))
def test_sections_follow_one_another_through_the_whole_piece(seed):
    sections = plan_form(Chance(seed), 24, [4, 8]).sections
    assert sections[0].first_bar <= 0
    ends = [section.first_bar + section.bar_count for section in sections]
    assert [section.first_bar for section in sections[1:]] == ends[:-1]
    assert ends[-1] >= 24
    assert all(0 <= section.intensity <= 1 for section in sections)


def test_where_no_part_is_drawn_the_accompaniment_plays():
    chance = Chance(1)
    chance.happens = lambda probability: False
    assert {section.playing for section in plan_form(chance, 24, [4, 8]).sections} == {frozenset({"accompaniment"})}


def test_a_bar_belongs_to_its_section_and_one_beyond_the_form_to_the_nearest():
    form = Form([Section(first_bar, 4, theme, 0.5, frozenset()) for theme, first_bar in enumerate((-2, 2))])
    bars = range(-3, 8)
    assert [form.at(bar).theme for bar in bars] == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert [bar for bar in bars if form.is_last_bar(bar)] == [1, 5]
    assert [form.bar_of_section(bar) for bar in range(-2, 6)] == [0, 1, 2, 3, 0, 1, 2, 3]
