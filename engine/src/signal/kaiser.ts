/**
 * Windowed-sinc low-pass filters after Kaiser.
 *
 * Kaiser, "Nonrecursive Digital Filter Design Using the I0-sinh Window Function", Proc. IEEE ISCAS 1974: from the stop-band
 * attenuation follow the window's shape, and with the transition width its length.
 */

/** Shape of the window for an attenuation of at least 50 dB. */
export function kaiserBeta(attenuationDb: number): number {
  return 0.1102 * (attenuationDb - 8.7);
}

/** Length of the filter; the transition is in cycles per sample. */
export function kaiserLengthSamples(attenuationDb: number, transitionCycles: number): number {
  return Math.ceil((attenuationDb - 7.95) / (2.285 * 2 * Math.PI * transitionCycles)) + 1;
}

/** Value of the low-pass at `offsetSamples` from its centre; it is zero from `halfLengthSamples` on. */
export function kaiserSinc(
  offsetSamples: number,
  cutoffCycles: number,
  halfLengthSamples: number,
  beta: number,
): number {
  const place = offsetSamples / halfLengthSamples;
  if (Math.abs(place) >= 1) return 0;
  const window = besselI0(beta * Math.sqrt(1 - place * place)) / windowPeak(beta);
  const angle = 2 * Math.PI * cutoffCycles * offsetSamples;
  return 2 * cutoffCycles * window * (angle === 0 ? 1 : Math.sin(angle) / angle);
}

let peakKnown = { beta: 0, value: 1 };

/** A filter asks for the same one with every tap. */
function windowPeak(beta: number): number {
  if (peakKnown.beta !== beta) peakKnown = { beta, value: besselI0(beta) };
  return peakKnown.value;
}

/** Modified Bessel function of the first kind and order zero, by its power series. */
export function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    const half = x / (2 * k);
    term *= half * half;
    sum += term;
  }
  return sum;
}
