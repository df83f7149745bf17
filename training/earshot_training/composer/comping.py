"""Accompaniment: a rhythm (patterns.py) combined with a texture, which says how its strokes voice the chord.

Probabilities, lengths and velocities are set by ear.
"""

from __future__ import annotations

from collections.abc import Callable

from .chance import Chance
from .instruments import Instrument, draw_instrument
from .invention import invent_rhythm
from .patterns import SLOW_TWO_BEAT_BPM, Stroke, fit, strokes
from .piece import Piece, at_or_above, close_voicing
from .timeline import Metre

RHYTHMS: dict[str, list[str]] = {
    "held": ["X---------------"],
    "half_held": ["X-------x-------"],
    "quarters": ["X--.x--.x--.x--.", "X---x---x---x---"],
    "detached_quarters": ["X-..x-..x-..x-.."],
    "eighths": ["X-x-x-x-X-x-x-x-", "X.x.x.x.X.x.x.x."],
    "sixteenths": ["XoxoXoxoXoxoXoxo", "XxxxXxxxXxxxXxxx", "X.xxX.xxX.xxX.xx", "X-xxx-xxX-xxxxxx"],
    "strum": [
        "X--.x-x-..x-x-x-",
        "X-..x-x-X-..x-x-",
        "X--.X-x-.-x-X-x-",
        "X-x-X-x-X-x-X-x-",
        "X---x-x-..x-x-x-",
        "X--xX-xxX--xX-xx",
        "X-..X-xx.-xxX-xx",
        "X-x-Xox-Xox-Xoxo",
    ],
    "offbeats": ["..x...x...x...x."],
    "skank_double": ["..xx..xx..xx..xx", "..x...xx..x...xx"],
    "bubble": [".oxo.oxo.oxo.oxo"],
    "two_four": ["....x.......x...", "....x.x.....x.x."],
    "charleston": ["X.....x-........", "..x.....x.......", "X.....x-......x-"],
    "jazz_sparse": ["......x-........", "..x-......x-....", "....x-......x-..", "X-........x-....", "......x-......x-"],
    "stabs": [
        "X.....x...x.....",
        "X..x..x.....x...",
        "..x...x...x...x.",
        "X.....X.........",
        "x..x..x..x..x.x.",
        "....x..x....x...",
        "X..x....x..x....",
        "......x.......x.",
    ],
    "clave_stabs": ["X..x..x...x.x...", "..x.x...x..x..x."],
    "bossa": ["X--x--x-..x--x-.", "X..x..x...x..x..", "..x--x--X-.x-.x-"],
    "montuno": ["x..xx.x.x..xx.x.", "..xx..xx..xx..xx", "X.xx.xx.xx.xx.x."],
    "samba": ["x.x.xx.x.x.xx.x.", "X.xx.x.xx.xx.x.x", ".xx.x.xx.xx.x.xx"],
    "power_held": ["X---------------", "X-----------x-x-", "X-----x---------"],
    "chug": [
        "X.x.x.x.x.x.x.x.",
        "X.xxx.xxX.xxx.xx",
        "XxxxXxxxXxxxXxxx",
        "X..x..x.X..x..x.",
        "X.xxX.xxX.xxX.xx",
        "Xx.xx.xxXx.xx.xx",
    ],
    "riff": ["X.x..x.xx.x..x..", "X..x..X..x..X.x.", "X.x.X..x..x.X...", "X-..x.xx..x.X-..", "Xx..x.x.Xx..x.x."],
    "shuffle": ["X-o-X-o-X-o-X-o-"],
    "funk_scratch": ["x.ox.xo.xo.x.oxo", "..xo.ox...xo.oxo", "X.ooxo.oX.ooxo.x"],
    "waltz": ["....x-..x-..", "....x---x---", "X-------x---", "X---x---x---", "....x-x-x-x-"],
    "twelve_eight": ["XooXooXooXoo", "X--x--X--x--", "X-----x-----", "...x.....x..", "x.xx.xx.xx.x"],
    "six_eight": ["XooXoo", "X-ox-o", "X-----", "...x..", "X..x.x"],
    "tango": ["X--.x-..x-..x-x.", "X-..X-..X-..X-x-", "X--.....X-..x-.."],
    "march": ["..x...x...x...x.", "....x-......x-.."],
    "tremolo": ["XoooXoooXoooXooo"],
}

