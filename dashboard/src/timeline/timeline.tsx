import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChordSpelling } from '../music/chords.ts';
import { usePlayer, usePlayerState } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import type { Colours } from './drawing.ts';
import { LANE_HEIGHTS, LANES, type LaneData, type LaneName, lanesOf } from './lanes.ts';
import { useGestures } from './use-gestures.ts';
import { follow, panBy, spanOf, toPixels, type Viewport, wholeSong, zoomAt } from './viewport.ts';

/** What is grabbed on the time line; the page decides what it means. */
export type TimelineEdit =
  | { kind: 'move beat'; fromSeconds: number; toSeconds: number }
  | { kind: 'move boundary'; fromSeconds: number; toSeconds: number };

export type TimelineProps = {
  result: Result;
  chordSpelling: ChordSpelling;
  lanes: ReadonlySet<LaneName>;
  pictureUrl: ((name: 'spectrogram' | 'chromagram') => string) | null;
  onEdit?: (edit: TimelineEdit) => void;
};

/** Everything about the song under one playhead: zoomed by wheel, pinch and keys, looped by dragging. */
export function Timeline({ result, chordSpelling, lanes, pictureUrl, onEdit }: TimelineProps) {
  const player = usePlayer();
  const { loop, playing } = usePlayerState();
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const durationSeconds = result.duration_seconds;
  const [view, setView] = useState<Viewport>(() => wholeSong(durationSeconds));
  const latestView = useRef(view);
  latestView.current = view;
  const [width, setWidth] = useState(0);
  const shown = useMemo(() => lanesOf(result, lanes), [result, lanes]);
  const height = shown.reduce((sum, name) => sum + LANE_HEIGHTS[name], 0);
  const [pictures, setPictures] = useState<LaneData['pictures']>({});

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    for (const name of ['spectrogram', 'chromagram'] as const) {
      if (!pictureUrl || !lanes.has(name) || pictures[name]) continue;
      const image = new Image();
      image.onload = () => setPictures((loaded) => ({ ...loaded, [name]: image }));
      image.src = pictureUrl(name);
    }
  }, [lanes, pictureUrl, pictures]);

  // The lanes: once for every change of what is seen.
  useEffect(() => {
    const pen = preparePen(drawing.current!, width, height);
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
      LANES[name](
        { pen, view, widthPixels: width, top, height: laneHeight, colours },
        { result, chordSpelling, pictures },
      );
      pen.restore();
      pen.fillStyle = colours.line;
      pen.fillRect(0, top + laneHeight - 1, width, 1);
      top += laneHeight;
    }
  }, [view, width, height, shown, result, chordSpelling, pictures]);

  // Playhead and loop: on a canvas of their own, so that playing repaints two lines and not the song.
  const drawOverlay = useCallback(() => {
    const pen = preparePen(overlay.current!, width, height);
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
  }, [loop, width, height, player]);

  useEffect(() => {
    drawOverlay();
    const leave = player.subscribe(drawOverlay);
    let frame = 0;
    const tick = () => {
      const turned = follow(latestView.current, player.seconds, durationSeconds);
      if (turned && spanOf(latestView.current) < durationSeconds) setView(turned);
      drawOverlay();
      frame = requestAnimationFrame(tick);
    };
    if (playing) frame = requestAnimationFrame(tick);
    return () => {
      leave();
      cancelAnimationFrame(frame);
    };
  }, [drawOverlay, playing, player, durationSeconds, view]);

  const zoom = useCallback(
    (factor: number, anchorSeconds = player.seconds) =>
      setView((now) => {
        const inSight = anchorSeconds >= now.startSeconds && anchorSeconds <= now.endSeconds;
        const anchor = inSight ? anchorSeconds : (now.startSeconds + now.endSeconds) / 2;
        return zoomAt(now, factor, { anchorSeconds: anchor, durationSeconds });
      }),
    [durationSeconds, player],
  );
  const pan = useCallback(
    (bySeconds: number) => setView((now) => panBy(now, bySeconds, durationSeconds)),
    [durationSeconds],
  );
  useGestures(box, { view: latestView, width, shown, result, player, zoom, pan, onEdit });

  return (
    <div
      ref={box}
      className="timeline"
      data-testid="timeline"
      data-start={view.startSeconds.toFixed(3)}
      data-end={view.endSeconds.toFixed(3)}
      style={{ height }}
    >
      <canvas ref={drawing} role="img" aria-label={describe(result)} />
      <canvas ref={overlay} />
      <div className="timeline-zoom">
        <button type="button" className="icon" aria-label="Zoom out" onClick={() => zoom(1.6)}>
          −
        </button>
        <button type="button" className="icon" aria-label="Zoom in" onClick={() => zoom(1 / 1.6)}>
          +
        </button>
      </div>
    </div>
  );
}

function describe(result: Result): string {
  const beats = result.rhythm?.beats.length ?? 0;
  const sections = (result.structure?.sections ?? []).map(({ label }) => label).join(', ');
  return `Time line: ${beats} beats${sections ? `; ${sections}` : ''}`;
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

function readColours(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  return Object.fromEntries(
    NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as Colours;
}
