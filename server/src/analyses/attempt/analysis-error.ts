import type { FailureCode } from '@earshot/contract';
import { DecodeError, type DecodeErrorCode } from '@earshot/decode';
import type { AnalysisFailure } from '../analysis.ts';

/** Why an attempt failed. The message is public; `retryable` means that another attempt may succeed. */
export class AnalysisError extends Error {
  readonly code: FailureCode;
  readonly retryable: boolean;

  constructor(code: FailureCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'AnalysisError';
    this.code = code;
    this.retryable = options.retryable;
  }
}

/** The analysis was canceled or deleted while it ran. */
export class AnalysisCanceled extends Error {
  constructor() {
    super('The analysis was canceled');
    this.name = 'AnalysisCanceled';
  }
}

/** A damaged file stays damaged; only failures that may be due to the machine are retried. */
const DECODE_FAILURES: Record<DecodeErrorCode, { code: FailureCode; retryable: boolean }> = {
  unsupported_format: { code: 'unsupported_format', retryable: false },
  corrupt_audio: { code: 'corrupt_audio', retryable: false },
  no_audio: { code: 'no_audio', retryable: false },
  too_long: { code: 'too_long', retryable: false },
  too_large: { code: 'too_large', retryable: false },
  too_many_channels: { code: 'unsupported_format', retryable: false },
  sample_rate_out_of_range: { code: 'unsupported_format', retryable: false },
  timed_out: { code: 'timed_out', retryable: true },
  out_of_memory: { code: 'too_large', retryable: false },
  // The child may also have been killed from outside, which says nothing about the file.
  decoder_failed: { code: 'corrupt_audio', retryable: true },
};

/** An unexpected error is our fault: it is retried, and after the last attempt reported as `internal` without details. */
export function asAnalysisError(error: unknown): AnalysisError {
  if (error instanceof AnalysisError) return error;
  if (error instanceof DecodeError) {
    const { code, retryable } = DECODE_FAILURES[error.code];
    return new AnalysisError(code, error.message, { retryable, cause: error });
  }
  if (error instanceof Error && error.cause instanceof AnalysisError) return error.cause;
  return new AnalysisError(
    'internal',
    'The analysis failed on our side. Send it again; if it fails again, tell us the job id.',
    { retryable: true, cause: error },
  );
}

export function failureOf({ code, message, retryable }: AnalysisError): AnalysisFailure {
  return { code, message, retryable };
}
