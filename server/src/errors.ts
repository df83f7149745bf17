import type { ErrorCode, ValidationIssue } from '@earshot/contract';

/** So many in a window; `name` is what the caller reads. */
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
 * What rules throw, beside ValidationFailed for input. `message` is public and says what to do; whatever is private goes
 * into `cause`, which is logged and never answered.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Extra public members of the answer's body, such as limit, count and resets_at of a used-up quota. */
  readonly detail: Record<string, unknown>;
  /** When another try may succeed; null where waiting changes nothing, or nobody knows. */
  readonly retryAfterSeconds: number | null;
  /** The limit of which nothing is left. */
  readonly limit: Limit | null;
  /** The rest of what the client sends stays unread, so its connection is of no further use. */
  readonly bodyUnread: boolean;
  /** What the version is now of a thing that was to be changed in an older one. */
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

/** The same words for what is not there and what is not yours. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is nothing here that you can see. Check the id and the workspace.');
}

/** For a request that was let in, and would not be now. */
export function accessEnded(): AppError {
  return new AppError('unauthorized', 'Your access ended while this request was under way. Sign in again.');
}

/** Input that does not fit: answered 422 with pydantic's issues. Rules throw it for what no schema can see. */
export class ValidationFailed extends Error {
  readonly issues: readonly ValidationIssue[];
  /** As of AppError. */
  readonly bodyUnread: boolean;

  constructor(issues: readonly ValidationIssue[], options: { bodyUnread?: boolean } = {}) {
    super('The request is not valid');
    this.name = 'ValidationFailed';
    this.issues = issues;
    this.bodyUnread = options.bodyUnread ?? false;
  }
}

/** What pydantic says of a value that fits its type and is refused by a rule: every such issue of ours has this form. */
export function valueError(loc: readonly string[], sentence: string, input: unknown): ValidationIssue {
  const { type, msg, ctx } = nameValueError(sentence);
  return { type, loc: [...loc], msg, input, ctx };
}

/** The part of it that does not depend on where the value stands. */
export function nameValueError(sentence: string) {
  return { type: 'value_error', msg: `Value error, ${sentence}`, ctx: { error: {} } };
}

/** A mistake of the surroundings with a sentence for the person who starts us; no stack is of use. */
export class StartError extends Error {}
