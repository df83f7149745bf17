import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDeck } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { useWidthPx } from '../ui/use-width-px.ts';
import { LANE_HEIGHTS_PX, type LaneData, type LaneName, lanesOf } from './lanes.ts';
import type { PictureName } from './picture-lanes.ts';
import { useLanes, useOverlay } from './use-canvas.ts';
import { useGestures } from './use-gestures.ts';
import { panBy, type Viewport, wholeSong, zoomAt } from './viewport.ts';
import { isTooCoarse } from './waveform-lane.ts';

/** A beat or a section boundary that was dragged; the page makes a correction of it. */
export type TimelineEdit = { kind: 'move beat' | 'move boundary'; fromSeconds: number; toSeconds: number };

type TimelineProps = {
  result: Result;
  chordFifths: number;
  lanes: ReadonlySet<LaneName>;
  pictureUrl: ((name: PictureName) => string) | null;
  onEdit?: (edit: TimelineEdit) => void;
  /** Called when the loaded waveform has no level fine enough for the view. */
  onTooCoarse?: () => void;
};

/** Of one press: five presses zoom in about tenfold, from a song to a verse. */
const ZOOM_FACTOR = 1.6;

/** All lanes of a song under one playhead. Wheel, pinch and keys zoom; dragging sets a loop. */
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
        const isInView = anchorSeconds >= now.startSeconds && anchorSeconds <= now.endSeconds;
        const middleSeconds = (now.startSeconds + now.endSeconds) / 2;
        const fixedSeconds = isInView ? anchorSeconds : middleSeconds;
        return zoomAt(now, factor, { anchorSeconds: fixedSeconds, durationSeconds });
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

/** Loads the spectrogram and the chromagram when their lanes are first shown. */
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
