import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { createHumDetector } from './hum.ts';

const FRAMES_MIN = 50;
const BIN_COUNT = 128;

type Tone = { hz: number; dbfs: number };

/** The magnitudes of tones seen through a Hann window, over a flat background; 1 is full scale. */
function drawSpectrum(tones: readonly Tone[], backgroundDbfs: number, binHz: number): Float32Array {
  return Float32Array.from({ length: BIN_COUNT }, (_, bin) => {
    const magnitudes = tones.map(({ hz, dbfs }) => 10 ** (dbfs / 20) * readHannLobe(bin - hz / binHz));
    return Math.max(10 ** (backgroundDbfs / 20), ...magnitudes);
  });
}

/** The main lobe of a Hann window, sinc(d) / (1 - d²), which is two bins wide on either side. */
function readHannLobe(bins: number): number {
  if (Math.abs(bins) >= 2) return 0;
  if (bins === 0) return 1;
  if (Math.abs(bins) === 1) return 0.5;
  return Math.sin(Math.PI * bins) / (Math.PI * bins * (1 - bins * bins));
}

/** The hum in frames of which the first `pauseCount` hold other tones or none. 50 and 100 Hz are whole bins unless `binHz` is given. */
function detect(
  tones: readonly Tone[],
  {
    frameCount = FRAMES_MIN,
    pauseCount = 0,
    pauseTones = [] as readonly Tone[],
    backgroundDbfs = -60,
    binHz = 50 / 16,
  } = {},
) {
  const kernels = createKernels();
  const detector = createHumDetector(kernels, binHz, 1);
  const [spectrum, pause] = [tones, pauseTones].map(
    (heard) => kernels.copyFloats(drawSpectrum(heard, backgroundDbfs, binHz)).pointer,
  );
  for (let frame = 0; frame < frameCount; frame++) detector.take(frame < pauseCount ? pause! : spectrum!);
  return detector.finish();
}
const twoAt = (dbfs: number): Tone[] => [50, 100].map((hz) => ({ hz, dbfs }));

describe('hum', () => {
  it.each([50, 60] as const)(
    'of %d Hz has the level of its harmonics, and their prominence as confidence',
    (hz) => {
      const tones = [hz, 3 * hz].map((harmonicHz) => ({ hz: harmonicHz, dbfs: -40 }));
      // Two tones of -40 dBFS over a background 20 dB below; 30 dB are a confidence of 1.
      expect(detect(tones, { binHz: hz / 16 })).toEqual({
        frequencyHz: hz,
        levelDbfs: expect.closeTo(-40 + 10 * Math.log10(2), 9),
        confidence: expect.closeTo(20 / 30, 9),
      });
      expect(detect(tones, { binHz: hz / 16, backgroundDbfs: -80 })!.confidence).toBe(1);
    },
  );

  it('needs two harmonics, five seconds of frames, and a prominence of 12 dB', () => {
    expect(detect(twoAt(-40))).not.toBeNull();
    expect(detect(twoAt(-40).slice(1))).toBeNull();
    // One of either series.
    expect(detect([50, 120].map((hz) => ({ hz, dbfs: -40 })))).toBeNull();
    expect(detect(twoAt(-40), { frameCount: FRAMES_MIN - 1 })).toBeNull();
    expect(detect(twoAt(-40), { backgroundDbfs: -52 })).not.toBeNull();
    expect(detect(twoAt(-40), { backgroundDbfs: -51 })).toBeNull();
  });

  it.each([
    [-100, true],
    [-101, false],
    [-25, true],
    [-24, false],
  ])('has harmonics of -100 to -25 dBFS: %i, %s', (dbfs, isFound) => {
    expect(detect(twoAt(dbfs), { backgroundDbfs: -130 }) !== null).toBe(isFound);
  });

  it('may pause in a tenth of the frames at most', () => {
    expect(detect(twoAt(-40), { frameCount: 101, pauseCount: 10 })).not.toBeNull();
    expect(detect(twoAt(-40), { frameCount: 101, pauseCount: 11 })).toBeNull();
  });

  it.each([
    [0.993, false],
    [0.994, true],
    [1.006, true],
    [1.007, false],
  ])('keeps to the mains frequency within six per mille: times %s, %s', (ratio, isFound) => {
    // The fifth harmonic is bin 80, where six per mille are half a bin; interpolation has a tolerance of 0.02 bins.
    const tones = [250, 300].map((hz) => ({ hz: hz * ratio, dbfs: -40 }));
    expect(detect(tones) !== null).toBe(isFound);
  });

  it('is that of the more prominent series', () => {
    // Harmonics of one series only, with their neighbours clear of the others.
    const detectBoth = (dbfsOf50: number, dbfsOf60: number) =>
      detect([
        ...[100, 200].map((hz) => ({ hz, dbfs: dbfsOf50 })),
        ...[240, 360].map((hz) => ({ hz, dbfs: dbfsOf60 })),
      ])!.frequencyHz;
    expect(detectBoth(-30, -40)).toBe(50);
    expect(detectBoth(-40, -30)).toBe(60);
  });

  it('is in tune in half of the frames at least', () => {
    const [inTune, outOfTune] = [1, 1.01].map((ratio) =>
      [250, 300].map((hz): Tone => ({ hz: hz * ratio, dbfs: -40 })),
    );
    const detectMixed = (pauseCount: number) =>
      detect(inTune!, { frameCount: 100, pauseCount, pauseTones: outOfTune! });
    expect(detectMixed(50)).not.toBeNull();
    expect(detectMixed(51)).toBeNull();
  });
});
