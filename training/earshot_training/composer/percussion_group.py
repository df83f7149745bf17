"""Percussion groups: several players with interlocking patterns."""

from __future__ import annotations

from dataclasses import dataclass

from .instruments import DrumKit
from .patterns import strokes
from .piece import Piece

# Per player and per stroke; set by hand.
ABSENT_PLAYER_CHANCE = 0.2
STRUCK_CHANCE = 0.95


@dataclass(frozen=True)
class Player:
    piece_of_kit: str
    patterns: list[str]
    gain: float
    """Factor of amplitude, 1 for the loudest."""


PERCUSSION_GROUPS: dict[str, list[Player]] = {
    # The surdo answers on two, the others fill the sixteenths.
    "samba": [
        Player("low_drum", ["o...X...o...X...", "....X.......X...", "o...X..xo...X..x"], 1.0),
        Player("snare", ["XoxxoXoxXoxxoXox", "x.xx.x.xx.xx.x.x"], 0.5),
        Player("shaker", ["XoxXXoxXXoxXXoxX", "XoooXoooXoooXooo"], 0.5),
        Player("bell", ["x.x.xx.x.x.xx.x.", "x.xx.x.x.xx.x.x."], 0.5),
        Player("high_drum", ["..xx..x...xx..x.", "x..xx.x.x..xx.x."], 0.6),
    ],
    "afro_cuban": [
        Player("high_drum", ["x.o.o.xxx.o.o.xx", "oooxooxxoooxooxx"], 0.8),
        Player("bell", ["x...x.x.x...x.x.", "x.x.x.xxx.x.x.xx"], 0.6),
        Player("rim", ["x..x..x...x.x...", "..x.x...x..x..x."], 0.6),
        Player("shaker", ["X.x.X.x.X.x.X.x."], 0.4),
    ],
    "palmas": [
        Player("clap", ["x.x.x.x.x.x.x.x.", "x..x..x...x.x...", "X.xxX.xxX.xxX.xx"], 0.8),
        Player("rim", ["..x...x...x...x.", "..xx..xx..xx..xx"], 0.5),
        Player("low_drum", ["X.......x.......", "X.....x.x......."], 0.9),
    ],
    "tabla": [
        Player("low_drum", ["X...x...X.......", "X.x.....X.x...x."], 0.9),
        Player("high_drum", ["x.xxx.xxx.xxx.xx", "x.x.xxx.x.x.xxx.", "xxxxx.xxxxxxx.xx"], 0.7),
    ],
    "djembe": [
        Player("low_drum", ["X.....x.X.......", "X..x....X..x...."], 1.0),
        Player("high_drum", ["..xx..xx..xx..xx", "x.xx..xxx.xx..xx"], 0.7),
        Player("shaker", ["x.xxx.xxx.xxx.xx"], 0.4),
    ],
}


def write_percussion_group(piece: Piece, group: str) -> None:
    chance, metre = piece.chance, piece.metre
    for player in PERCUSSION_GROUPS[group]:
        if chance.happens(ABSENT_PLAYER_CHANCE):
            continue
        kit = DrumKit(chance, piece.bank, chance.pick(["standard", "synthesised", "room"]))
        pattern = chance.pick(player.patterns)
        gain = player.gain * chance.uniform(0.6, 1.1)
        for bar in piece.bars_of("drums"):
            for stroke in strokes(pattern, metre):
                if chance.happens(STRUCK_CHANCE):
                    start_s = piece.timeline.at(bar, stroke.pulse)
                    piece.score.hit(kit, player.piece_of_kit, start_s, gain * stroke.velocity)
