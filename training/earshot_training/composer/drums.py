"""The drum part: a groove for each theme, fills at the ends of sections and crashes at their beginnings."""

from __future__ import annotations

from dataclasses import dataclass

from .chance import Chance
from .drum_patterns import CYMBALS, KICKS, SNARES
from .instruments import DrumKit
from .invention import invent_rhythm
from .patterns import fit, strokes
from .piece import Piece
from .timeline import Metre

# Feels whose kick may be invented; the kick defines the others.
INVENTABLE_KICKS = {"rock", "hip", "funk", "break", "half"}

# Probabilities, and the limits, gains and ranges below, are set by ear to vary songs and bars.
# Per song:
INVENTED_KICK_CHANCE = 0.3
SAME_BEAT_IN_BOTH_THEMES_CHANCE = 0.6
ANSWERING_KICK_CHANCE = 0.35
SNARE_IN_QUIET_SECTIONS_CHANCE = 0.8
KICK_FOLLOWS_PUSH_CHANCE = 0.4
HALVED_ODD_BAR_CHANCE = 0.7
# Per group of an odd bar, per bar, and per stroke:
KICK_INSIDE_GROUP_CHANCE = 0.3
EXTRA_KICK_CHANCE = 0.04
KICK_UNDER_FILL_CHANCE = 0.4
KICK_OR_SNARE_STRUCK_CHANCE = 0.98
CYMBAL_STRUCK_CHANCE = 0.97

QUIET_INTENSITY_MAX = 0.4
INVENTED_KICKS_PER_PULSE = 0.6


@dataclass(frozen=True)
class DrumStyle:
    kicks: tuple[str, ...]
    snares: tuple[str, ...]
    cymbals: tuple[str, ...]
    kits: tuple[str, ...]
    snare_pieces: tuple[str, ...] = ("snare", "snare", "snare", "rim")
    cymbal_pieces: tuple[str, ...] = ("hat", "hat", "hat", "ride", "shaker")
    percussion_chance: float = 0.15
    crash_chance: float = 0.4
    open_hat_chance: float = 0.0
    """Chance that the hat opens between the beats."""
    pedal_hat_chance: float = 0.0
    """Chance that the pedal closes the hat on two and four."""
    fill_chance: float = 0.5


@dataclass(frozen=True)
class Groove:
    kick: str
    snare: str
    cymbal: str


