import { type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useDeck, useDeckState } from '../playback/use-player.tsx';
import { COLOUR_NAMES, type Colours } from './drawing.ts';
import { LANE_HEIGHTS_PX, LANES, type LaneData, type LaneName } from './lanes.ts';
import { follow, toPixels, type Viewport } from './viewport.ts';

/** The two canvases of the time line: the lanes, and above them the playhead and the loop. */

/** Over the lanes, which stay readable below it. */
const LOOP_ALPHA = 0.14;
/** The height of the solid edge at the top of the loop. */
const LOOP_EDGE_PX = 3;
/** The width of the playhead. */
const PLAYHEAD_PX = 1.5;

type Canvas = { box: RefObject<HTMLElement | null>; view: Viewport; widthPx: number; heightPx: number };

/** Redraws the lanes when the view, the size or the data change. */
export function useLanes({
  box,
  view,
  widthPx,
  heightPx,
  shown,
  data,
}: Canvas & { shown: readonly LaneName[]; data: LaneData }): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useShownTheme();
  useEffect(() => {
    const pen = preparePen(canvas.current!, widthPx, heightPx);
    if (!pen) return;
    const colours = readColours(box.current!);
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, widthPx, heightPx);
    let topPx = 0;
    for (const name of shown) {
      const laneHeightPx = LANE_HEIGHTS_PX[name];
      pen.save();
      pen.beginPath();
      pen.rect(0, topPx, widthPx, laneHeightPx);
      pen.clip();
      LANES[name]({ pen, view, widthPx, topPx, heightPx: laneHeightPx, colours }, data);
      pen.restore();
      pen.fillStyle = colours.line;
      pen.fillRect(0, topPx + laneHeightPx - 1, widthPx, 1);
      topPx += laneHeightPx;
    }
    // `theme`, because the colours are those of the moment.
  }, [box, view, widthPx, heightPx, shown, data, theme]);
  return canvas;
}

/** Draws the playhead and the loop on a separate canvas, so that playback does not redraw the lanes. */
export function useOverlay({
  box,
  view,
  latestView,
  widthPx,
  heightPx,
  durationSeconds,
  setView,
}: Canvas & {
  latestView: RefObject<Viewport>;
  durationSeconds: number;
  setView: (view: Viewport) => void;
}): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const deck = useDeck();
  const { loop, playing } = useDeckState();
  const theme = useShownTheme();
  const draw = useCallback(() => {
    const pen = preparePen(canvas.current!, widthPx, heightPx);
    if (!pen) return;
    const colours = readColours(box.current!);
    const seenView = latestView.current;
    if (loop) {
      const fromPx = toPixels(seenView, loop.startSeconds, widthPx);
      const toPx = toPixels(seenView, loop.endSeconds, widthPx);
      pen.fillStyle = colours.accent;
      pen.globalAlpha = LOOP_ALPHA;
      pen.fillRect(fromPx, 0, toPx - fromPx, heightPx);
      pen.globalAlpha = 1;
      pen.fillRect(fromPx, 0, toPx - fromPx, LOOP_EDGE_PX);
    }
    pen.fillStyle = colours.playhead;
    const playheadPx = toPixels(seenView, deck.seconds, widthPx);
    pen.fillRect(playheadPx - PLAYHEAD_PX / 2, 0, PLAYHEAD_PX, heightPx);
  }, [box, latestView, loop, widthPx, heightPx, deck, theme]);

  useEffect(() => {
    draw();
    const unsubscribe = deck.subscribe(draw);
    let frameId = 0;
    const tick = () => {
      const nextPage = follow(latestView.current, deck.seconds, durationSeconds);
      if (nextPage) setView(nextPage);
      draw();
      frameId = requestAnimationFrame(tick);
    };
    if (playing) frameId = requestAnimationFrame(tick);
    return () => {
      unsubscribe();
      cancelAnimationFrame(frameId);
    };
    // `view`, because the playhead moves with it.
  }, [draw, playing, deck, durationSeconds, view, latestView, setView]);
  return canvas;
}

export function preparePen(
  canvas: HTMLCanvasElement,
  widthPx: number,
  heightPx: number,
): CanvasRenderingContext2D | null {
  if (widthPx === 0 || heightPx === 0) return null;
  const canvasPxPerPx = window.devicePixelRatio || 1;
  // Whole, as the canvas keeps them: compared with a fraction they would differ in every frame, and resizing is slow.
  const [canvasWidthPx, canvasHeightPx] = [widthPx, heightPx].map((px) => Math.round(px * canvasPxPerPx));
  if (canvas.width !== canvasWidthPx || canvas.height !== canvasHeightPx) {
    canvas.width = canvasWidthPx!;
    canvas.height = canvasHeightPx!;
  }
  canvas.style.width = `${widthPx}px`;
  canvas.style.height = `${heightPx}px`;
  const pen = canvas.getContext('2d');
  pen?.setTransform(canvasPxPerPx, 0, 0, canvasPxPerPx, 0, 0);
  pen?.clearRect(0, 0, widthPx, heightPx);
  return pen;
}

// A canvas cannot use CSS variables. Once registered as a colour, a token's computed value is a plain colour of the current theme.
// Browsers without `registerProperty` return the unresolved text, and draw in other colours.
for (const name of COLOUR_NAMES)
  CSS.registerProperty?.({ name: `--${name}`, syntax: '<color>', inherits: true, initialValue: 'gray' });

/** Differs where colours may: by the user's choice (theme.ts), and by the system's theme. */
function useShownTheme(): string {
  return useSyncExternalStore(
    onThemeChange,
    () => `${document.documentElement.dataset.theme} ${darkQuery().matches}`,
  );
}

const darkQuery = () => window.matchMedia('(prefers-color-scheme: dark)');

function onThemeChange(listener: () => void): () => void {
  const system = darkQuery();
  system.addEventListener('change', listener);
  const choice = new MutationObserver(listener);
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    choice.disconnect();
  };
}

function readColours(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  return Object.fromEntries(
    COLOUR_NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as Colours;
}
