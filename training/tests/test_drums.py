from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from earshot_training.composer.chance import Chance
from earshot_training.composer.drum_patterns import CYMBALS, KICKS, SNARES
from earshot_training.composer.drums import Drummer, Groove, draw_groove, odd_groove, write_drums, write_groove
from earshot_training.composer.form import PARTS, Form, Section
from earshot_training.composer.instruments import DRUM_KEYS, KIT_FAMILIES
from earshot_training.composer.percussion_group import PERCUSSION_GROUPS, write_percussion_group
from earshot_training.composer.piece import Piece
from earshot_training.composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from earshot_training.composer.timeline import Feel, Timeline, additive_metre, compound_metre, simple_metre

STYLES = TRAINING_STYLES + VALIDATION_STYLES
DRUMMED = [style for style in STYLES if style.drums is not None]
EVERY_STEP = "x" * 16


@dataclass
class WrittenScore:
    """Records what is struck and when."""

    hits: list[tuple[str, float]] = field(default_factory=list)

    def hit(self, kit: object, kind: str, start_s: float, velocity: float, variant: int = 0) -> None:
        self.hits.append((kind, start_s))


def piece_of(metre, seed=1, section_bars=2):
    """Straight time at 120, in sections of `section_bars` that all play."""
    chance = Chance(seed)
    timeline = Timeline(chance, metre, 120.0, Feel())
    firsts = range(0, timeline.bar_count + section_bars, section_bars)
    form = Form([Section(first, section_bars, 0, 1.0, frozenset(PARTS)) for first in firsts])
    return Piece(chance, SimpleNamespace(), timeline, form, SimpleNamespace(), WrittenScore())


def drummer_of(groove):
    """Plays the groove's snare as a clap, which no fill uses."""
    return Drummer(
        kit=SimpleNamespace(),
        grooves=(groove, groove),
        answer_kick=None,
        snare_piece="clap",
        cymbal_piece="ride",
        kick_gain=1.0,
        snare_gain=1.0,
        cymbal_gain=1.0,
        percussion=None,
        fill_chance=0.0,
        crash_chance=0.0,
        open_hats=False,
        pedal_hat=False,
        snare_plays_always=True,
        kick_follows_push=False,
    )


@pytest.mark.parametrize("style", DRUMMED, ids=lambda style: style.name)
def test_every_name_of_a_drum_style_is_in_its_table(style):
    drums = style.drums
    assert set(drums.kicks) <= set(KICKS)
    assert set(drums.snares) <= set(SNARES)
    assert set(drums.cymbals) <= set(CYMBALS)
    assert set(drums.kits) <= {*KIT_FAMILIES, "synthesised"}
    assert {*drums.snare_pieces, *drums.cymbal_pieces} <= set(DRUM_KEYS)


def test_every_drum_pattern_belongs_to_a_style_or_a_metre():
    for part, table in (("kicks", KICKS), ("snares", SNARES), ("cymbals", CYMBALS)):
        named = {name for style in DRUMMED for name in getattr(style.drums, part)}
        assert named | {"waltz", "six_eight", "twelve_eight"} == set(table)


def test_every_percussion_group_of_a_style_exists_and_plays_pieces_of_a_kit():
    named = {style.percussion_group for style in STYLES} - {None}
    assert named == set(PERCUSSION_GROUPS)
    for players in PERCUSSION_GROUPS.values():
        assert {player.piece_of_kit for player in players} <= set(DRUM_KEYS)
        assert {len(pattern) for player in players for pattern in player.patterns} == {16}


@pytest.mark.parametrize("style", DRUMMED, ids=lambda style: style.name)
def test_a_groove_fills_the_bar_of_every_metre_of_its_style_and_of_two_four(style):
    for metre in (*style.metres, simple_metre(2)):
        for seed in range(20):
            piece = piece_of(metre, seed)
            piece.invents = True
            groove = draw_groove(piece, style.drums)
            assert [len(part) for part in (groove.kick, groove.snare, groove.cymbal)] == [metre.steps_per_bar] * 3
            assert set(groove.kick + groove.snare + groove.cymbal) <= set("Xxo.")


@pytest.mark.parametrize("metre", [simple_metre(5), simple_metre(7), additive_metre((2, 2, 3)), additive_metre((3, 2))])
def test_the_kick_of_an_odd_bar_accents_its_first_step_alone(metre):
    for seed in range(50):
        groove = odd_groove(Chance(seed), metre)
        assert groove.kick[0] == "X" and "X" not in groove.kick[1:]
        assert groove.snare[0] == "." and "x" in groove.snare


