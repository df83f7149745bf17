/** A labelled stretch of time, in seconds. The field names are those of the corpus's truth files. */
export type Span = { start: number; end: number; label: string };

/** Chosen: what an overlap leaves of a span is dropped as rounding when it is shorter. */
const SHORTEST_SECONDS = 1e-4;
/** Chosen: times that differ by less are equal but for float rounding. */
const SAME_SECONDS = 1e-9;

/** Sorted; where two overlap, the later one begins where the earlier one ends. */
export function withoutOverlaps(spans: readonly Span[]): Span[] {
  const clean: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const start = Math.max(span.start, clean.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
    if (span.end - start > SHORTEST_SECONDS) clean.push({ start, end: span.end, label: span.label });
  }
  return clean;
}

/** Cut to [start, end], with gaps filled by spans labelled `filler`. */
export function fillTo(spans: readonly Span[], start: number, end: number, filler: string): Span[] {
  const inside = spans
    .map((span) => ({ ...span, start: Math.max(start, span.start), end: Math.min(end, span.end) }))
    .filter((span) => span.end > span.start);
  const filled: Span[] = [];
  const fillUntil = (time: number) => {
    const reached = filled.at(-1)?.end ?? start;
    if (time > reached + SAME_SECONDS) filled.push({ start: reached, end: time, label: filler });
  };
  for (const span of inside) {
    fillUntil(span.start);
    filled.push(span);
  }
  fillUntil(end);
  return filled;
}
