import { type RefObject, useEffect, useRef } from 'react';
import { countBegun, itemAt } from '../music/item-at.ts';
import type { Deck } from '../playback/deck.ts';
import type { Result } from '../result.ts';
import { LANE_HEIGHTS_PX, type LaneName } from './lanes.ts';
import type { TimelineEdit } from './timeline.tsx';
import { spanOf, toPixels, toSeconds, type Viewport } from './viewport.ts';
import { meanBeatPx } from './waveform-lane.ts';

type Gestures = {
  view: RefObject<Viewport>;
  widthPx: number;
  shown: readonly LaneName[];
  result: Result;
  deck: Deck;
  zoom: (factor: number, anchorSeconds?: number) => void;
  pan: (bySeconds: number) => void;
  onEdit?: (edit: TimelineEdit) => void;
};

/** How much further one sees for a pixel of the wheel: a notch of a hundred is about a quarter. By hand, as the next. */
const WHEEL_FACTOR = 1.0025;
/** Fingers beside each other would zoom without end. */
const FINGERS_PX_MIN = 8;
/** Further than this and a press is a drag. */
const DRAG_PX = 5;
/** So near to a beat or a boundary one means to grab it. */
const GRAB_PX = 6;
const BEAT_PX_MIN = 4 * GRAB_PX;

type Press = {
  /** In pixels from the left edge. */
  x: number;
  seconds: number;
  lane: LaneName | null;
  grabbed: { kind: TimelineEdit['kind']; seconds: number } | null;
  dragged: boolean;
  touch: boolean;
};

/** Wheel, pinch, drag and press on the time line. */
export function useGestures(box: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const stop = new AbortController();
    const listen = <K extends keyof HTMLElementEventMap>(
      type: K,
      work: (event: HTMLElementEventMap[K]) => void,
      options: AddEventListenerOptions = {},
    ) => element.addEventListener(type, work, { signal: stop.signal, ...options });
    const fingers = new Map<number, PointerEvent>();
    let press: Press | null = null;

    const place = (event: MouseEvent) => {
      const bounds = element.getBoundingClientRect();
      const { view, widthPx } = latest.current;
      const x = event.clientX - bounds.left;
      return { x, y: event.clientY - bounds.top, seconds: toSeconds(view.current, x, widthPx) };
    };

    listen(
      'wheel',
      (event) => {
        const { view, widthPx, zoom, pan } = latest.current;
        const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
        if (!sideways && !event.ctrlKey && !event.metaKey && !event.altKey) return;
        event.preventDefault();
        if (sideways) pan(((event.deltaX || event.deltaY) / widthPx) * spanOf(view.current));
        else zoom(WHEEL_FACTOR ** event.deltaY, place(event).seconds);
      },
      { passive: false },
    );

    listen('pointerdown', (event) => {
      if (event.button !== 0 || (event.target as HTMLElement).closest('button')) return;
      fingers.set(event.pointerId, event);
      const { x, y, seconds } = place(event);
      const lane = laneAt(latest.current.shown, y);
      const touch = event.pointerType === 'touch';
      // A finger pans, and is too broad to grab by.
      const grabbed = touch ? null : grabAt(latest.current, lane, x);
      press = { x, seconds, lane, grabbed, dragged: false, touch };
      element.setPointerCapture(event.pointerId);
    });

    listen('pointermove', (event) => {
      const before = fingers.get(event.pointerId);
      if (!before || !press) return;
      if (fingers.size === 2) {
        pinch(latest.current, fingers, event, element);
        fingers.set(event.pointerId, event);
        press.dragged = true;
        return;
      }
      const { x, seconds } = place(event);
      if (Math.abs(x - press.x) > DRAG_PX) press.dragged = true;
      if (!press.dragged) return;
      const { deck, pan, view, widthPx } = latest.current;
      if (press.touch && press.lane !== 'ruler') {
        pan(((before.clientX - event.clientX) / widthPx) * spanOf(view.current));
      } else if (!press.grabbed) {
        deck.setLoop({
          startSeconds: Math.max(0, Math.min(press.seconds, seconds)),
          endSeconds: Math.min(latest.current.result.duration_seconds, Math.max(press.seconds, seconds)),
        });
      }
      fingers.set(event.pointerId, event);
    });

    const release = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      const ended = press;
      if (fingers.size === 0) press = null;
      if (!ended || event.type === 'pointercancel') return;
      const { seconds } = place(event);
      const { onEdit, deck, result } = latest.current;
      if (ended.dragged && ended.grabbed)
        onEdit?.({ kind: ended.grabbed.kind, fromSeconds: ended.grabbed.seconds, toSeconds: seconds });
      else if (!ended.dragged && ended.lane === 'sections') loopSection(result, deck, seconds);
      else if (!ended.dragged) deck.seek(seconds);
    };
    listen('pointerup', release);
    listen('pointercancel', release);
    return () => stop.abort();
  }, [box]);
}

