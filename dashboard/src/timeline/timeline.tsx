import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDeck } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { useWidthPx } from '../ui/use-width-px.ts';
import { LANE_HEIGHTS_PX, type LaneData, type LaneName, lanesOf } from './lanes.ts';
import { useLanes, useOverlay } from './use-canvas.ts';
import { useGestures } from './use-gestures.ts';
import { panBy, type Viewport, wholeSong, zoomAt } from './viewport.ts';
import { isTooCoarse } from './waveform-lane.ts';

/** What is grabbed on the time line; the page decides what it means. */
export type TimelineEdit =
  | { kind: 'move beat'; fromSeconds: number; toSeconds: number }
  | { kind: 'move boundary'; fromSeconds: number; toSeconds: number };

export type TimelineProps = {
  result: Result;
  chordFifths: number;
  lanes: ReadonlySet<LaneName>;
  pictureUrl: ((name: 'spectrogram' | 'chromagram') => string) | null;
  onEdit?: (edit: TimelineEdit) => void;
  /** The waveform has no level for so close a look. */
  onTooCoarse?: () => void;
};

/** Of one press: five of them from a song to a verse of it. Chosen. */
const ZOOM_FACTOR = 1.6;

/** Everything about the song under one playhead: zoomed by wheel, pinch and keys, looped by dragging. */
export function Timeline({ result, chordFifths, lanes, pictureUrl, onEdit, onTooCoarse }: TimelineProps) {
  const deck = useDeck();
  const box = useRef<HTMLDivElement>(null);
  const durationSeconds = result.duration_seconds;
  const [view, setView] = useState<Viewport>(() => wholeSong(durationSeconds));
  const latestView = useRef(view);
  latestView.current = view;
  const widthPx = useWidthPx(box);
  const tooCoarse = isTooCoarse(result, view, widthPx);
  useEffect(() => {
    if (tooCoarse) onTooCoarse?.();
  }, [tooCoarse, onTooCoarse]);
  const pictures = usePictures(lanes, pictureUrl);
  const shown = useMemo(() => lanesOf(result, lanes), [result, lanes]);
  const heightPx = shown.reduce((sum, name) => sum + LANE_HEIGHTS_PX[name], 0);
  const data = useMemo(() => ({ result, chordFifths, pictures }), [result, chordFifths, pictures]);
  const drawing = useLanes({ box, view, widthPx, heightPx, shown, data });
  const overlay = useOverlay({ box, latestView, widthPx, heightPx, durationSeconds, view, setView });
  const zoom = useCallback(
    (factor: number, anchorSeconds = deck.seconds) =>
      setView((now) => {
        const inSight = anchorSeconds >= now.startSeconds && anchorSeconds <= now.endSeconds;
        const anchor = inSight ? anchorSeconds : (now.startSeconds + now.endSeconds) / 2;
        return zoomAt(now, factor, { anchorSeconds: anchor, durationSeconds });
      }),
    [durationSeconds, deck],
  );
  const pan = useCallback(
    (bySeconds: number) => setView((now) => panBy(now, bySeconds, durationSeconds)),
    [durationSeconds],
  );
  useGestures(box, { view: latestView, widthPx, shown, result, deck, zoom, pan, onEdit });

  return (
    <div
      ref={box}
      className="timeline"
      data-testid="timeline"
      data-start={view.startSeconds.toFixed(3)}
      data-end={view.endSeconds.toFixed(3)}
      style={{ height: heightPx }}
    >
      <canvas ref={drawing} role="img" aria-label={describe(result)} />
      <canvas ref={overlay} />
      <div className="timeline-zoom">
        <button type="button" className="icon" aria-label="Zoom out" onClick={() => zoom(ZOOM_FACTOR)}>
          −
        </button>
        <button type="button" className="icon" aria-label="Zoom in" onClick={() => zoom(1 / ZOOM_FACTOR)}>
          +
        </button>
      </div>
    </div>
  );
}

/** Spectrogram and chromagram, once their lanes are shown. */
function usePictures(
  lanes: TimelineProps['lanes'],
  pictureUrl: TimelineProps['pictureUrl'],
): LaneData['pictures'] {
  const [pictures, setPictures] = useState<LaneData['pictures']>({});
  useEffect(() => {
    for (const name of ['spectrogram', 'chromagram'] as const) {
      if (!pictureUrl || !lanes.has(name) || pictures[name]) continue;
      const image = new Image();
      image.onload = () => setPictures((loaded) => ({ ...loaded, [name]: image }));
      image.src = pictureUrl(name);
    }
  }, [lanes, pictureUrl, pictures]);
  return pictures;
}

function describe(result: Result): string {
  const beats = result.rhythm?.beats.length ?? 0;
  const sections = (result.structure?.sections ?? []).map(({ label }) => label).join(', ');
  return `Time line: ${beats} beats${sections ? `; ${sections}` : ''}`;
}
