/** Signals with known properties, for tests and benchmarks. Amplitudes are linear; 1 is full scale. */

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
  const stepRadians = (2 * Math.PI * frequencyHz) / sampleRateHz;
  return Float32Array.from(
    { length: sampleCount },
    (_, n) => amplitude * Math.sin(stepRadians * n + phaseRadians),
  );
}

export function makeImpulse(sampleCount: number, atSample: number, amplitude = 1): Float32Array {
  const signal = new Float32Array(sampleCount);
  signal[atSample] = amplitude;
  return signal;
}

export function addSignals(...signals: Float32Array[]): Float32Array {
  return signals[0]!.map((_, n) => signals.reduce((sum, signal) => sum + signal[n]!, 0));
}

/** Divides `signal` into pieces of pseudo-random length, some of them empty. */
export function cutRandomly(signal: Float32Array, pieceSamplesMax: number, seed = 1): Float32Array[] {
  const pieces: Float32Array[] = [];
  const lengths = makeNoise(Math.ceil(signal.length / pieceSamplesMax) * 8 + 8, 0.5, seed);
  for (let from = 0, piece = 0; from < signal.length; piece++) {
    const length = Math.floor((lengths[piece % lengths.length]! + 0.5) * pieceSamplesMax);
    pieces.push(signal.subarray(from, from + length));
    from += length;
  }
  return pieces;
}

/**
 * A simple band without recording defects: kick and snare on the beats at 120 BPM, hi-hats between them, a bass line and a chord that
 * changes every two seconds. Full bandwidth, peak about 0.5.
 */
export function makeMusic(sampleRateHz: number, seconds: number, seed = 1): Float32Array {
  const count = Math.floor(sampleRateHz * seconds);
  const out = new Float32Array(count);
  const noise = makeNoise(count, 1, seed);
  const rootsHz = [110, 87.31, 130.81, 98];
  for (let n = 0; n < count; n++) {
    const timeSeconds = n / sampleRateHz;
    const sinceBeatSeconds = timeSeconds % 0.5;
    const sinceHalfBeatSeconds = timeSeconds % 0.25;
    const sinceChordSeconds = timeSeconds % 2;
    const rootHz = rootsHz[Math.floor(timeSeconds / 2) % 4]!;
    const isSnare = Math.floor(timeSeconds / 0.5) % 2 === 1;
    const kick = isSnare
      ? 0
      : 0.3 * Math.exp(-sinceBeatSeconds * 12) * Math.sin(2 * Math.PI * 55 * sinceBeatSeconds);
    const snare = isSnare ? 0.12 * Math.exp(-sinceBeatSeconds * 25) * noise[n]! : 0;
    const hat = 0.03 * Math.exp(-sinceHalfBeatSeconds * 60) * noise[n]!;
    // Notes start and stop within 10 ms, without clicks.
    const swell = Math.min(1, sinceChordSeconds / 0.01, (2 - sinceChordSeconds) / 0.01);
    let tones = 0;
    for (const [ratio, level] of [
      [0.5, 0.12],
      [1, 0.05],
      [1.25, 0.05],
      [1.5, 0.05],
      [2, 0.02],
      [4, 0.01],
    ] as const) {
      tones += level * Math.sin(2 * Math.PI * rootHz * ratio * timeSeconds);
    }
    out[n] = kick + snare + hat + swell * tones + 0.0002 * noise[n]!;
  }
  return out;
}

/**
 * A signal with the rhythm of speech: about four syllables of irregular length per second, each a buzz of gliding pitch through two moving
 * formants, with hisses between some of them and a pause after every six.
 */
export function makeSpeech(sampleRateHz: number, seconds: number, seed = 1): Float32Array {
  const out = new Float32Array(Math.floor(sampleRateHz * seconds));
  const random = makeNoise(4096, 0.5, seed).map((value) => value + 0.5);
  const hiss = makeNoise(out.length, 1, seed + 1);
  const formants = [createResonator(sampleRateHz), createResonator(sampleRateHz)];
  let rollIndex = 0;
  const roll = (low: number, high: number): number => low + (high - low) * random[rollIndex++ % 4096]!;
  let phaseCycles = 0;
  for (let at = 0, syllable = 0; at < out.length; syllable++) {
    const hissSamples = roll(0, 1) < 0.5 ? Math.round(roll(0.05, 0.12) * sampleRateHz) : 0;
    for (let n = 0; n < hissSamples && at < out.length; n++, at++) {
      const bright = hiss[at]! - (hiss[at - 1] ?? 0);
      out[at] = 0.06 * bright * Math.sin((Math.PI * n) / hissSamples);
    }
    const voicedSamples = Math.round(roll(0.1, 0.24) * sampleRateHz);
    const [startHz, endHz] = [roll(90, 190), roll(80, 170)];
    const [firstHz, secondHz] = [roll(300, 800), roll(900, 2300)];
    const [firstGlideHz, secondGlideHz] = [roll(-200, 200), roll(-500, 500)];
    for (let n = 0; n < voicedSamples && at < out.length; n++, at++) {
      const progress = n / voicedSamples;
      phaseCycles += (startHz + (endHz - startHz) * progress) / sampleRateHz;
      const buzz = phaseCycles % 1 < 0.08 ? 1 : -0.087;
      const voice =
        formants[0]!(buzz, firstHz + firstGlideHz * progress) +
        0.5 * formants[1]!(buzz, secondHz + secondGlideHz * progress);
      out[at] = 0.25 * voice * Math.sin(Math.PI * progress) ** 0.7;
    }
    if (syllable % 6 === 5) at += Math.round(roll(0.25, 0.7) * sampleRateHz);
  }
  return out;
}

/** A two-pole resonance of 80 Hz bandwidth whose frequency may change from sample to sample. */
function createResonator(sampleRateHz: number): (input: number, frequencyHz: number) => number {
  const radius = Math.exp((-Math.PI * 80) / sampleRateHz);
  let before1 = 0;
  let before2 = 0;
  return (input, frequencyHz) => {
    const feedback = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / sampleRateHz);
    const value = (1 - radius) * input + feedback * before1 - radius * radius * before2;
    before2 = before1;
    before1 = value;
    return value;
  };
}