# D2: the lowest note of riffs and power chords.
POWER_LOWEST_MIDI = 38
# E2: the lowest string of a guitar.
GUITAR_LOWEST_MIDI = 40
# Probability that a stroke is played, and that a player of sparse chords draws another rhythm in every bar.
STROKE_CHANCE, LOOSE_CHANCE = 0.97, 0.3
# Probability that a rhythm is invented instead of taken from its family's table, by default and by family.
INVENTED_CHANCE = 0.12
INVENTED_CHANCES = {
    "held": 0.0,
    "half_held": 0.05,
    "stabs": 0.6,
    "strum": 0.35,
    "riff": 0.6,
    "funk_scratch": 0.4,
    "chug": 0.35,
}


class Texture:
    """The ways to play one stroke of accompaniment. Each instance draws its playing habits once and keeps them."""

    def __init__(self, piece: Piece, instrument: Instrument, stem: int, lowest_midi: int) -> None:
        self.piece, self.instrument, self.stem, self.lowest_midi = piece, instrument, stem, lowest_midi
        chance = piece.chance
        self.strum_s = chance.uniform(0.003, 0.02)
        self.order = [chance.randrange(6) for _ in range(16)]
        self.rising = chance.happens(0.6)
        self.rings = chance.happens(0.5)
        self.alberti_index = 0

    def notes(self, bar: int, pulse: float) -> list[int]:
        return close_voicing(self.piece.harmony.at(bar, pulse), self.lowest_midi)

    def sound(self, bar: int, stroke: Stroke, pitch_midi: int, velocity: float, delay_s: float = 0.0) -> None:
        length_pulses = stroke.length_pulses
        if self.rings:
            length_pulses = max(length_pulses, min(self.piece.pulses_to_chord_change(bar, stroke.pulse), 2.0) * 0.8)
        velocity *= stroke.velocity * self.piece.chance.uniform(0.88, 1.1)
        self.piece.play(
            self.instrument, self.stem, bar, stroke.pulse, length_pulses * 0.95, pitch_midi, velocity, delay_s
        )

    def block(self, bar: int, stroke: Stroke) -> None:
        for pitch_midi in self.notes(bar, stroke.pulse):
            self.sound(bar, stroke, pitch_midi, 0.6)

    def strum(self, bar: int, stroke: Stroke) -> None:
        """Strummed strings: all from low to high on the beat, the upper ones from high to low between beats."""
        chord = self.piece.harmony.at(bar, stroke.pulse)
        pitches_midi = close_voicing(chord, self.lowest_midi)
        pitches_midi = [
            at_or_above(chord.bass, self.lowest_midi - 12),
            *pitches_midi,
            *[midi + 12 for midi in pitches_midi[:2]],
        ]
        if stroke.pulse not in self.piece.metre.beat_pulses:
            pitches_midi = pitches_midi[:1:-1]
        for position, pitch_midi in enumerate(pitches_midi):
            self.sound(bar, stroke, pitch_midi, 0.5, position * self.strum_s)

    def power(self, bar: int, stroke: Stroke) -> None:
        chord = self.piece.harmony.at(bar, stroke.pulse)
        root_midi = at_or_above(chord.root, POWER_LOWEST_MIDI)
        for pitch_midi in (root_midi, root_midi + 7, root_midi + 12):
            self.sound(bar, stroke, pitch_midi, 0.6)

    def palm_mute(self, bar: int, stroke: Stroke) -> None:
        """Accents ring as power chords; the strokes between are short, root and fifth only."""
        if stroke.symbol == "X":
            self.power(bar, stroke)
        else:
            root_midi = at_or_above(self.piece.harmony.at(bar, stroke.pulse).root, POWER_LOWEST_MIDI)
            for pitch_midi in (root_midi, root_midi + 7):
                self.piece.play(
                    self.instrument, self.stem, bar, stroke.pulse, stroke.length_pulses * 0.6, pitch_midi, 0.45
                )

    def riff(self, bar: int, stroke: Stroke) -> None:
        degree = self.order[stroke.step % 16]
        pitch_midi = at_or_above(self.piece.harmony.tonic, POWER_LOWEST_MIDI) + (0, 0, 3, 5, 7, 10)[degree]
        for interval in (0, 7):
            self.sound(bar, stroke, pitch_midi + interval, 0.6)

    def arpeggio(self, bar: int, stroke: Stroke) -> None:
        pitches_midi = self.notes(bar, stroke.pulse)
        ladder_midi = [*pitches_midi, *[midi + 12 for midi in pitches_midi]]
        rank = self.order[stroke.step % 8]
        if self.rising:
            # Step through the chord note by note, whether the strokes are eighths or sixteenths.
            metre = self.piece.metre
            steps_per_eighth = metre.steps_per_pulse // metre.eighths_per_pulse
            is_eighth = stroke.length_pulses * metre.eighths_per_pulse >= 1
            rank = stroke.step // steps_per_eighth if is_eighth else stroke.step
        self.sound(bar, stroke, ladder_midi[rank % len(ladder_midi)], 0.8)

    def alberti(self, bar: int, stroke: Stroke) -> None:
        pitches_midi = self.notes(bar, stroke.pulse)
        self.alberti_index = self.alberti_index + 1 if stroke.step else 0
        self.sound(bar, stroke, pitches_midi[(0, 2, 1, 2)[self.alberti_index % 4] % len(pitches_midi)], 0.75)

    def picking(self, bar: int, stroke: Stroke) -> None:
        """Thumb on the beat, alternating bass and fifth; fingers between."""
        chord, beats = self.piece.harmony.at(bar, stroke.pulse), self.piece.metre.beat_pulses
        if stroke.pulse in beats:
            thumb_midi = at_or_above(chord.bass, self.lowest_midi - 12) + (7 if beats.index(stroke.pulse) % 2 else 0)
            self.sound(bar, stroke, thumb_midi, 0.85)
        else:
            pitches_midi = close_voicing(chord, self.lowest_midi)
            self.sound(bar, stroke, pitches_midi[self.order[stroke.step % 16] % len(pitches_midi)], 0.6)

    def boom_chick(self, bar: int, stroke: Stroke) -> None:
        """Bass and chord alternate, and so do root and fifth in the bass; in three, one bass note and two chords."""
        three = self.piece.metre.pulses_per_bar == 3
        on_bass = stroke.pulse == 0 if three else stroke.pulse % 2 == 0
        self._boom_or_chick(bar, stroke, on_bass, on_fifth=stroke.pulse >= 2 and not three)

    def boom_chick_in_eighths(self, bar: int, stroke: Stroke) -> None:
        """A bass on every beat: a two-beat that is counted at half the tempo, or compound time."""
        self._boom_or_chick(bar, stroke, on_bass=stroke.pulse % 1 == 0, on_fifth=int(stroke.pulse) % 2 == 1)

    def _boom_or_chick(self, bar: int, stroke: Stroke, on_bass: bool, on_fifth: bool) -> None:
        if on_bass:
            low_midi = at_or_above(self.piece.harmony.at(bar, stroke.pulse).bass, self.lowest_midi - 17)
            self.sound(bar, stroke, low_midi + (7 if on_fifth else 0), 0.85)
        else:
            for position, pitch_midi in enumerate(self.notes(bar, stroke.pulse)):
                self.sound(bar, stroke, pitch_midi, 0.55, position * self.strum_s * 0.5)

    def shuffle_guitar(self, bar: int, stroke: Stroke) -> None:
        root_midi = at_or_above(self.piece.harmony.at(bar, stroke.pulse).root, GUITAR_LOWEST_MIDI)
        upper = 9 if int(stroke.pulse) % 2 else 7
        for pitch_midi in (root_midi, root_midi + upper):
            self.sound(bar, stroke, pitch_midi, 0.6)

    def montuno(self, bar: int, stroke: Stroke) -> None:
        pitches_midi = self.notes(bar, stroke.pulse)
        pitch_midi = pitches_midi[stroke.step % len(pitches_midi)]
        for octave in (0, 12):
            self.sound(bar, stroke, pitch_midi + octave, 0.65)

    def loop(self, bar: int, stroke: Stroke) -> None:
        """A fixed figure of scale notes that ignores the chords, as sampled loops do."""
        scale = (0, 3, 5, 7, 10, 12) if self.piece.harmony.mode == "minor" else (0, 2, 4, 7, 9, 12)
        pitch_midi = at_or_above(self.piece.harmony.tonic, self.lowest_midi) + scale[self.order[stroke.step % 16]]
        self.sound(bar, stroke, pitch_midi, 0.7)


