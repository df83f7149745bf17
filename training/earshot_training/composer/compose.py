"""Composes one clip: its events and its annotations (beats, chords and key).

Probabilities and ranges are set by hand, not measured on a corpus, to vary the clips as widely as music does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..sounds.bank import SoundBank
from .ballad import write_ballad
from .bass import write_bass
from .chance import Chance
from .comping import write_comping
from .concert import write_choir, write_counterpoint, write_ensemble, write_keyboard_piece
from .drums import write_drums
from .form import Form, Harmony, plan_form
from .harmony import NO_CHORD, UNSCORED
from .melody import SWUNG_EIGHTHS_MIN, write_melody
from .percussion_group import write_percussion_group
from .piece import Piece
from .progressions import PROGRESSIONS
from .pulseless import write_applause, write_drone, write_talk
from .score import ACCOMPANIMENT, COLOUR, DRUMS, LEAD, STEM_COUNT, Score, field_of, without_drums
from .silence import draw_silence, keep_between
from .style import Style
from .styles import TRAINING_STYLES
from .timeline import CLIP_S, Feel, Metre, Timeline

CHORD_FRAMES_PER_S = 10
CHORD_FRAMES = int(CLIP_S * CHORD_FRAMES_PER_S)
BARS_PER_CHORD = (0.25, 0.5, 1.0, 2.0, 4.0)
# Fewer pitched notes than this do not define a chord.
PITCHED_NOTES_MIN = 2
NOTES_FOR_KEY_MIN = 12
# Below it the band may anticipate a bar by a sixteenth instead of an eighth.
SIXTEENTH_PUSH_BPM = 84.0
COMPOUND_BPM_MAX = 84.0
# Frames within the first of their notes have a chord label, those beyond the second of any note are no chord; frames
# between are unscored.
CHORD_REACH_S, SILENCE_REACH_S = 0.1, 0.8
INVENTIVE_CHANCE = 0.35
PULSELESS_ENSEMBLES = {"talk": write_talk, "applause": write_applause, "drone": write_drone}


@dataclass(frozen=True)
class Mix:
    """Production settings. The lists have one number per stem."""

    level_db: list[float]
    drive: list[float]
    """Gain into the distorting tanh; 0 is clean."""
    pump_share: float
    """Share by which every beat lowers the gain."""
    reverb_wet: float
    """Level of the reverb, 0 to 1."""
    reverb_s: float
    """Time in which the reverb decays by 60 dB."""
    swells_db: float
    """Standard deviation of slow changes of the level."""


@dataclass(frozen=True)
class Clip:
    style: str
    events: np.ndarray
    beats_s: list[float]
    downbeats_s: list[float]
    chord_labels: np.ndarray
    """Per tenth of a second: 0..23 major and minor triads, 24 no chord, UNSCORED where the notes leave it open."""
    key_label: int | None
    """0..11 major, 12..23 minor; None without a pulse or with too few pitched notes to define a key."""
    beats_per_bar: int
    mix: Mix


def compose_clip(bank: SoundBank, seed: int, styles: list[Style] = TRAINING_STYLES) -> Clip:
    chance = Chance(seed)
    style = chance.choices(styles, weights=[s.weight for s in styles])[0]
    metre = chance.pick_weighted(style.metres)
    timeline = Timeline(chance, metre, _draw_tempo_bpm(chance, style, metre), _draw_feel(chance, style))
    form = plan_form(chance, timeline.bar_count, [4, 4, 8, 8, 2] if style.ensemble != "ballad" else [4, 8, 8])
    harmony = _plan_harmony(chance, style, timeline, form)
    jitter_s = abs(chance.gauss(0, style.timing_jitter_s)) if chance.happens(0.75) else 0.0
    tuning_ratio = 2 ** (chance.uniform(-0.35, 0.35) / 12) if chance.happens(0.5) else 1.0
    piece = Piece(chance, bank, timeline, form, harmony, Score(chance, jitter_s, tuning_ratio))
    piece.invents = chance.happens(INVENTIVE_CHANCE)
    piece.pushed_bars.update(_draw_pushes(chance, style, timeline))
    if timeline.pulse_bpm < SIXTEENTH_PUSH_BPM and chance.happens(0.5):
        piece.push_pulses = 0.25
    _write_parts(piece, style)
    entrance_s, exit_s = draw_silence(chance)
    events = keep_between(piece.score.events(), entrance_s, exit_s)
    has_pulse = style.ensemble not in PULSELESS_ENSEMBLES
    has_key = has_pulse and len(without_drums(events)) >= NOTES_FOR_KEY_MIN
    return Clip(
        style=style.name,
        events=events,
        beats_s=[t_s for t_s in timeline.beat_times_s() if has_pulse and entrance_s <= t_s <= exit_s],
        downbeats_s=[t_s for t_s in timeline.downbeat_times_s() if has_pulse and entrance_s <= t_s <= exit_s],
        chord_labels=label_chords(piece, events) if style.ensemble != "talk" else np.full(CHORD_FRAMES, NO_CHORD),
        key_label=harmony.key_label if has_key else None,
        beats_per_bar=len(metre.beat_pulses),
        mix=_draw_mix(chance, style),
    )


def _draw_tempo_bpm(chance: Chance, style: Style, metre: Metre) -> float:
    bpm = chance.log_middling(*style.tempo_bpm)
    # Some songs are slower or faster than their style usually is.
    if chance.happens(0.06):
        bpm *= chance.uniform(0.88, 1.14)
    if metre.steps_per_pulse == 3 and bpm > COMPOUND_BPM_MAX:
        # Style ranges are for beats of two or four notes. A compound beat holds three and would pass too fast.
        bpm = bpm * 2 / 3
    if metre.pulses_per_bar == 7 and len(metre.beat_pulses) == 7:
        # Listeners count seven slow beats as fourteen.
        bpm = max(bpm, 100.0)
    return bpm


def _draw_feel(chance: Chance, style: Style) -> Feel:
    eighth = chance.uniform(*style.eighth_swing)
    # Only one level swings: with swung eighths, sixteenths are even.
    sixteenth = chance.uniform(*style.sixteenth_swing) if chance.happens(0.6) and eighth <= SWUNG_EIGHTHS_MIN else 0.5
    steady = chance.happens(style.machine_time_chance)
    expressive = style.rubato > 0 and chance.happens(0.65)
    return Feel(
        eighth_swing=eighth,
        sixteenth_swing=sixteenth,
        drift=0.0 if steady else abs(chance.gauss(0, style.drift)),
        phrase_rubato=chance.uniform(0, 2) * style.rubato if expressive else 0.0,
        phrase_bars=chance.pick([2, 4, 4, 8]),
        fermata_chance=0.15 if expressive and chance.happens(0.3) else 0.0,
    )


def _draw_pushes(chance: Chance, style: Style, timeline: Timeline) -> list[int]:
    if timeline.metre.steps_per_pulse != 4 or not chance.happens(style.push_chance):
        return []
    every, share = chance.pick([1, 2, 2, 4]), chance.uniform(0.3, 1.0)
    phase = chance.randrange(every)
    return [bar for bar in timeline.audible_bars() if bar % every == phase and chance.happens(share)]


def _plan_harmony(chance: Chance, style: Style, timeline: Timeline, form: Form) -> Harmony:
    idiom = chance.pick(style.idioms)
    modes = PROGRESSIONS[idiom]
    mode = "minor" if chance.happens(style.minor_chance) else "major"
    if mode not in modes:
        mode = next(iter(modes))
    metre = timeline.metre
    bar_s = metre.pulses_per_bar * 60 / timeline.pulse_bpm
    if idiom == "blues":
        bars_per_chord = 1.0
    else:
        weights = {bars: math.exp(-2.2 * abs(math.log(bars * bar_s / style.chord_s))) for bars in BARS_PER_CHORD}
        # Four chords in so short a bar would sound like a run.
        if bar_s < 2.4:
            weights[0.25] = 0.0
        bars_per_chord = chance.pick_weighted(weights)
    return Harmony(chance, metre, form, idiom, mode, chance.randrange(12), bars_per_chord)


def _write_parts(piece: Piece, style: Style) -> None:
    chance = piece.chance
    if style.drums is not None and chance.happens(style.drum_chance):
        write_drums(piece, style.drums)
    if style.percussion_group is not None and chance.happens(0.8):
        write_percussion_group(piece, style.percussion_group)
    writers = {
        "keyboard": write_keyboard_piece,
        "orchestra": write_ensemble,
        "counterpoint": write_counterpoint,
        "drums": lambda p: None,
        "choir": lambda p: write_choir(p, solo=chance.happens(0.5)),
        **PULSELESS_ENSEMBLES,
    }
    if style.ensemble in writers:
        writers[style.ensemble](piece)
        return
    if chance.happens(style.bass_chance):
        write_bass(piece, chance.pick(style.bass_lines), chance.pick(style.bass_groups))
    if style.ensemble == "ballad":
        write_ballad(piece, sung=style.name == "sung_ballad")
        if chance.happens(0.45):
            comping, group = chance.pick(style.compings), chance.pick(style.comping_groups)
            write_comping(piece, "colour", COLOUR, comping, group, chance.pick([52, 55, 60]))
        return
    _write_band(piece, style)


def _write_band(piece: Piece, style: Style) -> None:
    chance = piece.chance
    comping, group = chance.pick(style.compings), chance.pick(style.comping_groups)
    write_comping(piece, "accompaniment", ACCOMPANIMENT, comping, group, chance.pick([48, 52, 55, 60]))
    if chance.happens(0.55):
        comping = chance.pick([*style.compings, "pad", "arpeggio"])
        group = chance.pick([*style.comping_groups, "strings", "pad", "organ"])
        write_comping(piece, "colour", COLOUR, comping, group, chance.pick([52, 58, 62]))
    if chance.happens(style.lead_chance):
        write_melody(piece, "lead", LEAD, chance.pick(style.leads), style.melody)
    if chance.happens(0.25):
        write_melody(piece, "colour", COLOUR, chance.pick([*style.leads, "brass", "strings"]), style.melody)


def label_chords(piece: Piece, events: np.ndarray) -> np.ndarray:
    labels = np.full(CHORD_FRAMES, UNSCORED, np.int64)
    for bar in sorted(piece.voiced_bars):
        starts = piece.harmony.slot_starts(bar)
        for start, end in zip(starts, [*starts[1:], piece.metre.pulses_per_bar]):
            # The label of frame n is for the time n / CHORD_FRAMES_PER_S.
            first, last = (math.ceil(piece.timeline.at(bar, pulse) * CHORD_FRAMES_PER_S) for pulse in (start, end))
            label = piece.harmony.at(bar, start).label
            labels[max(0, first) : max(0, last)] = UNSCORED if label is None else label
    labels[_count_pitched(events, CHORD_REACH_S) < PITCHED_NOTES_MIN] = UNSCORED
    labels[_count_pitched(events, SILENCE_REACH_S) == 0] = NO_CHORD
    return labels


def _count_pitched(events: np.ndarray, reach_s: float) -> np.ndarray:
    """Number of pitched notes that sound in each tenth of a second, each lengthened by `reach_s` at both ends."""
    pitched = without_drums(events)
    start_s, duration_s = field_of(pitched, "start_s"), field_of(pitched, "duration_s")
    change = np.zeros(CHORD_FRAMES + 1, np.int64)
    first = np.clip((start_s - reach_s) * CHORD_FRAMES_PER_S, 0, CHORD_FRAMES).astype(int)
    last = np.clip((start_s + duration_s + reach_s) * CHORD_FRAMES_PER_S + 1, 0, CHORD_FRAMES).astype(int)
    np.add.at(change, first, 1)
    np.add.at(change, last, -1)
    return np.cumsum(change)[:CHORD_FRAMES]


def _draw_mix(chance: Chance, style: Style) -> Mix:
    drive = [0.0] * STEM_COUNT
    low, high = style.guitar_drive
    if high > 0 and (style.name == "metal" or chance.happens(0.6)):
        drive[ACCOMPANIMENT] = chance.uniform(low, high)
        drive[COLOUR] = chance.uniform(low, high) * 0.5 if chance.happens(0.5) else 0.0
    if chance.happens(0.15):
        drive[LEAD] = chance.uniform(1, 12)
    if chance.happens(0.12):
        drive[DRUMS] = chance.uniform(1, 8)
    has_drums = style.drums is not None
    centre_db = [2.0 if has_drums else -2.0, -1.0, -2.0, -5.0, 3.0 if "speech" in style.leads else 0.0]
    spread_db = 4.0
    if style.ensemble == "ballad":
        centre_db, spread_db = [-1.0, -1.0, 0.0, -4.0, 1.0], 3.5
    return Mix(
        level_db=[chance.gauss(centre, spread_db) for centre in centre_db],
        drive=drive,
        pump_share=chance.uniform(0.3, 0.9) if chance.happens(style.pump_chance) else 0.0,
        reverb_wet=min(0.9, chance.uniform(0, 2 * style.reverb) * chance.uniform(0.2, 1)),
        reverb_s=chance.uniform(0.15, 2.2),
        swells_db=chance.uniform(0, 2 * style.swells_db) if chance.happens(0.5) else 0.0,
    )
