import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
import type { Operation } from './operation.ts';

/** Every error code of an operation: its own, and those that follow from its policy and input. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (operation.policy.access === 'workspace') {
    if (!operation.policy.unverified) add('email_not_verified');
    add('unauthorized', 'insufficient_role', 'insufficient_scope');
    if (operation.method !== 'GET') add('cross_origin_cookie');
  }
  // What was signed is looked up in the database.
  if (operation.policy.access === 'signature') add('unavailable');
  if (operation.params) add('not_found');
  if (operation.body || operation.rawBody) add('payload_too_large', 'unsupported_media', 'bad_request');
  if (operation.idempotent) add('idempotency_key_reused', 'idempotency_in_progress');
  if (operation.surface !== 'operational') add('rate_limited', 'unavailable', 'overloaded');
  add('internal');
  return [...codes];
}

/** Whether the operation can respond 422 with validation issues. */
export function validatesInput(operation: Operation): boolean {
  const { body, rawBody, query, headers, idempotent } = operation;
  const params = Object.values(operation.params?.shape ?? {});
  return (
    Boolean(body || rawBody || query || headers || idempotent) ||
    params.some((schema) => schema.type === 'enum')
  );
}

/** The error codes by status, as the document lists them. */
export function errorCodesByStatus(operation: Operation): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
