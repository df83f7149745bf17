import { countBegun } from '../music/item-at.ts';
import type { Result } from '../result.ts';
import { LANE_HEIGHTS_PX, type LaneName } from './lanes.ts';
import type { TimelineEdit } from './timeline.tsx';
import { toPixels, toSeconds, type Viewport } from './viewport.ts';
import { meanBeatPx } from './waveform-lane.ts';

/** A beat or a section boundary that a press has grabbed. */
export type Grabbed = { kind: TimelineEdit['kind']; seconds: number };

/** A press within this distance of a beat or a boundary grabs it. Set by trial. */
const GRAB_PX = 6;
/** With beats closer than this on average, presses that grab one would take more than half of the lane, and a loop could hardly be dragged. */
const BEAT_PX_MIN = 4 * GRAB_PX;

/** The lane at a height from the top of the time line; null below the last. */
export function laneAt(shown: readonly LaneName[], yPx: number): LaneName | null {
  let bottomPx = 0;
  for (const name of shown) {
    bottomPx += LANE_HEIGHTS_PX[name];
    if (yPx < bottomPx) return name;
  }
  return null;
}

/** What a press at `xPx` grabs: a beat in the waveform lane, a boundary in the sections lane. */
export function grabAt(
  result: Result,
  lane: LaneName | null,
  at: { xPx: number; view: Viewport; widthPx: number },
): Grabbed | null {
  const { xPx, view, widthPx } = at;
  const distancePx = (seconds: number): number => Math.abs(toPixels(view, seconds, widthPx) - xPx);
  const findNearest = (timesSeconds: readonly number[]): number | null => {
    const startedCount = countBegun(timesSeconds, toSeconds(view, xPx, widthPx), (seconds) => seconds);
    const [nearest = null] = timesSeconds
      .slice(Math.max(0, startedCount - 1), startedCount + 1)
      .filter((seconds) => distancePx(seconds) <= GRAB_PX)
      .sort((a, b) => distancePx(a) - distancePx(b));
    return nearest;
  };
  if (lane === 'waveform') {
    const beats = result.rhythm?.beats ?? [];
    const beatPx = meanBeatPx(beats, view, widthPx);
    if (beatPx === null || beatPx < BEAT_PX_MIN) return null;
    const seconds = findNearest(beats.map(({ time_seconds }) => time_seconds));
    return seconds === null ? null : { kind: 'move beat', seconds };
  }
  if (lane === 'sections') {
    // The start of the first section is not a boundary: nothing precedes it.
    const [, ...later] = result.structure?.sections ?? [];
    const seconds = findNearest(later.map(({ start_seconds }) => start_seconds));
    return seconds === null ? null : { kind: 'move boundary', seconds };
  }
  return null;
}
