/** Share of vectors whose nearest other one, by the dot product, has the same label. Null for fewer than two. */
export function rateNeighbours(
  items: readonly { label: string; vector: readonly number[] }[],
): { count: number; alike: number } | null {
  if (items.length < 2) return null;
  const alike = items.filter(({ label, vector }, k) => {
    let best = Number.NEGATIVE_INFINITY;
    let nearest = -1;
    items.forEach((other, j) => {
      if (j === k) return;
      let product = 0;
      for (let i = 0; i < vector.length; i++) product += vector[i]! * other.vector[i]!;
      if (product > best) [best, nearest] = [product, j];
    });
    return items[nearest]?.label === label;
  });
  return { count: items.length, alike: alike.length / items.length };
}
