import type { ErrorCode } from '@earshot/contract';

/** What every failed call throws. */
export class EarshotError extends Error {
  override readonly name: string = 'EarshotError';
}

/** The service answered, and said no. */
export class ApiError extends EarshotError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** One of the documented codes; null for a validation failure, whose items are in `detail`. */
  readonly code: ErrorCode | null;
  readonly detail: unknown;
  /** Name it when you ask for help. */
  readonly requestId: string | null;

  constructor(status: number, body: { detail?: unknown; code?: ErrorCode } | null, requestId: string | null) {
    super(describe(status, body));
    this.status = status;
    this.code = body?.code ?? null;
    this.detail = body?.detail ?? null;
    this.requestId = requestId;
  }
}

/** No answer came: the network, or a time-out. */
export class ConnectionError extends EarshotError {
  override readonly name = 'ConnectionError';
}

/** The analysis itself ended without a result. */
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
  if (typeof body?.detail === 'string') return body.detail;
  if (Array.isArray(body?.detail)) {
    return body.detail.map((item) => `${(item.loc ?? []).join('.')}: ${item.msg}`).join('; ');
  }
  return `The service answered ${status}`;
}