Playing = tuple[str, Callable[[Texture, int, Stroke], None]]
"""A rhythm family and a texture."""
# By the names that styles list.
COMPINGS: dict[str, Playing] = {
    "pad": ("held", Texture.block),
    "half_pad": ("half_held", Texture.block),
    "block": ("quarters", Texture.block),
    "block_eighths": ("eighths", Texture.block),
    "detached": ("detached_quarters", Texture.block),
    "strum": ("strum", Texture.strum),
    "strum_sixteenths": ("funk_scratch", Texture.strum),
    "offbeat_stabs": ("offbeats", Texture.block),
    "skank_double": ("skank_double", Texture.block),
    "skank_slow": ("two_four", Texture.block),
    "bubble": ("bubble", Texture.block),
    "stabs": ("stabs", Texture.block),
    "clave_stabs": ("clave_stabs", Texture.block),
    "charleston": ("charleston", Texture.block),
    "jazz_sparse": ("jazz_sparse", Texture.block),
    "bossa": ("bossa", Texture.block),
    "samba": ("samba", Texture.block),
    "montuno": ("montuno", Texture.montuno),
    "arpeggio": ("eighths", Texture.arpeggio),
    "fast_arpeggio": ("sixteenths", Texture.arpeggio),
    "alberti": ("eighths", Texture.alberti),
    "picking": ("eighths", Texture.picking),
    "fast_picking": ("sixteenths", Texture.picking),
    "boom_chick": ("quarters", Texture.boom_chick),
    "boom_chick_eighths": ("eighths", Texture.boom_chick_in_eighths),
    "power": ("power_held", Texture.power),
    "chug": ("chug", Texture.palm_mute),
    "power_eighths": ("eighths", Texture.power),
    "riff": ("riff", Texture.riff),
    "shuffle_guitar": ("shuffle", Texture.shuffle_guitar),
    "tremolo": ("tremolo", Texture.block),
    "loop": ("stabs", Texture.loop),
    "busy_loop": ("riff", Texture.loop),
    "clavinet": ("funk_scratch", Texture.loop),
    "tango": ("tango", Texture.block),
    "march": ("march", Texture.block),
}
# Textures that do not play whole chords, so that their bars get no chord label.
UNVOICED_TEXTURES = {Texture.loop, Texture.riff, Texture.power, Texture.palm_mute, Texture.shuffle_guitar}


