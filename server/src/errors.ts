import type { ErrorCode, ValidationIssue } from '@earshot/contract';

/** At most `count` uses per window; `name` is public. */
export type Limit = { name: string; count: number; windowSeconds: number };

type AppErrorOptions = {
  cause?: unknown;
  detail?: Record<string, unknown>;
  retryAfterSeconds?: number;
  limit?: Limit;
  bodyUnread?: boolean;
  currentVersion?: number;
};

/**
 * An error for the client; invalid input is ValidationFailed. `message` is public and says what to do; private details belong in
 * `cause`, which is logged and never sent.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Further public members of the body, such as the limit, count and resets_at of an exhausted quota. */
  readonly detail: Record<string, unknown>;
  /** When a retry may succeed; null when waiting does not help, or the time is unknown. */
  readonly retryAfterSeconds: number | null;
  /** The exhausted limit. */
  readonly limit: Limit | null;
  /** The body was not read completely, so the connection must be closed. */
  readonly bodyUnread: boolean;
  /** The current version of a resource that the request wanted to change in an older version. */
  readonly currentVersion: number | null;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.limit = options.limit ?? null;
    this.bodyUnread = options.bodyUnread ?? false;
    this.currentVersion = options.currentVersion ?? null;
  }
}

/** Does not reveal whether the resource exists in another workspace. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is nothing here that you can see. Check the id and the workspace.');
}

/** For a request whose access was revoked while it was under way. */
export function accessEnded(): AppError {
  return new AppError('unauthorized', 'Your access ended while this request was under way. Sign in again.');
}

/** Invalid input, answered with 422 in the form of pydantic. Rules throw it for faults that no schema can find. */
export class ValidationFailed extends Error {
  readonly issues: readonly ValidationIssue[];
  /** As in AppError. */
  readonly bodyUnread: boolean;

  constructor(issues: readonly ValidationIssue[], options: { bodyUnread?: boolean } = {}) {
    super('The request is not valid');
    this.name = 'ValidationFailed';
    this.issues = issues;
    this.bodyUnread = options.bodyUnread ?? false;
  }
}

/** The issue for a value that has the right type but violates a rule, in the form of pydantic. */
export function valueError(loc: readonly string[], sentence: string, input: unknown): ValidationIssue {
  const { type, msg, ctx } = valueErrorParts(sentence);
  return { type, loc: [...loc], msg, input, ctx };
}

/** The part of such an issue that does not depend on the place of the value. */
export function valueErrorParts(sentence: string) {
  return { type: 'value_error', msg: `Value error, ${sentence}`, ctx: { error: {} } };
}

/** A problem of the environment. Its message, for the person who starts the service, is printed without a stack. */
export class StartError extends Error {}
