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
  const duration = Math.max(durationSeconds, SPAN_SECONDS_MIN);
  const span = Math.min(Math.max(spanOf(view), SPAN_SECONDS_MIN), duration);
  const startSeconds = Math.min(Math.max(0, view.startSeconds), duration - span);
  return { startSeconds, endSeconds: startSeconds + span };
}

/** `factor` below 1 goes closer. What lies under the anchor stays under it. */
export function zoomAt(
  view: Viewport,
  factor: number,
  { anchorSeconds, durationSeconds }: { anchorSeconds: number; durationSeconds: number },
): Viewport {
  const duration = Math.max(durationSeconds, SPAN_SECONDS_MIN);
  const span = Math.min(Math.max(spanOf(view) * factor, SPAN_SECONDS_MIN), duration);
  const share = (anchorSeconds - view.startSeconds) / spanOf(view);
  const startSeconds = anchorSeconds - share * span;
  return clampView({ startSeconds, endSeconds: startSeconds + span }, durationSeconds);
}

export function panBy(view: Viewport, bySeconds: number, durationSeconds: number): Viewport {
  const moved = { startSeconds: view.startSeconds + bySeconds, endSeconds: view.endSeconds + bySeconds };
  return clampView(moved, durationSeconds);
}

/** Turns the page when the playhead leaves it, as notes are read; null while it is in sight. */
export function follow(view: Viewport, seconds: number, durationSeconds: number): Viewport | null {
  if (seconds >= view.startSeconds && seconds <= view.endSeconds - 0.02 * spanOf(view)) return null;
  const next = clampView(
    {
      startSeconds: seconds - 0.05 * spanOf(view),
      endSeconds: seconds - 0.05 * spanOf(view) + spanOf(view),
    },
    durationSeconds,
  );
  return next.startSeconds === view.startSeconds ? null : next;
}

export function toPixels(view: Viewport, seconds: number, widthPixels: number): number {
  return ((seconds - view.startSeconds) / spanOf(view)) * widthPixels;
}

export function toSeconds(view: Viewport, pixels: number, widthPixels: number): number {
  return view.startSeconds + (pixels / widthPixels) * spanOf(view);
}

const STEPS_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800];

/** Round times for a ruler whose labels keep their distance. */
export function rulerTimes(view: Viewport, widthPixels: number, distancePixels: number): number[] {
  const wanted = (spanOf(view) * distancePixels) / widthPixels;
  const step = STEPS_SECONDS.find((seconds) => seconds >= wanted) ?? STEPS_SECONDS.at(-1)!;
  const first = Math.ceil(view.startSeconds / step);
  const last = Math.floor(view.endSeconds / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}
