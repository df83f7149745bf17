import type { RequestInput } from '@earshot/sdk';

export type Scope = RequestInput<'createApiKey'>['body']['scopes'][number];

/** What each scope permits; a missing one is a compile error. */
export const SCOPE_LABELS: Record<Scope, string> = {
  'analyses:create': 'submit songs',
  'analyses:write': 'describe, correct and group songs',
  'analyses:read': 'read results',
  'usage:read': 'read usage',
  'webhooks:read': 'read webhooks',
  'webhooks:write': 'change webhooks',
  'audit:read': 'read the audit log',
};

export const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];
