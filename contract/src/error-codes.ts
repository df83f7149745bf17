/**
 * The closed list of codes for every error but validation failures (docs/errors.md explains each). Codes may be added, but never renamed.
 */
export const ERROR_STATUS = {
  unauthorized: 401,
  email_not_verified: 403,
  insufficient_role: 403,
  insufficient_scope: 403,
  cross_origin_cookie: 403,
  not_found: 404,
  method_not_allowed: 405,
  quota_exceeded: 402,
  email_exists: 409,
  conflict: 409,
  already_finished: 409,
  not_finished: 409,
  no_webhook_endpoint: 409,
  owner_required: 409,
  already_member: 409,
  already_invited: 409,
  object_not_uploaded: 409,
  object_already_uploaded: 409,
  endpoint_disabled: 409,
  subscription_exists: 409,
  payments_not_configured: 409,
  idempotency_key_reused: 409,
  idempotency_in_progress: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  storage_quota_exceeded: 413,
  unsupported_media: 415,
  bad_signature: 400,
  bad_request: 400,
  too_many_attempts: 429,
  rate_limited: 429,
  internal: 500,
  payment_provider_failed: 502,
  unavailable: 503,
  overloaded: 503,
  storage_full: 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Types of validation failures that no schema can detect, in addition to those of pydantic. */
export const REFUSAL_TYPES = ['url_not_allowed', 'provider_not_configured'] as const;
export type RefusalType = (typeof REFUSAL_TYPES)[number];

/** Why an analysis has no result. */
export const FAILURE_CODES = [
  'unsupported_format',
  'corrupt_audio',
  'no_audio',
  'too_long',
  'too_large',
  'download_failed',
  'download_forbidden',
  'timed_out',
  'internal',
  'canceled',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];
