import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { usePlayer, usePlayerState } from '../playback/use-player.tsx';
import type { Colours } from './drawing.ts';
import { LANE_HEIGHTS, LANES, type LaneData, type LaneName } from './lanes.ts';
import { follow, spanOf, toPixels, type Viewport } from './viewport.ts';

/** The two canvases of the time line: its lanes, and what moves above them. */

type Box = { box: RefObject<HTMLElement | null>; view: Viewport; width: number; height: number };

/** Drawn once for every change of what is seen. */
export function useLanes({
  box,
  view,
  width,
  height,
  shown,
  data,
}: Box & { shown: readonly LaneName[]; data: LaneData }): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = preparePen(canvas.current!, width, height);
    if (!pen) return;
    const colours = readColours(box.current!);
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, width, height);
    let top = 0;
    for (const name of shown) {
      const laneHeight = LANE_HEIGHTS[name];
      pen.save();
      pen.beginPath();
      pen.rect(0, top, width, laneHeight);
      pen.clip();
      LANES[name]({ pen, view, widthPixels: width, top, height: laneHeight, colours }, data);
      pen.restore();
      pen.fillStyle = colours.line;
      pen.fillRect(0, top + laneHeight - 1, width, 1);
      top += laneHeight;
    }
  }, [box, view, width, height, shown, data]);
  return canvas;
}

/** Playhead and loop: on a canvas of their own, so that playing repaints two lines and not the song. */
export function useOverlay({
  box,
  view,
  latestView,
  width,
  height,
  durationSeconds,
  setView,
}: Box & {
  latestView: RefObject<Viewport>;
  durationSeconds: number;
  setView: (view: Viewport) => void;
}): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const player = usePlayer();
  const { loop, playing } = usePlayerState();
  const draw = useCallback(() => {
    const pen = preparePen(canvas.current!, width, height);
    if (!pen) return;
    const colours = readColours(box.current!);
    const seen = latestView.current;
    if (loop) {
      const from = toPixels(seen, loop.startSeconds, width);
      const to = toPixels(seen, loop.endSeconds, width);
      pen.fillStyle = colours.accent;
      pen.globalAlpha = 0.14;
      pen.fillRect(from, 0, to - from, height);
      pen.globalAlpha = 1;
      pen.fillRect(from, 0, to - from, 3);
    }
    pen.fillStyle = colours.playhead;
    pen.fillRect(toPixels(seen, player.seconds, width) - 0.75, 0, 1.5, height);
  }, [box, latestView, loop, width, height, player]);

  useEffect(() => {
    draw();
    const leave = player.subscribe(draw);
    let frame = 0;
    const tick = () => {
      const turned = follow(latestView.current, player.seconds, durationSeconds);
      if (turned && spanOf(latestView.current) < durationSeconds) setView(turned);
      draw();
      frame = requestAnimationFrame(tick);
    };
    if (playing) frame = requestAnimationFrame(tick);
    return () => {
      leave();
      cancelAnimationFrame(frame);
    };
    // A new view moves the playhead, too.
  }, [draw, playing, player, durationSeconds, view, latestView, setView]);
  return canvas;
}

function preparePen(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  if (width === 0 || height === 0) return null;
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== width * scale || canvas.height !== height * scale) {
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext('2d');
  pen?.setTransform(scale, 0, 0, scale, 0, 0);
  pen?.clearRect(0, 0, width, height);
  return pen;
}

const NAMES = [
  'ink',
  'soft',
  'faint',
  'line',
  'paper',
  'raised',
  'accent',
  'playhead',
  'low',
  'mid',
  'high',
] as const;

// A canvas knows no themes: registered as a colour, a token is read as what it comes to in the theme of the page.
// A browser without it draws in other colours.
for (const name of NAMES)
  CSS.registerProperty?.({ name: `--${name}`, syntax: '<color>', inherits: true, initialValue: 'gray' });

function readColours(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  return Object.fromEntries(
    NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as Colours;
}
