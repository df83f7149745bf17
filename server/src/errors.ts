import type { ErrorCode, ValidationIssue } from '@earshot/contract';

/** At most `count` per window; `name` is public. */
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
 * The error of rules; faults of the input are ValidationFailed. `message` is public and says what to do; private details go into `cause`,
 * which is logged and never sent.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Further public members of the body, such as limit, count and resets_at of a used-up quota. */
  readonly detail: Record<string, unknown>;
  /** When another try may succeed; null when waiting does not help, or it is unknown. */
  readonly retryAfterSeconds: number | null;
  /** The limit that is exhausted. */
  readonly limit: Limit | null;
  /** The rest of the body is not read, so that the connection must be closed. */
  readonly bodyUnread: boolean;
  /** The present version of a thing that the request wanted to change in an older version. */
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

/** The same message for a thing that does not exist and for one of another workspace. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is nothing here that you can see. Check the id and the workspace.');
}

/** For a request whose access was revoked while it was under way. */
export function accessEnded(): AppError {
  return new AppError('unauthorized', 'Your access ended while this request was under way. Sign in again.');
}

/** Faults of the input, answered 422 in the form of pydantic. Rules throw it for faults that no schema can find. */
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

/** An issue about a value that has the right type but is refused by a rule, in the form of pydantic. */
export function valueError(loc: readonly string[], sentence: string, input: unknown): ValidationIssue {
  const { type, msg, ctx } = nameValueError(sentence);
  return { type, loc: [...loc], msg, input, ctx };
}

/** The part of such an issue that does not depend on the place of the value. */
export function nameValueError(sentence: string) {
  return { type: 'value_error', msg: `Value error, ${sentence}`, ctx: { error: {} } };
}

/** A problem of the environment, whose message is for the person who starts the service; it is printed without a stack. */
export class StartError extends Error {}
