/** The ways a decode can fail, distinguished by what the owner of the file can do about them. */
export const DECODE_ERROR_CODES = [
  'unsupported_format',
  'corrupt_audio',
  'no_audio',
  'too_long',
  'too_large',
  'too_many_channels',
  'sample_rate_out_of_range',
  'timed_out',
  'out_of_memory',
  'decoder_failed',
] as const;
export type DecodeErrorCode = (typeof DECODE_ERROR_CODES)[number];

/** `message` is a sentence for the person who sent the file; internal details go into `cause`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: DecodeErrorCode;

  constructor(code: DecodeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export function isDecodeErrorCode(value: unknown): value is DecodeErrorCode {
  return DECODE_ERROR_CODES.some((code) => code === value);
}

export function corrupt(message: string, cause?: unknown): DecodeError {
  return new DecodeError('corrupt_audio', message, { cause });
}

export function noAudio(message: string): DecodeError {
  return new DecodeError('no_audio', message);
}

export function unsupported(message: string): DecodeError {
  return new DecodeError('unsupported_format', message);
}
