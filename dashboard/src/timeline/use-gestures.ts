import { type RefObject, useEffect, useRef } from 'react';
import { itemAt } from '../music/item-at.ts';
import type { Deck } from '../playback/deck.ts';
import type { Loop } from '../playback/player.ts';
import type { Result } from '../result.ts';
import { type Grabbed, grabAt, laneAt } from './grab.ts';
import type { LaneName } from './lanes.ts';
import type { TimelineEdit } from './timeline.tsx';
import { spanOf, toSeconds, type Viewport } from './viewport.ts';

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

/** Zoom per pixel of the wheel: a notch of 100 px changes the span by about a quarter (1.0025 ** 100 = 1.28). Chosen by trial. */
const WHEEL_FACTOR = 1.0025;
/** Two fingers closer than this count as this far apart, or a pinch would zoom without limit. */
const FINGERS_PX_MIN = 8;
/** A press that moves further is a drag. Chosen by trial. */
const DRAG_PX = 5;

type Press = {
  /** From the left edge of the time line. */
  xPx: number;
  seconds: number;
  lane: LaneName | null;
  grabbed: Grabbed | null;
  dragged: boolean;
  touch: boolean;
};

/** Handles wheel, pinch, drag and press on the time line. */
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

    const locate = (event: MouseEvent) => {
      const bounds = element.getBoundingClientRect();
      const { view, widthPx } = latest.current;
      const xPx = event.clientX - bounds.left;
      return { xPx, yPx: event.clientY - bounds.top, seconds: toSeconds(view.current, xPx, widthPx) };
    };

    listen(
      'wheel',
      (event) => {
        const { view, widthPx, zoom, pan } = latest.current;
        const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
        if (!sideways && !event.ctrlKey && !event.metaKey && !event.altKey) return;
        event.preventDefault();
        if (sideways) pan(((event.deltaX || event.deltaY) / widthPx) * spanOf(view.current));
        else zoom(WHEEL_FACTOR ** event.deltaY, locate(event).seconds);
      },
      { passive: false },
    );

    listen('pointerdown', (event) => {
      if (event.button !== 0 || (event.target as HTMLElement).closest('button')) return;
      fingers.set(event.pointerId, event);
      const { xPx, yPx, seconds } = locate(event);
      const { shown, result, view, widthPx, onEdit } = latest.current;
      const lane = laneAt(shown, yPx);
      const touch = event.pointerType === 'touch';
      // A finger is too broad to grab a beat, and pans instead.
      const grabbed = onEdit && !touch ? grabAt(result, lane, { xPx, view: view.current, widthPx }) : null;
      press = { xPx, seconds, lane, grabbed, dragged: false, touch };
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
      const { xPx, seconds } = locate(event);
      if (Math.abs(xPx - press.xPx) > DRAG_PX) press.dragged = true;
      if (!press.dragged) return;
      const { deck, pan, view, widthPx, result } = latest.current;
      if (press.touch && press.lane !== 'ruler') {
        pan(((before.clientX - event.clientX) / widthPx) * spanOf(view.current));
      } else if (!press.grabbed) {
        deck.setLoop(loopBetween(press.seconds, seconds, result.duration_seconds));
      }
      fingers.set(event.pointerId, event);
    });

    const release = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      const ended = press;
      if (fingers.size === 0) press = null;
      if (!ended || event.type === 'pointercancel') return;
      const { seconds } = locate(event);
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

/** What a drag between two times loops of the song; null where that has no length, because playback would not leave it. */
export function loopBetween(oneSeconds: number, otherSeconds: number, durationSeconds: number): Loop | null {
  const startSeconds = Math.max(0, Math.min(oneSeconds, otherSeconds));
  const endSeconds = Math.min(durationSeconds, Math.max(oneSeconds, otherSeconds));
  return startSeconds < endSeconds ? { startSeconds, endSeconds } : null;
}

function loopSection(result: Result, deck: Deck, seconds: number): void {
  const section = itemAt(result.structure?.sections ?? [], seconds, ({ start_seconds }) => start_seconds);
  if (!section) return;
  const { loop } = deck.read();
  const same = loop?.startSeconds === section.start_seconds && loop.endSeconds === section.end_seconds;
  deck.setLoop(same ? null : { startSeconds: section.start_seconds, endSeconds: section.end_seconds });
}

/** Zooms by the distance of two fingers; the time between them stays at its pixel. */
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
