"""The composer's seeded random source, with the draws that writing music needs."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Chance(random.Random):
    """The order of draws is part of the music: a draw added or moved changes every clip of every seed."""

    def happens(self, probability: float) -> bool:
        return self.random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self.random() * len(items))]

    def pick_weighted(self, weights: Mapping[Item, float]) -> Item:
        return self.choices(list(weights), weights=list(weights.values()))[0]

    def log_uniform(self, low: float, high: float) -> float:
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def log_middling(self, low: float, high: float) -> float:
        """Geometric mean of two log-uniform draws: the middle of the range is likelier than its ends."""
        return math.sqrt(self.log_uniform(low, high) * self.log_uniform(low, high))
