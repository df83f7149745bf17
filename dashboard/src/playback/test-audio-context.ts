import { vi } from 'vitest';

export type Click = { atSeconds: number; untilSeconds: number; frequencyHz: number; volume: number };

/**
 * Stubs AudioContext with one whose clock follows the fake timers. Returns a list that fills with the scheduled clicks, in seconds of
 * that clock.
 */
export function stubAudioContext(): Click[] {
  const clicks: Click[] = [];
  /** The latest gain: a click sets its own before it starts. */
  let volume = 0;
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
        const click: Click = {
          atSeconds: 0,
          untilSeconds: Number.POSITIVE_INFINITY,
          frequencyHz: 0,
          volume: 0,
        };
        const start = (atSeconds: number) => {
          Object.assign(click, { atSeconds, frequencyHz: frequency.value, volume });
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
        gain: {
          setValueAtTime: (value: number) => {
            volume = value;
          },
          exponentialRampToValueAtTime: () => {},
        },
      });
    },
  );
  return clicks;
}
