import { vi } from 'vitest';

export type Click = { atSeconds: number; untilSeconds: number; frequencyHz: number };

/** Stubs AudioContext with one whose clock follows the fake timers. Returns a list that fills with the scheduled clicks, in seconds of that clock. */
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
        const frequency = { value: 0 };
        const click: Click = { atSeconds: 0, untilSeconds: Number.POSITIVE_INFINITY, frequencyHz: 0 };
        const start = (atSeconds: number) => {
          Object.assign(click, { atSeconds, frequencyHz: frequency.value });
          clicks.push(click);
        };
        const stop = (atSeconds = Date.now() / 1000) => {
          // A click that has ended cannot be stopped any more.
          if (Date.now() / 1000 <= click.untilSeconds) click.untilSeconds = atSeconds;
        };
        return { ...part(), frequency, start, stop };
      };
      createGain = () => ({
        ...part(),
        gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
      });
    },
  );
  return clicks;
}
