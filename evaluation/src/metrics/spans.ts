/** Labelled stretches of time, as chord and section annotations are. */

export type Span = { start: number; end: number; label: string };

/** Shorter leftovers of overlapping annotations are rounding, not content. */
const SHORTEST_SECONDS = 1e-4;

/** Sorted, without overlaps: a span begins where the one before it ends. */
export function withoutOverlaps(spans: readonly Span[]): Span[] {
  const clean: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const start = Math.max(span.start, clean.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
    if (span.end - start > SHORTEST_SECONDS) clean.push({ start, end: span.end, label: span.label });
  }
  return clean;
}

/** Cut to [start, end], with `filler` where the annotation does not reach. */
export function fillTo(spans: readonly Span[], start: number, end: number, filler: string): Span[] {
  const inside = spans
    .map((span) => ({ ...span, start: Math.max(start, span.start), end: Math.min(end, span.end) }))
    .filter((span) => span.end > span.start);
  const first = inside[0];
  const last = inside.at(-1);
  if (!first || !last) return [{ start, end, label: filler }];
  const head = first.start > start + 1e-9 ? [{ start, end: first.start, label: filler }] : [];
  const tail = last.end < end - 1e-9 ? [{ start: last.end, end, label: filler }] : [];
  return [...head, ...inside, ...tail];
}
