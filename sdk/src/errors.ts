import type { Problem, ValidationIssue } from './wire-types.generated.ts';

type ErrorCode = Problem['code'];

/**
 * Base class of every error that a failed call throws.
 *
 * @example
 * ```ts
 * import { Earshot, EarshotError } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * try {
 *   await earshot.analyses.get('job_unknown');
 * } catch (error) {
 *   if (!(error instanceof EarshotError)) throw error;
 *   console.log(error.name, error.message);
 * }
 * ```
 */
export class EarshotError extends Error {
  override readonly name: string = 'EarshotError';
}

/**
 * The service answered with an error.
 *
 * @example
 * ```ts
 * import { ApiError, Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const error = await earshot.analyses.get('job_unknown').catch((caught: unknown) => caught);
 * if (error instanceof ApiError) console.log(error.status, error.code, error.requestId);
 * ```
 */
export class ApiError extends EarshotError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** One of the codes in docs/errors.md; null for invalid input, whose problems are listed in `detail`, and for a gateway's answer. */
  readonly code: ErrorCode | null;
  readonly detail: unknown;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** How long to wait before the same call may succeed; null if the service does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    body: { detail?: unknown; code?: ErrorCode } | null,
    requestId: string | null,
    retryAfterSeconds: number | null = null,
  ) {
    super(describe(status, body));
    this.status = status;
    this.code = body?.code ?? null;
    this.detail = body?.detail ?? null;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * No complete response arrived; `cause` is the network error or the timeout.
 *
 * @example
 * ```ts
 * import { ConnectionError, Earshot } from '@earshot/sdk';
 *
 * const unreachable = new Earshot({ baseUrl: 'http://127.0.0.1:9', retriesMax: 0 });
 * const error = await unreachable.request('getUsage', {}).catch((caught: unknown) => caught);
 * console.log(error instanceof ConnectionError);
 * ```
 */
export class ConnectionError extends EarshotError {
  override readonly name = 'ConnectionError';
}

/**
 * The analysis has no result: it failed, was canceled, or its result was deleted.
 *
 * @example
 * ```ts
 * import { AnalysisFailed, Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const job = await earshot.analyses.create({ file: new Blob(['Dear friend, this is not a song.']) });
 * const error = await job.wait().catch((caught: unknown) => caught);
 * if (error instanceof AnalysisFailed) console.log(error.code, error.retryable);
 * ```
 */
export class AnalysisFailed extends EarshotError {
  override readonly name = 'AnalysisFailed';
  /** Of a failed analysis, why (docs/errors.md); otherwise `canceled` or `result_deleted`. */
  readonly code: string;
  /** Whether submitting the same audio again may succeed. */
  readonly retryable: boolean;

  constructor(error: { code: string; message: string; retryable: boolean }) {
    super(error.message);
    this.code = error.code;
    this.retryable = error.retryable;
  }
}

function describe(status: number, body: { detail?: unknown } | null): string {
  const detail = body?.detail;
  if (typeof detail === 'string') return detail;
  // A gateway in front of the service may answer with a list of another shape.
  if (Array.isArray(detail) && detail.length > 0 && detail.every(isIssue)) {
    return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  }
  return `The service answered ${status}`;
}

function isIssue(item: Partial<ValidationIssue> | null): item is ValidationIssue {
  return Array.isArray(item?.loc) && typeof item.msg === 'string';
}