function laneAt(shown: readonly LaneName[], y: number): LaneName | null {
  let bottomPx = 0;
  for (const name of shown) {
    bottomPx += LANE_HEIGHTS_PX[name];
    if (y < bottomPx) return name;
  }
  return null;
}

/** A beat is grabbed at the foot of the waveform, a boundary among the sections. */
function grabAt(
  { view, widthPx, result, onEdit }: Gestures,
  lane: LaneName | null,
  x: number,
): Press['grabbed'] {
  if (!onEdit) return null;
  const near = (times: readonly number[]) => {
    const seconds = toSeconds(view.current, x, widthPx);
    const begun = countBegun(times, seconds, (time) => time);
    const candidates = times.slice(Math.max(0, begun - 1), begun + 1);
    return candidates.find((time) => Math.abs(toPixels(view.current, time, widthPx) - x) <= GRAB_PX);
  };
  if (lane === 'waveform') {
    const beats = result.rhythm?.beats ?? [];
    const seconds = near(beats.map(({ time_seconds }) => time_seconds));
    // Among beats that touch each other nobody means a single one.
    const beatPx = meanBeatPx(beats, view.current, widthPx);
    return seconds === undefined || beatPx === null || beatPx < BEAT_PX_MIN
      ? null
      : { kind: 'move beat', seconds };
  }
  if (lane === 'sections') {
    const seconds = near(
      (result.structure?.sections ?? []).slice(1).map(({ start_seconds }) => start_seconds),
    );
    return seconds === undefined ? null : { kind: 'move boundary', seconds };
  }
  return null;
}

function loopSection(result: Result, deck: Deck, seconds: number): void {
  const section = itemAt(result.structure?.sections ?? [], seconds, ({ start_seconds }) => start_seconds);
  if (!section) return;
  const { loop } = deck.read();
  const same = loop?.startSeconds === section.start_seconds && loop.endSeconds === section.end_seconds;
  deck.setLoop(same ? null : { startSeconds: section.start_seconds, endSeconds: section.end_seconds });
}

/** Two fingers: their distance zooms, their middle stays where it is in the song. */
function pinch(
  { view, widthPx, zoom }: Gestures,
  fingers: ReadonlyMap<number, PointerEvent>,
  moved: PointerEvent,
  element: HTMLElement,
): void {
  const [other] = [...fingers.values()].filter(({ pointerId }) => pointerId !== moved.pointerId);
  const before = fingers.get(moved.pointerId);
  if (!other || !before) return;
  const distancePx = (event: PointerEvent) =>
    Math.max(FINGERS_PX_MIN, Math.abs(event.clientX - other.clientX));
  const middlePx = (moved.clientX + other.clientX) / 2 - element.getBoundingClientRect().left;
  zoom(distancePx(before) / distancePx(moved), toSeconds(view.current, middlePx, widthPx));
}