def write_comping(piece: Piece, part: str, stem: int, comping: str, instrument_group: str, lowest_midi: int) -> None:
    chance, metre = piece.chance, piece.metre
    family, texture_method = _draw_playing(piece, comping)
    texture = Texture(piece, draw_instrument(chance, piece.bank, instrument_group), stem, lowest_midi)
    invented = piece.invents and chance.happens(INVENTED_CHANCES.get(family, INVENTED_CHANCE))
    rhythms = [_draw_rhythm(chance, metre, family, invented) for _ in range(2)]
    if chance.happens(0.6):
        rhythms[1] = rhythms[0]
    redraws = chance.happens(LOOSE_CHANCE) and family in ("stabs", "jazz_sparse", "charleston") and not invented
    for bar in piece.bars_of(part):
        rhythm = fit(rhythms[piece.form.at(bar).theme % 2], metre)
        if redraws:
            rhythm = fit(chance.pick(RHYTHMS[family]), metre)
        rhythm = _restrike_on_chord_change(piece, bar, rhythm)
        for stroke in strokes(rhythm, metre):
            if chance.happens(STROKE_CHANCE):
                texture_method(texture, bar, stroke)
                if texture_method not in UNVOICED_TEXTURES:
                    piece.voiced_bars.add(bar)


def _draw_playing(piece: Piece, comping: str) -> Playing:
    """The comping's own rhythm family and texture, or those that stand for them in the piece's metre and tempo."""
    chance, metre = piece.chance, piece.metre
    family, texture_method = COMPINGS[comping]
    is_boom_chick = texture_method is Texture.boom_chick
    if metre.steps_per_pulse == 3:
        family = "six_eight" if metre.pulses_per_bar == 2 else "twelve_eight"
        return family, Texture.boom_chick_in_eighths if is_boom_chick else texture_method
    if metre.pulses_per_bar == 3:
        if family not in ("held", "half_held", "eighths", "sixteenths") and chance.happens(0.8) and not is_boom_chick:
            family = "waltz"
    elif is_boom_chick and metre.pulses_per_bar == 4 and piece.pulse_bpm < SLOW_TWO_BEAT_BPM and chance.happens(0.7):
        return COMPINGS["boom_chick_eighths"]
    return family, texture_method


def _draw_rhythm(chance: Chance, metre: Metre, family: str, invented: bool) -> str:
    if invented and metre.steps_per_pulse == 4:
        return invent_rhythm(chance, metre, chance.pick([0.5, 0.8, 1.2, 2.0]), chance.pick([1, 2, 2]))
    return chance.pick(RHYTHMS[family])


def _restrike_on_chord_change(piece: Piece, bar: int, rhythm: str) -> str:
    """Strikes a held chord again where the harmony changes within the bar."""
    out = list(rhythm)
    for start in piece.harmony.slot_starts(bar):
        step = start * piece.metre.steps_per_pulse
        if out[step] == "-" and start > 0 and piece.harmony.at(bar, start) != piece.harmony.at(bar, start - 0.01):
            out[step] = "x"
    return "".join(out)
