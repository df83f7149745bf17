/**
 * The K-weighting of ITU-R BS.1770-5: how much each frequency counts towards loudness.
 *
 * Two biquads: a high shelf of +4 dB for the acoustics of the head, then a high-pass (the revised low-frequency B curve). The
 * recommendation gives their coefficients for 48 kHz only and requires the same response at other rates. Here they are derived by the
 * bilinear transform of the analogue filters that yield the published coefficients at 48 kHz; the filters' parameters are De Man's
 * ("Evaluation of Implementations of the EBU R128 Loudness Measurement", AES Convention 145, 2018).
 */

export type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number };

const SHELF = { frequencyHz: 1681.974450955533, gainDb: 3.999843853973347, q: 0.7071752369554196 };
/** Exponent of the shelf's gain in its band-pass term; a textbook shelf has 0.5, the square root. */
const SHELF_BAND_EXPONENT = 0.4996667741545416;
const HIGH_PASS = { frequencyHz: 38.13547087602444, q: 0.5003270373238773 };

export function designKWeighting(sampleRateHz: number): [shelf: Biquad, highPass: Biquad] {
  return [designShelf(sampleRateHz), designHighPass(sampleRateHz)];
}

function designShelf(sampleRateHz: number): Biquad {
  const k = prewarp(SHELF.frequencyHz, sampleRateHz);
  const high = 10 ** (SHELF.gainDb / 20);
  const band = high ** SHELF_BAND_EXPONENT;
  const a0 = 1 + k / SHELF.q + k * k;
  return {
    b0: (high + (band * k) / SHELF.q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / SHELF.q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / SHELF.q + k * k) / a0,
  };
}

function designHighPass(sampleRateHz: number): Biquad {
  const k = prewarp(HIGH_PASS.frequencyHz, sampleRateHz);
  const a0 = 1 + k / HIGH_PASS.q + k * k;
  // The recommendation leaves the numerator unscaled: 1, -2, 1 at every rate.
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / HIGH_PASS.q + k * k) / a0 };
}

/** Prewarps a frequency for the bilinear transform. At sampling rates below 3.4 kHz the shelf's is beyond Nyquist: it moves just below. */
function prewarp(frequencyHz: number, sampleRateHz: number): number {
  return Math.tan(Math.PI * Math.min(frequencyHz / sampleRateHz, 0.49));
}
