/**
 * Do similar songs have similar embeddings? `alike` is the share of vectors whose nearest other vector, by dot product, has the same
 * label. Null for fewer than two vectors.
 */
export function rateNeighbours(
  items: readonly { label: string; vector: readonly number[] }[],
): { count: number; alike: number } | null {
  if (items.length < 2) return null;
  const alike = items.filter(({ label, vector }, k) => {
    const others = items.filter((_, j) => j !== k);
    const products = others.map((other) =>
      vector.reduce((sum, value, i) => sum + value * other.vector[i]!, 0),
    );
    return others[products.indexOf(Math.max(...products))]!.label === label;
  });
  return { count: items.length, alike: alike.length / items.length };
}
