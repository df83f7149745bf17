/** The part of the song that the time line shows. */
export type Viewport = { startSeconds: number; endSeconds: number };

/** One beat at 150 BPM: closer, nothing more is to be seen. */
export const SPAN_SECONDS_MIN = 0.4;

export function wholeSong(durationSeconds: number): Viewport {
  return { startSeconds: 0, endSeconds: Math.max(durationSeconds, SPAN_SECONDS_MIN) };
}

export function spanOf(view: Viewport): number {
  return view.endSeconds - view.startSeconds;
}

function clampSpan(spanSeconds: number, durationSeconds: number): number {
  return Math.min(Math.max(spanSeconds, SPAN_SECONDS_MIN), spanOf(wholeSong(durationSeconds)));
}

/** Moves the view into the song; its span changes only where it is longer than the song or shorter than `SPAN_SECONDS_MIN`. */
export function clampView(view: Viewport, durationSeconds: number): Viewport {
  const spanSeconds = clampSpan(spanOf(view), durationSeconds);
  const lastStartSeconds = spanOf(wholeSong(durationSeconds)) - spanSeconds;
  const startSeconds = Math.min(Math.max(0, view.startSeconds), lastStartSeconds);
  return { startSeconds, endSeconds: startSeconds + spanSeconds };
}

/** Multiplies the span by `factor`: below 1 zooms in. The anchor stays at its pixel. */
export function zoomAt(
  view: Viewport,
  factor: number,
  { anchorSeconds, durationSeconds }: { anchorSeconds: number; durationSeconds: number },
): Viewport {
  const spanSeconds = clampSpan(spanOf(view) * factor, durationSeconds);
  const share = (anchorSeconds - view.startSeconds) / spanOf(view);
  const startSeconds = anchorSeconds - share * spanSeconds;
  return clampView({ startSeconds, endSeconds: startSeconds + spanSeconds }, durationSeconds);
}

export function panBy(view: Viewport, bySeconds: number, durationSeconds: number): Viewport {
  const moved = { startSeconds: view.startSeconds + bySeconds, endSeconds: view.endSeconds + bySeconds };
  return clampView(moved, durationSeconds);
}

/** Shares of the view: the page turns this much before its end, and the next one starts this much before the playhead. Chosen by eye. */
const TURN_FRACTION = 0.02;
const KEPT_FRACTION = 0.05;

/** The next page when the playhead leaves the view, as when reading notes; null while it is in view or there is no further page. */
export function follow(view: Viewport, seconds: number, durationSeconds: number): Viewport | null {
  const spanSeconds = spanOf(view);
  const turnSeconds = view.endSeconds - TURN_FRACTION * spanSeconds;
  if (seconds >= view.startSeconds && seconds <= turnSeconds) return null;
  const startSeconds = seconds - KEPT_FRACTION * spanSeconds;
  const next = clampView({ startSeconds, endSeconds: startSeconds + spanSeconds }, durationSeconds);
  return next.startSeconds === view.startSeconds ? null : next;
}

export function toPixels(view: Viewport, seconds: number, widthPx: number): number {
  return ((seconds - view.startSeconds) / spanOf(view)) * widthPx;
}

export function toSeconds(view: Viewport, pixels: number, widthPx: number): number {
  return view.startSeconds + (pixels / widthPx) * spanOf(view);
}

/** Round steps of a ruler; longer recordings keep the last one, with labels closer together. */
const STEPS_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800];

/** Round times in the view, at least `distancePx` apart. */
export function rulerTimes(view: Viewport, widthPx: number, distancePx: number): number[] {
  const wantedSeconds = (spanOf(view) * distancePx) / widthPx;
  const stepSeconds = STEPS_SECONDS.find((seconds) => seconds >= wantedSeconds) ?? STEPS_SECONDS.at(-1)!;
  const first = Math.ceil(view.startSeconds / stepSeconds);
  const last = Math.floor(view.endSeconds / stepSeconds);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * stepSeconds);
}