def test_snare_and_cymbal_stop_where_a_fill_begins():
    piece = piece_of(simple_metre(4))
    write_groove(piece, drummer_of(Groove("." * 16, EVERY_STEP, EVERY_STEP)), bar=1, groove_steps=12)
    fill_s = piece.timeline.at(1, 3)
    assert {kind for kind, _ in piece.score.hits} >= {"clap", "ride"}
    assert all(start_s < fill_s for kind, start_s in piece.score.hits if kind != "kick")


def test_a_bar_without_a_fill_is_played_to_its_end():
    piece = piece_of(simple_metre(4))
    for bar in range(8):
        write_groove(piece, drummer_of(Groove("." * 16, EVERY_STEP, "." * 16)), bar, groove_steps=16)
    claps = [start_s for kind, start_s in piece.score.hits if kind == "clap"]
    # One stroke in fifty is left out.
    assert 0.9 * 128 < len(claps) <= 128
    assert max(claps) == pytest.approx(piece.timeline.at(7, 3.75))


@pytest.mark.parametrize("metre", [simple_metre(4), simple_metre(3)])
def test_fills_come_in_the_last_bar_of_a_section_and_the_snare_rests_from_there_to_its_end(metre):
    loud = next(style for style in DRUMMED if style.name == "drum_loop").drums
    # The drummer's own chance is up to twice the style's: here nearly always.
    style = replace(loud, fill_chance=50.0, snare_pieces=("clap",))
    piece = piece_of(metre, section_bars=2)
    write_drums(piece, style)
    fills = [start_s for kind, start_s in piece.score.hits if kind in ("tom", "snare")]
    claps = [start_s for kind, start_s in piece.score.hits if kind == "clap"]
    assert fills and claps
    for bar in piece.timeline.audible_bars():
        start_s, end_s = piece.timeline.at(bar, 0), piece.timeline.at(bar + 1, 0)
        filled = [second for second in fills if start_s <= second < end_s]
        if filled:
            assert bar % 2 == 1
            assert not [second for second in claps if min(filled) <= second < end_s]


@pytest.mark.parametrize(
    ("metre", "open_pulses"),
    [
        (simple_metre(4), [0.5, 1.5, 2.5, 3.5]),
        (compound_metre(2), [2 / 3, 5 / 3]),
        (additive_metre((2, 2, 3)), [1, 3, 6]),
    ],
)
def test_the_hat_opens_on_the_last_eighth_of_every_beat(metre, open_pulses):
    piece = piece_of(metre)
    silent = "." * metre.steps_per_bar
    write_groove(piece, replace(drummer_of(Groove(silent, silent, silent)), open_hats=True), 0, metre.steps_per_bar)
    opened_s = [start_s for kind, start_s in piece.score.hits if kind == "open_hat"]
    assert opened_s == pytest.approx([piece.timeline.at(0, pulse) for pulse in open_pulses])


def test_the_kick_is_early_in_a_pushed_bar_and_has_another_pattern_in_odd_ones():
    piece = piece_of(simple_metre(4))
    piece.pushed_bars.add(2)
    # Every stroke of the patterns, and no other.
    piece.chance.happens = lambda probability: probability > 0.5
    kick, answer, silent = "x.......x.......", "....x...........", "." * 16
    drummer = replace(drummer_of(Groove(kick, silent, silent)), answer_kick=answer, kick_follows_push=True)
    for bar in (1, 2, 4):
        write_groove(piece, drummer, bar, groove_steps=16)
    pulses = [(1, 1), (2, -0.5), (2, 2), (4, 0), (4, 2)]
    expected_s = [piece.timeline.at(bar, pulse) for bar, pulse in pulses]
    assert [start_s for kind, start_s in piece.score.hits if kind == "kick"] == pytest.approx(expected_s)


def test_the_pedal_closes_the_hat_on_two_and_four():
    piece, silent = piece_of(simple_metre(4)), "." * 16
    write_groove(piece, replace(drummer_of(Groove(silent, silent, silent)), pedal_hat=True), 0, groove_steps=16)
    closed_s = [start_s for kind, start_s in piece.score.hits if kind == "hat"]
    assert closed_s == pytest.approx([piece.timeline.at(0, 1), piece.timeline.at(0, 3)])


def test_every_player_of_a_percussion_group_repeats_one_pattern():
    piece = piece_of(simple_metre(4))
    # Nobody is absent, and no stroke is left out.
    piece.chance.happens = lambda probability: probability > 0.5
    write_percussion_group(piece, "djembe")
    for player in PERCUSSION_GROUPS["djembe"]:
        hits_s = [start_s for kind, start_s in piece.score.hits if kind == player.piece_of_kit]
        possible = [
            [
                piece.timeline.at(bar, step / 4)
                for bar in piece.timeline.audible_bars()
                for step, symbol in enumerate(pattern)
                if symbol != "."
            ]
            for pattern in player.patterns
        ]
        assert any(hits_s == pytest.approx(expected_s) for expected_s in possible)
