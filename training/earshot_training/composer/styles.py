"""Every style the composer knows: tempo, metre, feel, who plays and what.

Tempi are those a listener taps, not those a score might notate: a ballad with sixteenth arpeggios is listed at 60 to 90,
a half-time trap beat at 60 to 90, bebop at 160 to 260. `VALIDATION_STYLES` are never trained on; their grooves and, for
some, their instruments appear nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .drums import DrumStyle
from .melody import MelodyStyle
from .timeline import Metre, additive_metre, compound_metre, simple_metre

FOUR, THREE, FIVE, SEVEN = simple_metre(4), simple_metre(3), simple_metre(5), simple_metre(7)
TWO = simple_metre(2)
TWELVE_EIGHT, SIX_EIGHT = compound_metre(4), compound_metre(2)
NINE_EIGHT = compound_metre(3)
BALKAN = {
    additive_metre((2, 2, 3)): 3.0, additive_metre((3, 2, 2)): 3.0, additive_metre((2, 3)): 1.0, additive_metre((2, 2, 2, 3)): 2.0,
    additive_metre((3, 3, 2)): 2.0, additive_metre((2, 2, 3, 2, 2)): 1.0,
}
SUNG = MelodyStyle(lag_s=0.018, jitter_s=0.022, range_midi=(50, 55, 60, 62), harmonised=0.15)
PLAYED = MelodyStyle()
RAPPED = MelodyStyle(lengths=("patter", "patter", "busy"), lag_s=0.01, jitter_s=0.022, rest_chance=0.1, range_midi=(48, 52, 55))
IMPROVISED = MelodyStyle(lengths=("pop", "busy", "running_eighths", "calm", "patter"), lag_s=0.015, jitter_s=0.014, rest_chance=0.2)
SHREDDED = MelodyStyle(lengths=("running", "busy", "long", "pop"), range_midi=(55, 60, 67, 72))
ELECTRONIC_KITS = ("synthesised", "synthesised", "synthesised", "analogue", "electronic", "standard")
BAND_KITS = ("standard", "room", "synthesised", "power", "electronic", "standard", "room")


@dataclass(frozen=True)
class Style:
    name: str
    weight: float
    tempo_bpm: tuple[float, float]
    ensemble: str = "band"
    """Which writer takes the lead: band, ballad, keyboard, orchestra, counterpoint, choir, drums."""
    metres: dict[Metre, float] = field(default_factory=lambda: {FOUR: 1.0})
    idioms: tuple[str, ...] = ("pop",)
    minor_chance: float = 0.42
    eighth_swing: tuple[float, float] = (0.5, 0.53)
    sixteenth_swing: tuple[float, float] = (0.5, 0.5)
    drums: DrumStyle | None = None
    drum_chance: float = 1.0
    percussion_group: str | None = None
    bass_lines: tuple[str, ...] = ("halves", "eighths")
    bass_groups: tuple[str, ...] = ("electric_bass",)
    bass_chance: float = 0.88
    compings: tuple[str, ...] = ("pad", "block")
    comping_groups: tuple[str, ...] = ("piano", "electric_guitar")
    leads: tuple[str, ...] = ("voice",)
    melody: MelodyStyle = PLAYED
    lead_chance: float = 0.85
    machine_time: float = 0.3
    """Chance that the tempo does not drift at all."""
    drift: float = 0.006
    rubato: float = 0.0
    timing_jitter_s: float = 0.006
    chord_s: float = 2.4
    """Typical time a chord lasts; the harmonic rhythm is chosen to come near it."""
    push_chance: float = 0.0
    """Chance that the band anticipates some bar lines by an eighth."""
    guitar_drive: tuple[float, float] = (0.0, 0.0)
    pump_chance: float = 0.0
    reverb: float = 0.35
    swells_db: float = 3.0


def _drums(kicks: str, snares: str, cymbals: str, kits: tuple[str, ...] = BAND_KITS, **more: object) -> DrumStyle:
    return DrumStyle(tuple(kicks.split()), tuple(snares.split()), tuple(cymbals.split()), kits, **more)


ROCK_DRUMS = _drums("rock rock half", "back back ghosted", "eighths eighths quarters sixteenths", ("standard", "power", "room", "synthesised"),
                    cymbal_pieces=("hat", "hat", "ride", "crash", "open_hat"))
BALLAD_DRUMS = _drums("ballad ballad half rock", "back back half", "eighths eighths sixteenths quarters",
                      snare_pieces=("snare", "snare", "rim", "rim", "clap"), crash_chance=0.3, fill_chance=0.4)
JAZZ_DRUMS = _drums("jazz", "jazz jazz none", "ride ride quarters none", ("jazz", "brush", "jazz", "standard"),
                    cymbal_pieces=("ride", "ride", "hat"), hat_on_two_and_four=0.8, crash_chance=0.05, fill_chance=0.3)
DANCE_DRUMS = _drums("four", "back back none", "offbeats sixteenths eighths none", ELECTRONIC_KITS, snare_pieces=("clap", "snare", "clap"),
                     open_hat_offbeats=0.5, percussion_chance=0.5)

TRAINING_STYLES: list[Style] = [
    Style("ballad", 26, (50, 118), "ballad", {FOUR: 0.86, THREE: 0.07, TWELVE_EIGHT: 0.03, SIX_EIGHT: 0.04}, ("ballad", "ballad", "ballad", "pop"),
          drums=BALLAD_DRUMS, drum_chance=0.5, bass_lines=("ballad", "ballad", "halves", "whole", "root_fifth", "eighths"), bass_chance=0.7,
          bass_groups=("electric_bass", "electric_bass", "acoustic_bass", "synth_bass"), compings=("pad", "half_pad", "arpeggio", "fast_arpeggio", "strum"),
          comping_groups=("strings", "pad", "acoustic_guitar", "choir", "keys"), machine_time=0.75, drift=0.006, timing_jitter_s=0.003, chord_s=2.3, reverb=0.3),
    Style("fast_ballad", 7, (96, 150), "ballad", {FOUR: 0.9, THREE: 0.1}, ("ballad", "pop"), drums=BALLAD_DRUMS, drum_chance=0.5,
          bass_lines=("halves", "eighths", "root_fifth", "whole", "quarters"), bass_chance=0.7, bass_groups=("electric_bass", "acoustic_bass", "synth_bass"),
          compings=("pad", "half_pad", "arpeggio", "strum"), comping_groups=("strings", "pad", "acoustic_guitar", "keys"), machine_time=0.8, timing_jitter_s=0.003, chord_s=2.2, reverb=0.3, push_chance=0.1),
    Style("drum_loop", 3, (76, 176), "drums", drums=_drums("break hip funk rock four half", "back ghosted ghosted late early", "eighths sixteenths funk none quarters", (*BAND_KITS, "synthesised", "analogue"), percussion_chance=0.4, fill_chance=0.3), sixteenth_swing=(0.5, 0.6), machine_time=0.7),
    Style("sung_ballad", 8, (50, 100), "ballad", {FOUR: 0.88, THREE: 0.06, TWELVE_EIGHT: 0.06}, ("ballad", "ballad", "pop"), drums=BALLAD_DRUMS, drum_chance=0.6,
          bass_lines=("ballad", "halves", "whole"), compings=("pad", "half_pad", "arpeggio", "fast_picking", "strum"),
          comping_groups=("strings", "pad", "acoustic_guitar", "electric_guitar", "organ"), leads=("voice",), melody=SUNG, drift=0.01, push_chance=0.15),
    Style("rock", 8, (76, 188), idioms=("rock", "rock", "pop"), drums=ROCK_DRUMS, drum_chance=0.98, bass_lines=("eighths", "eighths", "halves", "quarters", "syncopated"),
          compings=("strum", "power", "chug", "power_eighths", "riff", "arpeggio", "pad"), comping_groups=("electric_guitar", "distorted_guitar", "distorted_guitar", "acoustic_guitar", "organ", "piano"),
          leads=("voice", "voice", "electric_guitar", "distorted_guitar", "organ"), melody=SUNG, guitar_drive=(2, 25), push_chance=0.25),
    Style("punk", 3, (140, 210), idioms=("rock", "pop"), drums=_drums("rock four train", "back every", "eighths quarters", ("power", "standard", "room"), cymbal_pieces=("crash", "ride", "open_hat", "hat")),
          bass_lines=("eighths",), compings=("power_eighths", "strum", "chug"), comping_groups=("distorted_guitar",), melody=SUNG, guitar_drive=(5, 40), push_chance=0.1),
    Style("pop", 8, (70, 138), idioms=("pop",), drums=_drums("rock four half hip", "back ghosted half", "eighths sixteenths offbeats none quarters", snare_pieces=("snare", "snare", "clap", "rim")),
          sixteenth_swing=(0.5, 0.56), bass_lines=("halves", "eighths", "syncopated", "octaves"), compings=("pad", "block", "arpeggio", "strum", "stabs", "block_eighths"),
          comping_groups=("piano", "keys", "acoustic_guitar", "electric_guitar", "organ", "strings", "pad", "tone", "synth_lead"), leads=("voice", "voice", "voice", "synth_lead", "flute"), melody=SUNG, drum_chance=0.9, push_chance=0.3),
    Style("disco", 5, (100, 138), idioms=("pop", "vamp"), minor_chance=0.6, drums=replace(DANCE_DRUMS, kits=BAND_KITS, open_hat_offbeats=0.7), bass_lines=("octaves", "eighths", "syncopated", "offbeats"),
          compings=("stabs", "pad", "strum_sixteenths", "fast_arpeggio", "offbeat_stabs"), comping_groups=("strings", "electric_guitar", "keys", "tone", "brass"), leads=("voice", "voice", "strings", "synth_lead", "brass"), melody=SUNG, push_chance=0.2),
    Style("house", 4, (112, 150), idioms=("vamp", "pop"), minor_chance=0.65, drums=DANCE_DRUMS, sixteenth_swing=(0.5, 0.58), bass_lines=("offbeats", "syncopated", "eighths", "octaves"), bass_groups=("synth_bass",),
          compings=("stabs", "pad", "fast_arpeggio", "offbeat_stabs", "loop"), comping_groups=("tone", "synth_lead", "keys", "pad", "piano"), leads=("voice", "synth_lead", "tone"), machine_time=1.0, timing_jitter_s=0.001, pump_chance=0.6, push_chance=0.15),
    Style("hiphop", 7, (66, 112), idioms=("vamp", "pop"), minor_chance=0.65, drums=_drums("hip hip rock", "back back ghosted", "eighths sixteenths trap offbeats none quarters", ELECTRONIC_KITS, snare_pieces=("snare", "snare", "clap", "rim")),
          sixteenth_swing=(0.5, 0.64), bass_lines=("syncopated", "boom", "halves", "funk"), bass_groups=("synth_bass", "electric_bass", "acoustic_bass"), compings=("loop", "busy_loop", "stabs", "pad", "arpeggio", "charleston"),
          comping_groups=("keys", "piano", "strings", "tone", "mallet", "brass", "flute"), leads=("speech", "speech", "speech", "voice"), melody=RAPPED, lead_chance=0.9, machine_time=0.8, push_chance=0.1),
    Style("trap", 2, (60, 90), idioms=("vamp",), minor_chance=0.85, drums=_drums("hip half", "back", "sixteenths trap eighths", ELECTRONIC_KITS, snare_pieces=("clap", "snare")), bass_lines=("boom",), bass_groups=("synth_bass",),
          compings=("loop", "pad", "arpeggio"), comping_groups=("tone", "mallet", "keys", "pad"), leads=("speech", "voice"), melody=RAPPED, machine_time=1.0, timing_jitter_s=0.001),
    Style("reggae", 4, (62, 108), idioms=("vamp", "pop", "folk"), eighth_swing=(0.5, 0.6), sixteenth_swing=(0.5, 0.6), drums=_drums("one_drop one_drop rockers", "one_drop none one_drop", "eighths sixteenths offbeats quarters", snare_pieces=("rim", "rim", "snare"), percussion_chance=0.3),
          bass_lines=("reggae", "reggae", "syncopated"), compings=("skank", "skank", "skank_double", "bubble"), comping_groups=("electric_guitar", "organ", "piano"), leads=("voice", "voice", "organ", "brass"), melody=SUNG, push_chance=0.1),
    Style("reggae_fast", 4, (120, 190), idioms=("vamp", "pop", "folk"), eighth_swing=(0.5, 0.64), drums=_drums("one_drop_fast one_drop_fast half four rockers", "one_drop_fast one_drop_fast half", "quarters eighths two_four eighths", snare_pieces=("rim", "rim", "snare")),
          bass_lines=("reggae", "syncopated", "halves"), compings=("skank_slow",), comping_groups=("electric_guitar", "organ", "piano"), leads=("voice", "voice", "organ", "brass"), melody=SUNG),
    Style("jazz_swing", 9, (84, 262), metres={FOUR: 0.85, THREE: 0.13, FIVE: 0.02}, idioms=("jazz", "jazz", "jazz", "blues"), eighth_swing=(0.58, 0.7), drums=JAZZ_DRUMS, drum_chance=0.82, bass_lines=("walking", "walking", "walking", "halves", "root_fifth"), bass_groups=("acoustic_bass",),
          compings=("charleston", "jazz_sparse", "jazz_sparse", "detached", "pad"), comping_groups=("piano", "piano", "electric_guitar", "electric_piano", "mallet"), leads=("reed", "reed", "brass", "piano", "mallet", "voice", "flute", "electric_guitar"), melody=IMPROVISED,
          machine_time=0.0, drift=0.008, timing_jitter_s=0.009, chord_s=1.6, push_chance=0.15),
    Style("jazz_ballad", 3, (50, 84), metres={FOUR: 0.85, THREE: 0.15}, idioms=("jazz",), eighth_swing=(0.54, 0.68), drums=replace(JAZZ_DRUMS, kits=("brush", "jazz")), drum_chance=0.7, bass_lines=("halves", "walking", "whole", "ballad"), bass_groups=("acoustic_bass",),
          compings=("half_pad", "jazz_sparse", "pad", "block"), comping_groups=("piano", "piano", "electric_guitar", "strings"), leads=("reed", "brass", "voice", "piano", "flute"), melody=IMPROVISED, machine_time=0.0, drift=0.014, rubato=0.05, timing_jitter_s=0.012),
    Style("bossa", 3, (100, 172), idioms=("jazz",), drums=_drums("bossa", "clave none", "eighths sixteenths none", ("jazz", "brush", "standard"), snare_pieces=("rim", "rim", "percussion"), cymbal_pieces=("hat", "shaker", "ride"), percussion_chance=0.5), drum_chance=0.85, bass_lines=("bossa",), bass_groups=("acoustic_bass", "electric_bass"),
          compings=("bossa", "bossa", "block", "jazz_sparse", "fast_picking"), comping_groups=("nylon_guitar", "nylon_guitar", "piano", "keys"), leads=("voice", "flute", "reed", "nylon_guitar"), melody=IMPROVISED, push_chance=0.5),
    Style("latin", 3, (80, 126), idioms=("vamp", "pop", "jazz"), minor_chance=0.6, drums=_drums("bossa rock reggaeton four", "clave reggaeton none", "eighths sixteenths quarters", snare_pieces=("rim", "percussion", "snare"), percussion_chance=0.6), percussion_group="afro_cuban",
          bass_lines=("tumbao", "tumbao", "root_fifth", "syncopated"), compings=("montuno", "montuno", "clave_stabs", "strum_sixteenths"), comping_groups=("piano", "piano", "acoustic_guitar", "brass"), leads=("brass", "voice", "flute"), melody=SUNG, push_chance=0.5),
    Style("samba", 3, (84, 130), idioms=("jazz", "pop", "vamp"), drums=_drums("samba", "samba none", "samba sixteenths", percussion_chance=0.5), drum_chance=0.3, percussion_group="samba", bass_lines=("samba", "bossa", "root_fifth"),
          compings=("samba", "bossa", "strum_sixteenths"), comping_groups=("nylon_guitar", "acoustic_guitar", "piano", "plucked_folk"), leads=("voice", "flute", "reed", "brass"), melody=SUNG, push_chance=0.4),
    Style("blues_shuffle", 6, (80, 200), idioms=("blues",), minor_chance=0.2, eighth_swing=(0.6, 0.68), drums=_drums("rock four none", "back back none", "eighths ride quarters", ("standard", "room", "jazz", "brush")), drum_chance=0.8, bass_lines=("shuffle", "shuffle", "walking", "quarters"),
          bass_groups=("electric_bass", "acoustic_bass"), compings=("shuffle_guitar", "shuffle_guitar", "jazz_sparse", "block", "detached", "strum"), comping_groups=("electric_guitar", "electric_guitar", "piano", "organ", "acoustic_guitar", "distorted_guitar"), leads=("electric_guitar", "distorted_guitar", "voice", "voice", "folk", "organ"),
          melody=IMPROVISED, machine_time=0.05, drift=0.009, timing_jitter_s=0.009, guitar_drive=(1, 12)),
    Style("slow_blues", 3, (44, 76), metres={TWELVE_EIGHT: 1.0}, idioms=("blues",), minor_chance=0.35, drums=_drums("rock", "back", "eighths", ("standard", "room", "brush")), drum_chance=0.85, bass_lines=("twelve_eight",), compings=("block", "arpeggio", "half_pad", "strum"),
          comping_groups=("organ", "piano", "electric_guitar", "acoustic_guitar"), leads=("electric_guitar", "distorted_guitar", "voice", "folk"), melody=IMPROVISED, machine_time=0.05, drift=0.01, timing_jitter_s=0.01, guitar_drive=(1, 12)),
    Style("soul_ballad", 3, (46, 82), metres={TWELVE_EIGHT: 0.6, SIX_EIGHT: 0.4}, idioms=("pop", "ballad"), drums=BALLAD_DRUMS, drum_chance=0.85, bass_lines=("twelve_eight",), compings=("block", "arpeggio", "pad", "strum"), comping_groups=("piano", "organ", "acoustic_guitar", "electric_guitar", "electric_piano", "strings"),
          leads=("voice", "voice", "reed", "electric_guitar", "organ", "solo_strings"), melody=SUNG, drift=0.008),
    Style("country", 5, (80, 170), metres={FOUR: 0.88, THREE: 0.12}, idioms=("folk", "pop"), minor_chance=0.15, eighth_swing=(0.5, 0.64), drums=_drums("two_beat train rock", "train back train", "none eighths quarters", ("standard", "brush", "room", "jazz")), drum_chance=0.75,
          bass_lines=("root_fifth", "root_fifth", "walking", "halves"), bass_groups=("acoustic_bass", "electric_bass"), compings=("boom_chick", "boom_chick", "strum", "picking"), comping_groups=("acoustic_guitar", "acoustic_guitar", "piano", "electric_guitar"), leads=("voice", "voice", "folk", "fiddle", "electric_guitar"), melody=SUNG, push_chance=0.1),
    Style("bluegrass", 2, (92, 160), idioms=("folk",), minor_chance=0.2, drum_chance=0.0, bass_lines=("root_fifth",), bass_groups=("acoustic_bass",), compings=("fast_picking", "boom_chick", "offbeat_stabs"), comping_groups=("plucked_folk", "acoustic_guitar"), leads=("fiddle", "plucked_folk", "voice"),
          melody=MelodyStyle(lengths=("running", "busy", "pop"), jitter_s=0.006), machine_time=0.0, drift=0.008),
    Style("metal", 8, (84, 216), idioms=("metal", "metal", "rock"), minor_chance=1.0, drums=_drums("metal metal rock half", "back back half blast", "eighths quarters none sixteenths", ("power", "standard", "synthesised", "room"), cymbal_pieces=("crash", "ride", "hat", "open_hat")),
          bass_lines=("eighths", "pumping_sixteenths", "gallop", "syncopated"), compings=("chug", "chug", "riff", "power", "power_eighths"), comping_groups=("distorted_guitar",), leads=("distorted_guitar", "voice", "growl"), melody=SHREDDED, guitar_drive=(6, 50), chord_s=2.0, push_chance=0.1),
    Style("funk", 4, (85, 124), idioms=("vamp", "vamp", "blues"), drums=_drums("funk", "ghosted back", "sixteenths funk eighths", percussion_chance=0.4), sixteenth_swing=(0.5, 0.6), bass_lines=("funk", "funk", "octaves", "syncopated"), compings=("strum_sixteenths", "stabs", "offbeat_stabs", "clavinet"),
          comping_groups=("electric_guitar", "keys", "brass", "organ"), leads=("voice", "brass", "organ", "reed"), melody=SUNG, push_chance=0.35),
    Style("drum_and_bass", 1, (155, 180), idioms=("vamp", "ambient"), minor_chance=0.8, drums=_drums("break", "back ghosted", "eighths sixteenths", ELECTRONIC_KITS), bass_lines=("boom", "halves", "syncopated"), bass_groups=("synth_bass",), compings=("pad", "stabs", "arpeggio"), comping_groups=("pad", "tone", "keys"),
          leads=("voice", "synth_lead", "speech"), machine_time=1.0, timing_jitter_s=0.001, pump_chance=0.3),
    Style("trance", 2, (124, 150), idioms=("pop", "vamp"), minor_chance=0.8, drums=DANCE_DRUMS, drum_chance=0.95, bass_lines=("offbeats", "gallop"), bass_groups=("synth_bass",), compings=("fast_arpeggio", "stabs", "pad", "loop"), comping_groups=("tone", "synth_lead", "pad"), leads=("synth_lead", "tone", "voice"), machine_time=1.0, timing_jitter_s=0.001, pump_chance=0.7),
    Style("soul", 4, (84, 145), idioms=("pop", "vamp"), eighth_swing=(0.5, 0.62), drums=_drums("rock four", "every back back", "eighths quarters", ("standard", "room", "brush")), bass_lines=("syncopated", "walking", "eighths", "funk"), compings=("stabs", "block", "strum", "offbeat_stabs"), comping_groups=("piano", "electric_guitar", "organ", "strings", "brass"),
          leads=("voice", "voice", "brass", "strings"), melody=SUNG, push_chance=0.35),
    Style("synthpop", 3, (95, 150), idioms=("pop",), drums=_drums("rock four", "back", "eighths sixteenths", ELECTRONIC_KITS), bass_lines=("eighths", "octaves", "gallop", "pumping_sixteenths"), bass_groups=("synth_bass",), compings=("fast_arpeggio", "pad", "stabs", "arpeggio"), comping_groups=("tone", "synth_lead", "pad"), leads=("synth_lead", "voice", "tone"), melody=SUNG, machine_time=1.0, timing_jitter_s=0.001, push_chance=0.2),
    Style("keyboard", 8, (46, 168), "keyboard", {FOUR: 0.5, THREE: 0.28, TWO: 0.08, SIX_EIGHT: 0.14}, ("classical",), drum_chance=0, machine_time=0.05, drift=0.025, rubato=0.12, timing_jitter_s=0.008, chord_s=1.9, reverb=0.5, swells_db=6),
    Style("orchestra", 8, (48, 172), "orchestra", {FOUR: 0.55, THREE: 0.27, TWO: 0.08, SIX_EIGHT: 0.1}, ("classical",), drum_chance=0, machine_time=0.05, drift=0.022, rubato=0.1, timing_jitter_s=0.012, chord_s=1.9, reverb=0.7, swells_db=7),
    Style("baroque", 5, (55, 150), "counterpoint", {FOUR: 0.6, THREE: 0.3, SIX_EIGHT: 0.06, TWELVE_EIGHT: 0.04}, ("classical",), drum_chance=0, machine_time=0.1, drift=0.012, rubato=0.05, timing_jitter_s=0.008, chord_s=1.4, reverb=0.5, swells_db=4),
    Style("waltz", 4, (78, 200), metres={THREE: 1.0}, idioms=("classical", "folk", "pop"), drums=_drums("rock", "back", "quarters", ("standard", "brush", "jazz", "orchestra")), drum_chance=0.45, bass_lines=("waltz",), bass_groups=("acoustic_bass", "electric_bass"), compings=("boom_chick", "boom_chick", "arpeggio", "pad", "block"),
          comping_groups=("piano", "acoustic_guitar", "accordion", "strings"), leads=("voice", "accordion", "solo_strings", "reed", "strings", "piano"), drift=0.014, rubato=0.04),
    Style("folk", 5, (72, 150), metres={FOUR: 0.78, THREE: 0.12, SIX_EIGHT: 0.1}, idioms=("folk", "pop"), eighth_swing=(0.5, 0.58), drums=_drums("none two_beat", "none", "none quarters", ("standard", "brush")), drum_chance=0.25, bass_lines=("root_fifth", "halves"), bass_groups=("acoustic_bass",), bass_chance=0.45,
          compings=("strum", "strum", "picking", "fast_picking", "arpeggio", "boom_chick"), comping_groups=("acoustic_guitar", "acoustic_guitar", "harp", "plucked_folk", "piano"), leads=("voice", "voice", "folk", "flute", "fiddle"), melody=SUNG, machine_time=0.05, drift=0.014),
    Style("choir", 2, (50, 120), "choir", {FOUR: 0.75, THREE: 0.25}, ("classical", "folk", "pop"), drum_chance=0, machine_time=0.05, drift=0.02, rubato=0.1, timing_jitter_s=0.012, reverb=0.8),
    Style("flamenco", 2, (84, 140), metres={FOUR: 0.6, THREE: 0.4}, idioms=("andalusian",), minor_chance=1.0, percussion_group="palmas", drum_chance=0, bass_chance=0.2, bass_lines=("halves",), compings=("strum_sixteenths", "fast_picking", "strum"), comping_groups=("nylon_guitar",), leads=("nylon_guitar", "voice"), melody=SHREDDED, drift=0.012),
    Style("balkan", 2, (330, 560), metres=BALKAN, idioms=("folk", "andalusian"), minor_chance=0.8, drums=_drums("rock", "back", "eighths"), drum_chance=0.8, bass_lines=("quarters", "halves"), compings=("block", "strum", "pad"), comping_groups=("accordion", "acoustic_guitar", "brass"), leads=("reed", "brass", "accordion", "fiddle"), drift=0.006),
    Style("indian", 2, (60, 170), idioms=("drone",), percussion_group="tabla", drum_chance=0, bass_chance=0.3, bass_lines=("whole",), compings=("pad", "arpeggio"), comping_groups=("sitar", "pad", "harp"), leads=("sitar", "flute", "voice", "fiddle"), melody=MelodyStyle(lengths=("lyrical", "busy", "running", "long")), drift=0.01),
    Style("ambient", 2, (56, 120), idioms=("ambient",), drums=_drums("half none four", "half none", "eighths offbeats none", ELECTRONIC_KITS), drum_chance=0.35, bass_lines=("whole", "halves"), bass_groups=("synth_bass",), compings=("pad", "arpeggio", "fast_arpeggio", "loop"), comping_groups=("pad", "keys", "tone", "choir"), leads=("synth_lead", "piano", "flute"),
          melody=MelodyStyle(lengths=("long", "lyrical")), lead_chance=0.5, machine_time=0.9, chord_s=4.5, reverb=0.8),
    Style("odd_metre_rock", 2, (84, 190), metres={FIVE: 0.45, SEVEN: 0.4, NINE_EIGHT: 0.15}, idioms=("rock", "vamp", "metal"), minor_chance=0.75, drums=ROCK_DRUMS, bass_lines=("eighths", "syncopated", "quarters"), compings=("riff", "chug", "arpeggio", "stabs"), comping_groups=("electric_guitar", "distorted_guitar", "keys", "organ"), leads=("voice", "electric_guitar", "reed"), guitar_drive=(1, 20)),
    Style("mixture", 5, (56, 205), idioms=("pop", "rock", "vamp", "folk", "blues", "ballad"), metres={FOUR: 0.9, THREE: 0.1}, eighth_swing=(0.5, 0.66), sixteenth_swing=(0.5, 0.6), drums=_drums("rock hip funk half four", "back ghosted half late early three", "eighths sixteenths quarters offbeats none funk"), drum_chance=0.8,
          bass_lines=("halves", "eighths", "syncopated", "octaves", "walking", "quarters"), compings=("pad", "block", "arpeggio", "strum", "stabs", "offbeat_stabs", "charleston", "fast_arpeggio", "riff"), comping_groups=("piano", "keys", "acoustic_guitar", "electric_guitar", "organ", "strings", "tone", "brass"), leads=("voice", "reed", "brass", "synth_lead", "electric_guitar", "tone", "flute", "speech"), push_chance=0.2),
]

VALIDATION_STYLES: list[Style] = [
    Style("ska", 1, (120, 180), idioms=("pop", "folk"), eighth_swing=(0.5, 0.58), drums=_drums("rock four", "back", "eighths offbeats"), bass_lines=("walking", "eighths"), compings=("offbeat_stabs",), comping_groups=("electric_guitar", "organ", "piano"), leads=("brass", "voice"), melody=SUNG),
    Style("tango", 1, (100, 136), metres={FOUR: 1.0}, idioms=("classical", "pop"), minor_chance=0.8, drum_chance=0, bass_lines=("tango",), bass_groups=("acoustic_bass",), compings=("tango",), comping_groups=("piano", "accordion", "strings"), leads=("accordion", "solo_strings"), drift=0.015, rubato=0.04),
    Style("march", 1, (104, 128), idioms=("classical", "folk"), minor_chance=0.1, drums=_drums("two_beat", "train every", "two_four none", ("orchestra", "standard")), bass_lines=("march",), bass_groups=("horns", "acoustic_bass"), compings=("march",), comping_groups=("horns", "brass"), leads=("brass", "flute")),
    Style("gospel", 1, (50, 76), metres={TWELVE_EIGHT: 1.0}, idioms=("gospel",), drums=BALLAD_DRUMS, drum_chance=0.6, bass_lines=("twelve_eight",), compings=("block", "pad"), comping_groups=("organ", "piano"), leads=("voice", "choir"), melody=SUNG),
    Style("celtic", 1, (96, 124), metres={FOUR: 0.5, SIX_EIGHT: 0.5}, idioms=("folk",), drum_chance=0, percussion_group="djembe", bass_chance=0.3, compings=("strum", "pad"), comping_groups=("acoustic_guitar", "accordion"), leads=("fiddle", "flute"), melody=MelodyStyle(lengths=("running",))),
    Style("afrobeat", 1, (98, 128), idioms=("vamp",), minor_chance=0.7, drums=_drums("funk", "late early", "sixteenths funk"), percussion_group="djembe", bass_lines=("funk", "syncopated"), compings=("clavinet", "stabs"), comping_groups=("electric_guitar", "organ", "brass"), leads=("brass", "reed", "voice")),
    Style("organ_hymn", 1, (60, 100), "keyboard", {FOUR: 0.7, THREE: 0.3}, ("gospel", "classical"), drum_chance=0, drift=0.02, rubato=0.08, reverb=0.8),
]
