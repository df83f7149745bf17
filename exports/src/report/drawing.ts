/**
 * Plots as shapes, so that the page and the PDF draw the same picture, each at its own scale: lengths are in units of which a plot is
 * PLOT_WIDTH wide. The y axis points downwards.
 */

import { formatClock } from '../clock.ts';
import { INK } from './palette.ts';

export type Shape =
  | {
      kind: 'rect';
      x: number;
      y: number;
      width: number;
      height: number;
      fill: string;
      opacity?: number;
      title?: string;
    }
  | { kind: 'line'; from: Point; to: Point; stroke: string; width: number; dashed?: boolean }
  | { kind: 'polyline'; points: readonly Point[]; stroke: string; width: number }
  | {
      kind: 'text';
      x: number;
      y: number;
      text: string;
      size: number;
      fill: string;
      anchor?: 'start' | 'middle' | 'end';
    }
  | { kind: 'image'; x: number; y: number; width: number; height: number; png: Uint8Array; alt: string };

type Point = readonly [x: number, y: number];

export type Plot = { title: string; description: string; width: number; height: number; shapes: Shape[] };

/** Room for the labels of the vertical axis. */
const MARGIN_LEFT = 44;
/** Room for half of the last time label. */
const MARGIN_RIGHT = 14;
const PLOT_WIDTH = 760;
const AXIS_HEIGHT = 18;

/** A plot over the length of the song, with a time axis below. */
export function plotOverTime(
  words: { title: string; description: string },
  durationSeconds: number,
  height: number,
  shapes: readonly Shape[],
): Plot {
  return {
    ...words,
    width: PLOT_WIDTH,
    height: height + AXIS_HEIGHT,
    shapes: [...shapes, ...timeAxis(durationSeconds, height)],
  };
}

/** A label of the vertical axis, to the left of the plot. */
export function axisLabel(text: string, y: number, size = 8): Shape {
  return { kind: 'text', x: MARGIN_LEFT - 4, y, text, size, fill: INK, anchor: 'end' };
}

/** Maps seconds to x in the same way in every plot, so that the plots are aligned in time. */
export function timeScale(durationSeconds: number): (seconds: number) => number {
  const inner = PLOT_WIDTH - MARGIN_LEFT - MARGIN_RIGHT;
  return (seconds) => MARGIN_LEFT + (durationSeconds > 0 ? (seconds / durationSeconds) * inner : 0);
}

const TICK_STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800];
/** For anything over six hours. */
const LONGEST_TICK_STEP_SECONDS = 3_600;
/** The distances between ticks that have room for a label. */
const TICK_STEPS_MAX = 12;

function timeAxis(durationSeconds: number, y: number): Shape[] {
  const x = timeScale(durationSeconds);
  const stepSeconds =
    TICK_STEPS_SECONDS.find((seconds) => durationSeconds / seconds <= TICK_STEPS_MAX) ??
    LONGEST_TICK_STEP_SECONDS;
  const shapes: Shape[] = [
    { kind: 'line', from: [x(0), y], to: [x(durationSeconds), y], stroke: INK, width: 0.5 },
  ];
  for (let seconds = 0; seconds <= durationSeconds; seconds += stepSeconds) {
    shapes.push({ kind: 'line', from: [x(seconds), y], to: [x(seconds), y + 3], stroke: INK, width: 0.5 });
    shapes.push({
      kind: 'text',
      x: x(seconds),
      y: y + 12,
      text: formatClock(seconds),
      size: 8,
      fill: INK,
      anchor: 'middle',
    });
  }
  return shapes;
}
