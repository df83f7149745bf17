import type { ErrorCode, ValidationIssue } from '@earshot/contract';

/**
 * The one error that rules throw. `message` is public and says what to do; whatever is private goes into `cause`, which
 * is logged and never answered.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Extra headers of the answer, such as Retry-After. */
  readonly headers: Record<string, string>;
  /** Extra public members of the answer's body, such as limit, count and resets_at of a used-up quota. */
  readonly detail: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; headers?: Record<string, string>; detail?: Record<string, unknown> } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.headers = options.headers ?? {};
    this.detail = options.detail ?? {};
  }
}

/** The same words for what is not there and what is not yours. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is nothing here that you can see. Check the id and the workspace.');
}

/** For a request that was let in, and would not be now. */
export function accessEnded(): AppError {
  return new AppError('unauthorized', 'Your access ended while this request was under way. Sign in again.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="earshot"' },
  });
}

/** Input that does not fit: answered 422 with pydantic's issues. Rules throw it for what no schema can see. */
export class ValidationFailed extends Error {
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    super('The request is not valid');
    this.name = 'ValidationFailed';
    this.issues = issues;
  }
}

/** A mistake of the surroundings with a sentence for the person who starts us; no stack is of use. */
export class StartError extends Error {}