def odd_groove(chance: Chance, metre: Metre) -> Groove:
    """For bars of five, seven or uneven groups: a kick where a group starts, a snare within it."""
    if len(metre.beat_pulses) == metre.pulses_per_bar:
        half = (metre.pulses_per_bar + 1) // 2
        group_starts = [0, half] if chance.happens(HALVED_ODD_BAR_CHANCE) else [0, 2, 4][: metre.pulses_per_bar // 2]
    else:
        group_starts = list(metre.beat_pulses)
    steps = metre.steps_per_pulse
    kick, snare, cymbal = (["."] * metre.steps_per_bar for _ in range(3))
    for index, start in enumerate(group_starts):
        following = group_starts[index + 1] if index + 1 < len(group_starts) else metre.pulses_per_bar
        kick[start * steps] = "X" if index == 0 else "x"
        snare[min(start + max(1, (following - start) // 2), metre.pulses_per_bar - 1) * steps] = "x"
        if chance.happens(KICK_INSIDE_GROUP_CHANCE):
            kick[min(start * steps + steps + steps // 2, metre.steps_per_bar - 1)] = "o"
    stride = chance.pick([steps, max(1, steps // 2)])
    for step in range(0, metre.steps_per_bar, stride):
        cymbal[step] = "X" if step // steps in group_starts and step % steps == 0 else "o"
    return Groove("".join(kick), "".join(snare), "".join(cymbal))


def draw_groove(piece: Piece, style: DrumStyle) -> Groove:
    """One bar of kick, snare and cymbal in the piece's metre."""
    chance, metre = piece.chance, piece.metre
    if metre.steps_per_pulse == 3:
        return _groove_of_family(chance, metre, "six_eight" if metre.pulses_per_bar == 2 else "twelve_eight")
    if metre.pulses_per_bar in (5, 7) or len(metre.beat_pulses) != metre.pulses_per_bar:
        return odd_groove(chance, metre)
    if metre.pulses_per_bar == 3:
        return _groove_of_family(chance, metre, "waltz")
    feel = chance.pick(style.kicks)
    invented = piece.invents and feel in INVENTABLE_KICKS and chance.happens(INVENTED_KICK_CHANCE)
    kick = _invent_kick(chance, metre) if invented else chance.pick(KICKS[feel])
    snare = chance.pick(SNARES[chance.pick(style.snares)])
    cymbal = chance.pick(CYMBALS[chance.pick(style.cymbals)])
    return Groove(fit(kick, metre), fit(snare, metre), fit(cymbal, metre))


def _groove_of_family(chance: Chance, metre: Metre, family: str) -> Groove:
    return Groove(*(fit(chance.pick(table[family]), metre) for table in (KICKS, SNARES, CYMBALS)))


def _invent_kick(chance: Chance, metre: Metre) -> str:
    return "X" + invent_rhythm(chance, metre, INVENTED_KICKS_PER_PULSE)[1:].replace("-", ".")


@dataclass(frozen=True)
class Drummer:
    """A drummer's choices for a whole song."""

    kit: DrumKit
    grooves: tuple[Groove, Groove]
    """One for each theme of the form."""
    answer_kick: str | None
    """A second kick pattern for every other bar; None where every bar has the same."""
    snare_piece: str
    cymbal_piece: str
    kick_gain: float
    snare_gain: float
    cymbal_gain: float
    percussion: str | None
    fill_chance: float
    crash_chance: float
    open_hats: bool
    pedal_hat: bool
    snare_plays_always: bool
    kick_follows_push: bool


def draw_drummer(piece: Piece, style: DrumStyle) -> Drummer:
    chance = piece.chance
    return Drummer(
        kit=DrumKit(chance, piece.bank, chance.pick(style.kits)),
        grooves=_draw_grooves(piece, style),
        answer_kick=draw_groove(piece, style).kick if chance.happens(ANSWERING_KICK_CHANCE) else None,
        snare_piece=chance.pick(style.snare_pieces),
        cymbal_piece=chance.pick(style.cymbal_pieces),
        kick_gain=chance.uniform(0.8, 1.1),
        snare_gain=chance.uniform(0.7, 1.1),
        cymbal_gain=chance.uniform(0.2, 0.8),
        percussion=_draw_percussion(chance, piece.metre) if chance.happens(style.percussion_chance) else None,
        fill_chance=chance.uniform(0, 2) * style.fill_chance,
        crash_chance=chance.uniform(0, 2) * style.crash_chance,
        open_hats=chance.happens(style.open_hat_chance),
        pedal_hat=chance.happens(style.pedal_hat_chance),
        snare_plays_always=chance.happens(SNARE_IN_QUIET_SECTIONS_CHANCE),
        kick_follows_push=chance.happens(KICK_FOLLOWS_PUSH_CHANCE),
    )


def _draw_grooves(piece: Piece, style: DrumStyle) -> tuple[Groove, Groove]:
    first, second = draw_groove(piece, style), draw_groove(piece, style)
    if piece.chance.happens(SAME_BEAT_IN_BOTH_THEMES_CHANCE):
        second = Groove(first.kick, first.snare, second.cymbal)
    return first, second


def _draw_percussion(chance: Chance, metre: Metre) -> str:
    density = chance.pick([0.2, 0.3, 0.5])
    return "".join("x" if chance.happens(density) else "." for _ in range(metre.steps_per_bar))


def write_drums(piece: Piece, style: DrumStyle) -> None:
    drummer = draw_drummer(piece, style)
    for bar in piece.bars_of("drums"):
        groove_steps = _draw_groove_steps(piece, drummer, bar)
        write_groove(piece, drummer, bar, groove_steps)
        if groove_steps < piece.metre.steps_per_bar:
            _write_fill(piece, drummer.kit, bar, groove_steps)


def _draw_groove_steps(piece: Piece, drummer: Drummer, bar: int) -> int:
    """Number of steps of the bar before the fill; fills come at the ends of sections."""
    chance, metre = piece.chance, piece.metre
    if not (piece.form.is_last_bar(bar) and chance.happens(drummer.fill_chance)):
        return metre.steps_per_bar
    return max(0, metre.steps_per_bar - chance.pick([1, 2, 2, 4]) * metre.steps_per_pulse)


def write_groove(piece: Piece, drummer: Drummer, bar: int, groove_steps: int) -> None:
    """Writes one bar. After `groove_steps` snare and cymbal stop for the fill; the kick may continue."""
    chance, timeline, score, kit = piece.chance, piece.timeline, piece.score, drummer.kit
    section = piece.form.at(bar)
    groove = drummer.grooves[section.theme % 2]
    if piece.form.bar_of_section(bar) == 0 and chance.happens(drummer.crash_chance):
        score.hit(kit, "crash", timeline.at(bar, 0), chance.uniform(0.4, 0.9))
    _write_kick(piece, drummer, bar, groove_steps)
    if drummer.snare_plays_always or section.intensity > QUIET_INTENSITY_MAX:
        for stroke in strokes(groove.snare, piece.metre):
            if stroke.step < groove_steps and chance.happens(KICK_OR_SNARE_STRUCK_CHANCE):
                gain = drummer.snare_gain * stroke.velocity
                score.hit(kit, drummer.snare_piece, timeline.at(bar, stroke.pulse), gain)
    for stroke in strokes(groove.cymbal, piece.metre):
        if stroke.step < groove_steps and chance.happens(CYMBAL_STRUCK_CHANCE):
            gain = drummer.cymbal_gain * stroke.velocity
            score.hit(kit, drummer.cymbal_piece, timeline.at(bar, stroke.pulse), gain)
    _write_extras(piece, drummer, bar)


def _write_kick(piece: Piece, drummer: Drummer, bar: int, groove_steps: int) -> None:
    chance, metre, timeline, score = piece.chance, piece.metre, piece.timeline, piece.score
    kick = drummer.grooves[piece.form.at(bar).theme % 2].kick
    if drummer.answer_kick is not None and bar % 2:
        kick = drummer.answer_kick
    pushed_pulses = piece.push_pulses if drummer.kick_follows_push and bar in piece.pushed_bars else 0.0
    for stroke in strokes(kick, metre):
        plays = stroke.step < groove_steps or chance.happens(KICK_UNDER_FILL_CHANCE)
        if plays and chance.happens(KICK_OR_SNARE_STRUCK_CHANCE):
            pulse = -pushed_pulses if stroke.pulse == 0 else stroke.pulse
            score.hit(drummer.kit, "kick", timeline.at(bar, pulse), drummer.kick_gain * stroke.velocity)
    if chance.happens(EXTRA_KICK_CHANCE):
        pulse = chance.randrange(metre.steps_per_bar) / metre.steps_per_pulse
        score.hit(drummer.kit, "kick", timeline.at(bar, pulse), drummer.kick_gain * 0.6)


def _write_extras(piece: Piece, drummer: Drummer, bar: int) -> None:
    """Open hats between the beats, the pedal on two and four, and percussion, none of which stops for a fill."""
    metre, timeline, score, kit = piece.metre, piece.timeline, piece.score, drummer.kit
    if drummer.open_hats:
        for _, beat_end in metre.beat_spans():
            start_s = timeline.at(bar, beat_end - 1 / metre.eighths_per_pulse)
            score.hit(kit, "open_hat", start_s, drummer.cymbal_gain * 0.9)
    if drummer.pedal_hat and metre.pulses_per_bar == 4:
        for pulse in (1, 3):
            score.hit(kit, "hat", timeline.at(bar, pulse), drummer.cymbal_gain * 0.7)
    if drummer.percussion is not None:
        for stroke in strokes(drummer.percussion, metre):
            score.hit(kit, "percussion", timeline.at(bar, stroke.pulse), piece.chance.uniform(0.15, 0.45))


def _write_fill(piece: Piece, kit: DrumKit, bar: int, first_step: int) -> None:
    chance, steps = piece.chance, piece.metre.steps_per_pulse
    density, drum = chance.uniform(0.4, 1.0), chance.pick(["tom", "tom", "snare"])
    for step in range(first_step, piece.metre.steps_per_bar):
        if chance.happens(density):
            start_s = piece.timeline.at(bar, step / steps)
            piece.score.hit(kit, drum, start_s, chance.uniform(0.5, 1.0), step // 2)
