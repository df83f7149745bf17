/** Plots as shapes, so that the page and the PDF draw the same picture. Coordinates in points, y downwards. */

import { formatClock } from '../clock.ts';

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
  | { kind: 'polygon'; points: readonly Point[]; fill: string }
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

export type Point = readonly [x: number, y: number];

export type Plot = { title: string; description: string; width: number; height: number; shapes: Shape[] };

/** Left for the numbers of the vertical axis. */
export const MARGIN_LEFT = 44;
/** Half of the last time label. */
const MARGIN_RIGHT = 14;
export const PLOT_WIDTH = 760;
export const AXIS_HEIGHT = 18;

/** Seconds → x, the same in every plot, so that what happens at one moment stands in one column of the page. */
export function timeScale(durationSeconds: number): (seconds: number) => number {
  const inner = PLOT_WIDTH - MARGIN_LEFT - MARGIN_RIGHT;
  return (seconds) => MARGIN_LEFT + (durationSeconds > 0 ? (seconds / durationSeconds) * inner : 0);
}

const TICK_STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800];
const TICKS_MAX = 12;

export function timeAxis(durationSeconds: number, y: number, ink: string): Shape[] {
  const x = timeScale(durationSeconds);
  const step = TICK_STEPS_SECONDS.find((seconds) => durationSeconds / seconds <= TICKS_MAX) ?? 3_600;
  const shapes: Shape[] = [
    { kind: 'line', from: [x(0), y], to: [x(durationSeconds), y], stroke: ink, width: 0.5 },
  ];
  for (let seconds = 0; seconds <= durationSeconds; seconds += step) {
    shapes.push({ kind: 'line', from: [x(seconds), y], to: [x(seconds), y + 3], stroke: ink, width: 0.5 });
    shapes.push({
      kind: 'text',
      x: x(seconds),
      y: y + 12,
      text: formatClock(seconds),
      size: 8,
      fill: ink,
      anchor: 'middle',
    });
  }
  return shapes;
}
