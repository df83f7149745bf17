/** An argument that is invalid for any signal: a tempo hint of 500 BPM, a sampling rate of zero, an FFT size that is not a power of two. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}
