"""Sound without a pulse: talk, applause, drones. From these the beat network learns to report no beats.

Rates, lengths and levels are set by ear.
"""

from __future__ import annotations

from .harmony import SCALES
from .instruments import DrumKit, draw_instrument
from .piece import Piece, at_or_above
from .score import ACCOMPANIMENT, COLOUR, LEAD
from .timeline import CLIP_S


def write_talk(piece: Piece) -> None:
    """One voice or two in alternation: phrases of uneven syllables with falling pitch, and pauses between them."""
    chance = piece.chance
    speakers = [draw_instrument(chance, piece.bank, "speech") for _ in range(chance.pick([1, 1, 2]))]
    registers_midi = [chance.uniform(40, 58) for _ in speakers]
    syllable_s = chance.uniform(0.13, 0.26)
    turn, now_s = 0, chance.uniform(-1.0, 1.0)
    while now_s < CLIP_S:
        syllables = chance.randrange(3, 16)
        for index in range(syllables):
            length_s = syllable_s * chance.uniform(0.45, 1.8)
            pitch_midi = registers_midi[turn] + 4 - 6 * index / syllables + chance.gauss(0, 1.2)
            piece.score.note(speakers[turn], LEAD, now_s, length_s, pitch_midi, chance.uniform(0.45, 1.0))
            now_s += length_s
        now_s += chance.uniform(0.15, 1.4)
        if chance.happens(0.3):
            turn = (turn + 1) % len(speakers)


def write_applause(piece: Piece) -> None:
    """Claps at random times, of varying density, with an occasional shout."""
    chance = piece.chance
    hands = [DrumKit(chance, piece.bank, "synthesised") for _ in range(4)]
    crowd = draw_instrument(chance, piece.bank, "voice")
    strokes_per_s = chance.log_uniform(6, 40)
    now_s = 0.0
    while now_s < CLIP_S:
        stroke = chance.pick(["clap", "clap", "rim", "shaker"])
        piece.score.hit(chance.pick(hands), stroke, now_s, chance.uniform(0.2, 1.0))
        if chance.happens(0.02):
            piece.score.note(crowd, LEAD, now_s, chance.uniform(0.2, 1.2), chance.uniform(52, 72), 0.6)
        strokes_per_s = min(60.0, max(3.0, strokes_per_s * 2 ** chance.gauss(0, 0.06)))
        now_s += chance.expovariate(strokes_per_s)


def write_drone(piece: Piece) -> None:
    """Long tones that start at random times, and an occasional struck one."""
    chance = piece.chance
    scale, tonic = SCALES[piece.harmony.mode], piece.harmony.tonic
    held = [draw_instrument(chance, piece.bank, chance.pick(["pad", "strings", "choir"])) for _ in range(2)]
    struck = draw_instrument(chance, piece.bank, chance.pick(["mallet", "harp", "piano", "keys"]))
    mean_gap_s = chance.uniform(0.25, 0.6)
    now_s = -1.0
    while now_s < CLIP_S:
        lowest_midi = chance.pick([36, 48, 48, 60])
        pitch_midi = at_or_above((tonic + chance.pick([0, 0, scale[4], *scale])) % 12, lowest_midi)
        if chance.happens(0.2):
            piece.score.note(struck, COLOUR, now_s, 2.0, pitch_midi + 12, chance.uniform(0.1, 0.5))
        else:
            length_s, velocity = chance.uniform(1.5, 3.0), chance.uniform(0.2, 0.7)
            piece.score.note(chance.pick(held), ACCOMPANIMENT, now_s, length_s, pitch_midi, velocity)
        now_s += chance.expovariate(1 / mean_gap_s)
