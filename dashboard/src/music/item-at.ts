/** How many of the items, sorted by start, have begun at `seconds`. A binary search, because it runs on every frame. */
export function countBegun<T>(
  items: readonly T[],
  seconds: number,
  startSeconds: (item: T) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startSeconds(items[middle]!) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last item that has begun at `seconds`; null before the first. */
export function itemAt<T>(items: readonly T[], seconds: number, startSeconds: (item: T) => number): T | null {
  return items[countBegun(items, seconds, startSeconds) - 1] ?? null;
}
