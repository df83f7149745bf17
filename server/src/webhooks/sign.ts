import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks wants 24 to 64. */
const SECRET_BYTES = 32;

/** A Standard Webhooks secret: the key is what follows the prefix, decoded from base64. */
export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The `webhook-signature` header of Standard Webhooks: one signature per secret still valid, newest first. */
export function signWebhook(input: {
  id: string;
  timestampSeconds: number;
  body: string;
  secrets: readonly string[];
}): string {
  const content = `${input.id}.${input.timestampSeconds}.${input.body}`;
  return input.secrets.map((secret) => `v1,${hmacBase64(secret, content)}`).join(' ');
}

function hmacBase64(secret: string, content: string): string {
  // The key is the decoded bytes, not the prefixed text: a common mistake, which receivers would reject.
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content, 'utf8').digest('base64');
}
