/** Signals with known answers, for tests and benchmarks. Amplitudes are linear, 1 is full scale. */

/** White noise in -1..1 from a linear congruential generator (Numerical Recipes), the same on every machine. */
export function makeNoise(sampleCount: number, amplitude = 1, seed = 1): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: sampleCount }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return amplitude * (state / 2 ** 31 - 1);
  });
}

export function makeSine(
  sampleCount: number,
  frequencyHz: number,
  sampleRateHz: number,
  amplitude = 1,
  phaseRadians = 0,
): Float32Array {
  const step = (2 * Math.PI * frequencyHz) / sampleRateHz;
  return Float32Array.from({ length: sampleCount }, (_, n) => amplitude * Math.sin(step * n + phaseRadians));
}

export function makeImpulse(sampleCount: number, atSample: number, amplitude = 1): Float32Array {
  const signal = new Float32Array(sampleCount);
  signal[atSample] = amplitude;
  return signal;
}

export function addSignals(...signals: Float32Array[]): Float32Array {
  return signals[0]!.map((_, n) => signals.reduce((sum, signal) => sum + signal[n]!, 0));
}

/** Cuts `signal` into pieces of pseudo-random length, some of them empty. */
export function cutRandomly(signal: Float32Array, longest: number, seed = 1): Float32Array[] {
  const pieces: Float32Array[] = [];
  const lengths = makeNoise(Math.ceil(signal.length / longest) * 8 + 8, 0.5, seed);
  for (let from = 0, piece = 0; from < signal.length; piece++) {
    const length = Math.floor((lengths[piece % lengths.length]! + 0.5) * longest);
    pieces.push(signal.subarray(from, from + length));
    from += length;
  }
  return pieces;
}

/**
 * Half a minute of something like music, with nothing wrong with it: a kick and a snare on the beats of 120 BPM, hi-hats between, a
 * bass line and a chord that changes every two seconds. Full band, peak about 0.6.
 */
export function makeMusic(sampleRateHz: number, seconds: number, seed = 1): Float32Array {
  const count = Math.floor(sampleRateHz * seconds);
  const out = new Float32Array(count);
  const noise = makeNoise(count, 1, seed);
  const roots = [110, 87.31, 130.81, 98];
  for (let n = 0; n < count; n++) {
    const time = n / sampleRateHz;
    const sinceBeat = time % 0.5;
    const sinceHalf = time % 0.25;
    const sinceChord = time % 2;
    const rootHz = roots[Math.floor(time / 2) % 4]!;
    const isSnare = Math.floor(time / 0.5) % 2 === 1;
    const kick = isSnare ? 0 : 0.3 * Math.exp(-sinceBeat * 12) * Math.sin(2 * Math.PI * 55 * sinceBeat);
    const snare = isSnare ? 0.12 * Math.exp(-sinceBeat * 25) * noise[n]! : 0;
    const hat = 0.03 * Math.exp(-sinceHalf * 60) * noise[n]!;
    // Notes begin and end within a few milliseconds, as instruments do.
    const swell = Math.min(1, sinceChord / 0.01, (2 - sinceChord) / 0.01);
    let tones = 0;
    for (const [ratio, level] of [
      [0.5, 0.12],
      [1, 0.05],
      [1.25, 0.05],
      [1.5, 0.05],
      [2, 0.02],
      [4, 0.01],
    ] as const) {
      tones += level * Math.sin(2 * Math.PI * rootHz * ratio * time);
    }
    out[n] = kick + snare + hat + swell * tones + 0.0002 * noise[n]!;
  }
  return out;
}
