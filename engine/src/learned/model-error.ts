/** Weights that this engine cannot use: a damaged file, or a network of another kind or shape. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}
