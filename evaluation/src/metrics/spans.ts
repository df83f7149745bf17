/** A labelled stretch of time, in seconds. The field names are those of the corpus's annotations. */
export type Span = { start: number; end: number; label: string };

/** A shorter remainder of an overlapped span is a rounding error. */
const SPAN_SECONDS_MIN = 1e-4;
/** Floating-point error of a time is far smaller. */
const GAP_SECONDS_MIN = 1e-9;

/** Sorts the spans; where two overlap, the later begins where the earlier ends. */
export function withoutOverlaps(spans: readonly Span[]): Span[] {
  const clean: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const start = Math.max(span.start, clean.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
    if (span.end - start > SPAN_SECONDS_MIN) clean.push({ start, end: span.end, label: span.label });
  }
  return clean;
}

/** Cuts sorted spans to the range, and fills gaps with spans labelled `filler`. */
export function fillTo(
  spans: readonly Span[],
  startSeconds: number,
  endSeconds: number,
  filler: string,
): Span[] {
  const inside = spans
    .map((span) => ({
      ...span,
      start: Math.max(startSeconds, span.start),
      end: Math.min(endSeconds, span.end),
    }))
    .filter((span) => span.end > span.start);
  const filled: Span[] = [];
  const fillUntil = (untilSeconds: number) => {
    const reachedSeconds = filled.at(-1)?.end ?? startSeconds;
    if (untilSeconds > reachedSeconds + GAP_SECONDS_MIN)
      filled.push({ start: reachedSeconds, end: untilSeconds, label: filler });
  };
  for (const span of inside) {
    fillUntil(span.start);
    filled.push(span);
  }
  fillUntil(endSeconds);
  return filled;
}
