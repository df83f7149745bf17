import type { ApiKey, NewApiKey } from '@earshot/contract';
import type { z } from 'zod';
import type { NewKey } from './api-keys.ts';
import type { ApiKeyRow } from './store.ts';

export function presentApiKey(row: ApiKeyRow): z.infer<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    ...(row.revoked_at ? { revoked_at: row.revoked_at.toISOString() } : {}),
  };
}

export function presentNewApiKey(key: NewKey): z.infer<typeof NewApiKey> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    plaintext_key: key.plaintextKey,
  };
}
