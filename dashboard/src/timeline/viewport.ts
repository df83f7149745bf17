/** The part of the song that the time line shows, and how it moves: seconds in, seconds out. */
export type Viewport = { startSeconds: number; endSeconds: number };

/** As close as one beat of a fast song. */
export const SPAN_SECONDS_MIN = 0.4;

export function wholeSong(durationSeconds: number): Viewport {
  return { startSeconds: 0, endSeconds: Math.max(durationSeconds, SPAN_SECONDS_MIN) };
}

export function spanOf(view: Viewport): number {
  return view.endSeconds - view.startSeconds;
}

/** Within the song, with its span kept where the song is long enough. */
export function clampView(view: Viewport, durationSeconds: number): Viewport {
  const wholeSeconds = Math.max(durationSeconds, SPAN_SECONDS_MIN);
  const spanSeconds = Math.min(Math.max(spanOf(view), SPAN_SECONDS_MIN), wholeSeconds);
  const startSeconds = Math.min(Math.max(0, view.startSeconds), wholeSeconds - spanSeconds);
  return { startSeconds, endSeconds: startSeconds + spanSeconds };
}

/** `factor` below 1 goes closer. What lies under the anchor stays under it. */
export function zoomAt(
  view: Viewport,
  factor: number,
  { anchorSeconds, durationSeconds }: { anchorSeconds: number; durationSeconds: number },
): Viewport {
  const wholeSeconds = Math.max(durationSeconds, SPAN_SECONDS_MIN);
  const spanSeconds = Math.min(Math.max(spanOf(view) * factor, SPAN_SECONDS_MIN), wholeSeconds);
  const share = (anchorSeconds - view.startSeconds) / spanOf(view);
  const startSeconds = anchorSeconds - share * spanSeconds;
  return clampView({ startSeconds, endSeconds: startSeconds + spanSeconds }, durationSeconds);
}

export function panBy(view: Viewport, bySeconds: number, durationSeconds: number): Viewport {
  const moved = { startSeconds: view.startSeconds + bySeconds, endSeconds: view.endSeconds + bySeconds };
  return clampView(moved, durationSeconds);
}

/** Of a page: it turns a little before its end, and keeps a little of what was played. By eye. */
const TURN_FRACTION = 0.02;
const KEPT_FRACTION = 0.05;

/** Turns the page when the playhead leaves it, as notes are read; null while it is in sight. */
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

const STEPS_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800];

/** Round times for a ruler whose labels keep their distance. */
export function rulerTimes(view: Viewport, widthPx: number, distancePx: number): number[] {
  const wantedSeconds = (spanOf(view) * distancePx) / widthPx;
  const stepSeconds = STEPS_SECONDS.find((seconds) => seconds >= wantedSeconds) ?? STEPS_SECONDS.at(-1)!;
  const first = Math.ceil(view.startSeconds / stepSeconds);
  const last = Math.floor(view.endSeconds / stepSeconds);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * stepSeconds);
}
