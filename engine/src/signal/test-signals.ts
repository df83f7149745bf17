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
