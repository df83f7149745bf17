/** A caller's mistake, independent of the signal: a rate of zero, an FFT size that is not a power of two. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}
