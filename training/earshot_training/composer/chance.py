"""Dice for the composer: a seeded source with the few draws music needs."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Chance(random.Random):
    """Music is the same for the same seed as long as everything is drawn in the same order."""

    def happens(self, probability: float) -> bool:
        return self.random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self.random() * len(items))]

    def pick_weighted(self, weights: Mapping[Item, float]) -> Item:
        return self.choices(list(weights), weights=list(weights.values()))[0]

    def log_uniform(self, low: float, high: float) -> float:
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def log_middling(self, low: float, high: float) -> float:
        """Log-triangular: the middle of a range is likelier than its ends."""
        return math.sqrt(self.log_uniform(low, high) * self.log_uniform(low, high))
