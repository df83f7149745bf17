import { useEffect, useRef } from 'react';
import type { Result } from '../result.ts';

/** The part of the song that the waveform shows. */
export type View = { startSeconds: number; endSeconds: number };

/** Beats as hairlines and downbeats as lines, as one drawing: thousands of elements would be slow. */
export function BeatGrid({ result, view }: { result: Result; view: View }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const beats = result.rhythm?.beats ?? [];
  useEffect(() => {
    const element = canvas.current!;
    const draw = () => {
      element.width = element.clientWidth * devicePixelRatio;
      element.height = element.clientHeight * devicePixelRatio;
      const pen = element.getContext('2d')!;
      const spanSeconds = view.endSeconds - view.startSeconds;
      for (const beat of beats) {
        if (beat.time_seconds < view.startSeconds || beat.time_seconds > view.endSeconds) continue;
        const downbeat = beat.beat_in_bar === 1;
        pen.fillStyle = downbeat ? '#e8590c' : '#7c8794';
        pen.globalAlpha = 0.35 + 0.65 * beat.confidence;
        const height = element.height * (downbeat ? 1 : 0.5);
        const x = ((beat.time_seconds - view.startSeconds) / spanSeconds) * element.width;
        pen.fillRect(x, element.height - height, devicePixelRatio, height);
      }
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [beats, view]);
  return (
    <canvas
      ref={canvas}
      className="beat-grid"
      role="img"
      aria-label={`${beats.length} beats, downbeats in orange`}
    />
  );
}
