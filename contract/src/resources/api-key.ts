import { z } from 'zod';
import { SCOPES } from '../operation.ts';
import { identifier, label, timestamp } from '../wire-values.ts';

export const ApiKeyScope = z.enum(SCOPES).meta({ id: 'ApiKeyScope' });

const apiKeyFields = {
  id: identifier('key'),
  name: z.string(),
  prefix: z.string().meta({ description: 'The first 12 characters of the key' }),
  scopes: z.array(ApiKeyScope),
  created_at: timestamp,
};

export const ApiKey = z
  .object({
    ...apiKeyFields,
    last_used_at: timestamp.nullable().meta({ description: 'Accurate to the minute' }),
    revoked_at: timestamp.optional().meta({ description: 'Present once revoked' }),
  })
  .meta({ id: 'ApiKey' });

export const NewApiKey = z
  .object({
    ...apiKeyFields,
    plaintext_key: z.string().meta({ description: 'The API key; it is not shown again' }),
  })
  .meta({ id: 'NewApiKey' });

export const ApiKeyRequest = z
  .strictObject({ name: label(100), scopes: z.array(ApiKeyScope).min(1).max(SCOPES.length) })
  .meta({
    id: 'ApiKeyRequest',
    examples: [{ name: 'nightly batch', scopes: ['analyses:create', 'analyses:read'] }],
  });
