import { vi } from 'vitest';

export type Click = { atSeconds: number; untilSeconds: number };

/** Puts an AudioContext there whose clock goes with the timers; the answer fills with the clicks that it is given, in seconds of that clock. */
export function stubAudioContext(): Click[] {
  const clicks: Click[] = [];
  const part = () => ({ connect: (next: unknown) => next });
  vi.stubGlobal(
    'AudioContext',
    class {
      get currentTime() {
        return Date.now() / 1000;
      }
      resume = async () => {};
      createOscillator = () => {
        const click: Click = { atSeconds: 0, untilSeconds: Number.POSITIVE_INFINITY };
        const start = (atSeconds: number) => {
          click.atSeconds = atSeconds;
          clicks.push(click);
        };
        const stop = (atSeconds = Date.now() / 1000) => {
          // What has sounded has sounded.
          if (Date.now() / 1000 <= click.untilSeconds) click.untilSeconds = atSeconds;
        };
        return { ...part(), frequency: { value: 0 }, start, stop };
      };
      createGain = () => ({
        ...part(),
        gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
      });
    },
  );
  return clicks;
}
