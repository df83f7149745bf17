import { expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { grabAt, laneAt } from './grab.ts';

const result = {
  rhythm: { beats: [{ time_seconds: 1 }, { time_seconds: 2 }, { time_seconds: 3 }] },
  structure: { sections: [{ start_seconds: 0 }, { start_seconds: 2 }, { start_seconds: 5 }] },
} as unknown as Result;
/** A hundred pixels a second. */
const VIEW = { startSeconds: 0, endSeconds: 10 };
const WIDTH_PX = 1_000;

it.each([
  ['waveform', 194, { kind: 'move beat', seconds: 2 }],
  ['waveform', 206, { kind: 'move beat', seconds: 2 }],
  ['waveform', 193, null],
  ['waveform', 207, null],
  ['sections', 500, { kind: 'move boundary', seconds: 5 }],
  ['sections', 494, { kind: 'move boundary', seconds: 5 }],
  // The song starts there: nothing precedes it.
  ['sections', 0, null],
  ['ruler', 200, null],
  [null, 200, null],
] as const)('in the lane %s at %i px, a press grabs %j', (lane, xPx, grabbed) => {
  expect(grabAt(result, lane, { xPx, view: VIEW, widthPx: WIDTH_PX })).toEqual(grabbed);
});

it.each([
  // Beats a second apart: 24 px on a view of 41.6 s, 23.8 px on one of 42 s.
  [41.6, { kind: 'move beat', seconds: 2 }],
  [42, null],
])('in a view of %d s a press on a beat grabs %j', (endSeconds, grabbed) => {
  const view = { startSeconds: 0, endSeconds };
  const xPx = (2 / endSeconds) * WIDTH_PX;
  expect(grabAt(result, 'waveform', { xPx, view, widthPx: WIDTH_PX })).toEqual(grabbed);
});

it.each([
  // Boundaries 6 px apart: a press between them is within reach of both.
  [500, 5],
  [502, 5],
  [504, 5.06],
  [506, 5.06],
])('of two boundaries in reach, a press at %i px grabs the nearer, at %d s', (xPx, seconds) => {
  const close = {
    structure: { sections: [{ start_seconds: 0 }, { start_seconds: 5 }, { start_seconds: 5.06 }] },
  } as unknown as Result;
  expect(grabAt(close, 'sections', { xPx, view: VIEW, widthPx: WIDTH_PX })).toEqual({
    kind: 'move boundary',
    seconds,
  });
});

it('a song without beats or sections has nothing to grab', () => {
  const empty = { rhythm: null, structure: null } as Result;
  const at = { xPx: 0, view: VIEW, widthPx: WIDTH_PX };
  expect([grabAt(empty, 'waveform', at), grabAt(empty, 'sections', at)]).toEqual([null, null]);
});

it.each([
  // The ruler is 32 px high and the sections 26.
  [0, 'ruler'],
  [31, 'ruler'],
  [32, 'sections'],
  [57, 'sections'],
  [58, null],
])('at a height of %i px is the lane %s', (yPx, lane) => {
  expect(laneAt(['ruler', 'sections'], yPx)).toBe(lane);
});
