/** A mistake of the caller, whatever the signal: a rate of zero, a window that is not a power of two. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}
