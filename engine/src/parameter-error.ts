/** The caller asked for something no signal could make right: a rate of zero, a window that is not a power of two. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}
