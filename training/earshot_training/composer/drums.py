"""The drummer: a groove for each section, ghost strokes, fills at section ends and crashes after them."""

from __future__ import annotations

from dataclasses import dataclass

from .chance import Chance
from .drum_patterns import CYMBALS, KICKS, SNARES
from .instruments import DrumKit
from .invention import invent_rhythm
from .patterns import fit, strokes
from .piece import Piece
from .timeline import Metre

INVENTED_KICKS = {"rock", "hip", "funk", "break", "half"}


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
    open_hat_offbeats: float = 0.0
    hat_on_two_and_four: float = 0.0
    fill_chance: float = 0.5


@dataclass(frozen=True)
class Groove:
    kick: str
    snare: str
    cymbal: str


def odd_groove(chance: Chance, metre: Metre) -> Groove:
    """For bars of five, seven or uneven groups: kick where a group starts, snare inside it."""
    if len(metre.beat_pulses) == metre.pulses_per_bar:
        half = (metre.pulses_per_bar + 1) // 2
        group_starts = [0, half] if chance.happens(0.7) else [0, 2, 4][: metre.pulses_per_bar // 2]
    else:
        group_starts = list(metre.beat_pulses)
    steps = metre.steps_per_pulse
    kick, snare, cymbal = (["."] * metre.steps_per_bar for _ in range(3))
    for index, start in enumerate(group_starts):
        following = group_starts[index + 1] if index + 1 < len(group_starts) else metre.pulses_per_bar
        kick[start * steps] = "X" if index == 0 else "x"
        snare[min(start + max(1, (following - start) // 2), metre.pulses_per_bar - 1) * steps] = "x"
        if chance.happens(0.3):
            kick[min(start * steps + steps + steps // 2, metre.steps_per_bar - 1)] = "o"
    stride = chance.pick([steps, max(1, steps // 2)])
    for step in range(0, metre.steps_per_bar, stride):
        cymbal[step] = "X" if step // steps in group_starts and step % steps == 0 else "o"
    return Groove("".join(kick), "".join(snare), "".join(cymbal))


def draw_groove(piece: Piece, style: DrumStyle) -> Groove:
    chance, metre = piece.chance, piece.metre
    if metre.steps_per_pulse == 3:
        family = "six_eight" if metre.pulses_per_bar == 2 else "twelve_eight"
        return Groove(*(chance.pick(table[family]) for table in (KICKS, SNARES, CYMBALS)))
    if metre.pulses_per_bar in (5, 7) or len(metre.beat_pulses) != metre.pulses_per_bar:
        return odd_groove(chance, metre)
    if metre.pulses_per_bar == 3:
        return Groove(*(chance.pick(table["waltz"]) for table in (KICKS, SNARES, CYMBALS)))
    kicks = chance.pick(style.kicks)
    invented = piece.invents and kicks in INVENTED_KICKS and chance.happens(0.3)
    return Groove(
        "X" + invent_rhythm(chance, metre, 0.6)[1:].replace("-", ".") if invented else chance.pick(KICKS[kicks]),
        chance.pick(SNARES[chance.pick(style.snares)]),
        chance.pick(CYMBALS[chance.pick(style.cymbals)]),
    )


def write_drums(piece: Piece, style: DrumStyle) -> None:
    chance, metre, timeline, score = piece.chance, piece.metre, piece.timeline, piece.score
    kit = DrumKit(chance, piece.bank, chance.pick(style.kits))
    grooves = [draw_groove(piece, style) for _ in range(2)]
    if chance.happens(0.6):
        grooves[1] = Groove(grooves[0].kick, grooves[0].snare, grooves[1].cymbal)
    # Some drummers alternate two kicks bar by bar.
    answer_kick = draw_groove(piece, style).kick if chance.happens(0.35) else None
    snare_piece, cymbal_piece = chance.pick(style.snare_pieces), chance.pick(style.cymbal_pieces)
    kick_gain, snare_gain, cymbal_gain = chance.uniform(0.8, 1.1), chance.uniform(0.7, 1.1), chance.uniform(0.2, 0.8)
    percussion = None
    if chance.happens(style.percussion_chance):
        density = chance.pick([0.2, 0.3, 0.5])
        percussion = "".join("x" if chance.happens(density) else "." for _ in range(metre.steps_per_bar))
    fill_chance, crash_chance = chance.uniform(0, 2) * style.fill_chance, chance.uniform(0, 2) * style.crash_chance
    open_hats = chance.happens(style.open_hat_offbeats)
    pedal_hat = chance.happens(style.hat_on_two_and_four)
    snare_plays_always = chance.happens(0.8)
    kick_follows_push = chance.happens(0.4)

    for bar in piece.bars_of("drums"):
        section = piece.form.at(bar)
        groove = grooves[section.theme % 2]
        fills = piece.form.is_last_bar(bar) and chance.happens(fill_chance)
        fill_step = metre.steps_per_bar - chance.pick([1, 2, 2, 4]) * metre.steps_per_pulse if fills else 10**6
        if piece.form.bar_of_section(bar) == 0 and chance.happens(crash_chance):
            score.hit(kit, "crash", timeline.at(bar, 0), chance.uniform(0.4, 0.9))
        kick = answer_kick if answer_kick is not None and bar % 2 else groove.kick
        for stroke in strokes(kick, metre):
            if (stroke.step < fill_step or chance.happens(0.4)) and chance.happens(0.98):
                early = (
                    piece.push_pulses if stroke.pulse == 0 and bar in piece.pushed_bars and kick_follows_push else 0.0
                )
                score.hit(kit, "kick", timeline.at(bar, stroke.pulse - early), kick_gain * stroke.velocity)
        if chance.happens(0.04):
            extra = chance.randrange(metre.steps_per_bar) / metre.steps_per_pulse
            score.hit(kit, "kick", timeline.at(bar, extra), kick_gain * 0.6)
        if snare_plays_always or section.intensity > 0.4:
            for stroke in strokes(groove.snare, metre):
                if stroke.step < fill_step and chance.happens(0.98):
                    score.hit(kit, snare_piece, timeline.at(bar, stroke.pulse), snare_gain * stroke.velocity)
        for stroke in strokes(groove.cymbal, metre):
            if stroke.step < fill_step and chance.happens(0.97):
                score.hit(kit, cymbal_piece, timeline.at(bar, stroke.pulse), cymbal_gain * stroke.velocity)
        if open_hats:
            for pulse in range(metre.pulses_per_bar):
                score.hit(kit, "open_hat", timeline.at(bar, pulse + 0.5), cymbal_gain * 0.9)
        if pedal_hat and metre.pulses_per_bar == 4:
            for pulse in (1, 3):
                score.hit(kit, "hat", timeline.at(bar, pulse), cymbal_gain * 0.7)
        if percussion is not None:
            for stroke in strokes(percussion, metre):
                score.hit(kit, "percussion", timeline.at(bar, stroke.pulse), chance.uniform(0.15, 0.45), stroke.step)
        if fills:
            _write_fill(piece, kit, bar, fill_step)


def _write_fill(piece: Piece, kit: DrumKit, bar: int, first_step: int) -> None:
    chance, steps = piece.chance, piece.metre.steps_per_pulse
    density, piece_of_kit = chance.uniform(0.4, 1.0), chance.pick(["tom", "tom", "snare"])
    for step in range(max(0, first_step), piece.metre.steps_per_bar):
        if chance.happens(density):
            start_s = piece.timeline.at(bar, step / steps)
            piece.score.hit(kit, piece_of_kit, start_s, chance.uniform(0.5, 1.0), step // 2)


# --- percussion groups: several players, each with an interlocking pattern --------------------------------------------

ENSEMBLES: dict[str, list[tuple[str, list[str], float]]] = {
    # (piece of kit, patterns, loudness): samba's surdo answers on two, the others fill the sixteenths.
    "samba": [
        ("low_drum", ["o...X...o...X...", "....X.......X...", "o...X..xo...X..x"], 1.0),
        ("snare", ["XoxxoXoxXoxxoXox", "x.xx.x.xx.xx.x.x"], 0.5),
        ("shaker", ["XoxXXoxXXoxXXoxX", "XoooXoooXoooXooo"], 0.5),
        ("bell", ["x.x.xx.x.x.xx.x.", "x.xx.x.x.xx.x.x."], 0.5),
        ("high_drum", ["..xx..x...xx..x.", "x..xx.x.x..xx.x."], 0.6),
    ],
    "afro_cuban": [
        ("high_drum", ["x.o.o.xxx.o.o.xx", "oooxooxxoooxooxx"], 0.8),
        ("bell", ["x...x.x.x...x.x.", "x.x.x.xxx.x.x.xx"], 0.6),
        ("rim", ["x..x..x...x.x...", "..x.x...x..x..x."], 0.6),
        ("shaker", ["X.x.X.x.X.x.X.x."], 0.4),
    ],
    "palmas": [
        ("clap", ["x.x.x.x.x.x.x.x.", "x..x..x...x.x...", "X.xxX.xxX.xxX.xx"], 0.8),
        ("rim", ["..x...x...x...x.", "..xx..xx..xx..xx"], 0.5),
        ("low_drum", ["X.......x.......", "X.....x.x......."], 0.9),
    ],
    "tabla": [
        ("low_drum", ["X...x...X.......", "X.x.....X.x...x."], 0.9),
        ("high_drum", ["x.xxx.xxx.xxx.xx", "x.x.xxx.x.x.xxx.", "xxxxx.xxxxxxx.xx"], 0.7),
    ],
    "djembe": [
        ("low_drum", ["X.....x.X.......", "X..x....X..x...."], 1.0),
        ("high_drum", ["..xx..xx..xx..xx", "x.xx..xxx.xx..xx"], 0.7),
        ("shaker", ["x.xxx.xxx.xxx.xx"], 0.4),
    ],
}


def write_percussion_group(piece: Piece, ensemble: str) -> None:
    chance, metre = piece.chance, piece.metre
    for kind, patterns, loudness in ENSEMBLES[ensemble]:
        if chance.happens(0.2):
            continue
        kit = DrumKit(chance, piece.bank, chance.pick(["standard", "synthesised", "room"]))
        pattern = fit(chance.pick(patterns), metre)
        gain = loudness * chance.uniform(0.6, 1.1)
        for bar in piece.bars_of("drums"):
            for stroke in strokes(pattern, metre):
                if chance.happens(0.95):
                    piece.score.hit(kit, kind, piece.timeline.at(bar, stroke.pulse), gain * stroke.velocity)
