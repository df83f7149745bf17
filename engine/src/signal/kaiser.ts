/**
 * Windowed-sinc low-pass filters with a Kaiser window.
 *
 * Kaiser, "Nonrecursive Digital Filter Design Using the I0-sinh Window Function", Proc. IEEE ISCAS 1974: the stop-band attenuation
 * determines the shape of the window; attenuation and transition width determine its length.
 */

/** Shape of the window for a stop-band attenuation above 50 dB. */
export function kaiserBeta(attenuationDb: number): number {
  return 0.1102 * (attenuationDb - 8.7);
}

/** Length of the filter for a transition width in cycles per sample. */
export function kaiserLengthSamples(attenuationDb: number, transitionCycles: number): number {
  return Math.ceil((attenuationDb - 7.95) / (2.285 * 2 * Math.PI * transitionCycles)) + 1;
}

export type LowPass = { cutoffCycles: number; halfLengthSamples: number; beta: number };

/** Returns the impulse response as a function of the offset from its centre; it is zero from `halfLengthSamples` on. */
export function createKaiserSinc({ cutoffCycles, halfLengthSamples, beta }: LowPass) {
  const terms = besselTerms(beta);
  const peak = sumOfTerms(terms, 1);
  return (offsetSamples: number): number => {
    const offsetRatio = offsetSamples / halfLengthSamples;
    if (Math.abs(offsetRatio) >= 1) return 0;
    const window = sumOfTerms(terms, 1 - offsetRatio * offsetRatio) / peak;
    const angle = 2 * Math.PI * cutoffCycles * offsetSamples;
    return 2 * cutoffCycles * window * (angle === 0 ? 1 : Math.sin(angle) / angle);
  };
}

/** The coefficients of the power series of I0(beta * sqrt(x)) in x that matter in double precision for x up to 1. */
function besselTerms(beta: number): number[] {
  const terms = [1];
  let sum = 1;
  for (let k = 1; terms[k - 1]! > sum * 1e-17; k++) {
    terms.push(terms[k - 1]! * (beta / (2 * k)) ** 2);
    sum += terms[k]!;
  }
  return terms;
}

function sumOfTerms(terms: readonly number[], x: number): number {
  let sum = 0;
  for (let k = terms.length - 1; k >= 0; k--) sum = sum * x + terms[k]!;
  return sum;
}

/** Modified Bessel function of the first kind and order zero. */
export function besselI0(x: number): number {
  return besselTerms(x).reduce((sum, term) => sum + term, 0);
}
