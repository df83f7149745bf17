import type { Problem, ValidationIssue } from './wire-types.generated.ts';

type ErrorCode = Problem['code'];

/**
 * What every failed call throws.
 *
 * @example
 * ```ts
 * import { Earshot, EarshotError } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * try {
 *   await earshot.analyses.get('job_nobody_knows');
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
 * The service answered, and said no.
 *
 * @example
 * ```ts
 * import { ApiError, Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const error = await earshot.analyses.get('job_nobody_knows').catch((caught: unknown) => caught);
 * if (error instanceof ApiError) console.log(error.status, error.code, error.requestId);
 * ```
 */
export class ApiError extends EarshotError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** One of the documented codes; null for a validation failure, whose items are in `detail`. */
  readonly code: ErrorCode | null;
  readonly detail: unknown;
  /** Name it when you ask for help. */
  readonly requestId: string | null;
  /** How long to wait before the same call may succeed; null where the service does not say. */
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
 * No answer came, or not all of it: the network, or a time-out; `cause` says which.
 *
 * @example
 * ```ts
 * import { ConnectionError, Earshot } from '@earshot/sdk';
 *
 * const nobody = new Earshot({ baseUrl: 'http://127.0.0.1:9', retriesMax: 0 });
 * const error = await nobody.request('getUsage', {}).catch((caught: unknown) => caught);
 * console.log(error instanceof ConnectionError);
 * ```
 */
export class ConnectionError extends EarshotError {
  override readonly name = 'ConnectionError';
}

/**
 * The analysis itself ended without a result.
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
  readonly code: string;
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
  // A gateway in front of the service may answer with a list of its own.
  if (Array.isArray(detail) && detail.length > 0 && detail.every(isIssue)) {
    return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  }
  return `The service answered ${status}`;
}

function isIssue(item: Partial<ValidationIssue> | null): item is ValidationIssue {
  return Array.isArray(item?.loc) && typeof item.msg === 'string';
}
