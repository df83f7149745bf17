/** Verification of received webhooks (Standard Webhooks, https://www.standardwebhooks.com), wherever WebCrypto exists. */

import { EarshotError } from './errors.ts';

/**
 * The body of a webhook. `data` has ids and links; results are fetched through the API.
 *
 * @example
 * ```ts
 * import { type WebhookEvent } from '@earshot/sdk';
 *
 * const describe = ({ type, data }: WebhookEvent) => `${type} ${data.job_id}`;
 * console.log(describe({ type: 'analysis.completed', timestamp: '', data: { job_id: 'job_1' } }));
 * ```
 */
export type WebhookEvent = { type: string; timestamp: string; data: Record<string, unknown> };

/**
 * The webhook was not signed with this secret, or not within the last five minutes.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookVerificationError } from '@earshot/sdk';
 *
 * const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '0', 'webhook-signature': 'v1,AAAA' };
 * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
 * const error = await verifyWebhook('{}', headers, secret).catch((caught: unknown) => caught);
 * console.log(error instanceof WebhookVerificationError);
 * ```
 */
export class WebhookVerificationError extends EarshotError {
  override readonly name = 'WebhookVerificationError';
}

/** Limits how long a captured delivery can be replayed. Five minutes, as in the libraries of Standard Webhooks. */
const TOLERANCE_SECONDS = 300;

/**
 * Returns the event if the delivery is authentic and recent, throws WebhookVerificationError otherwise. `body` must be the raw
 * text as received: JSON that was parsed and serialized again has other bytes.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { verifyWebhook } from '@earshot/sdk';
 *
 * const secret = process.env.EARSHOT_WEBHOOK_SECRET ?? 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
 * const server = createServer(async (request, response) => {
 *   let body = '';
 *   for await (const chunk of request) body += chunk;
 *   const event = await verifyWebhook(body, request.headers, secret).catch(() => null);
 *   if (event?.type === 'analysis.completed') console.log(event.data.job_id);
 *   response.writeHead(event ? 204 : 401).end();
 * });
 * server.listen(0, () => server.close());
 * ```
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
  now: Date = new Date(),
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  ) as [string, string, string];
  const sentSeconds = Number(timestamp);
  if (!Number.isInteger(sentSeconds) || Math.abs(now.getTime() / 1000 - sentSeconds) > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError(
      'The timestamp of the webhook is invalid or more than five minutes off',
    );
  }
  const keyBytes = fromBase64(secret.replace(/^whsec_/, ''));
  // As from an environment variable that is not set: anyone could sign with it.
  if (keyBytes.length === 0) throw new WebhookVerificationError('The secret is empty');
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const offered of signatures.split(' ')) {
    const [version, signature] = offered.split(',', 2);
    // While a secret is being replaced there are two signatures; one match is enough. `verify` compares in constant time.
    if (
      version === 'v1' &&
      signature &&
      (await crypto.subtle.verify('HMAC', key, fromBase64(signature), signed))
    ) {
      return JSON.parse(body) as WebhookEvent;
    }
  }
  throw new WebhookVerificationError('No signature of the webhook matches its body and this secret');
}

function readHeader(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== 'string') throw new WebhookVerificationError(`The webhook has no header ${name}`);
  return value;
}

/** Node lower-cases header names; other platforms keep them as sent. */
function findHeader(headers: Record<string, string | string[] | undefined>, name: string) {
  return Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new WebhookVerificationError('The secret or a signature is not base64', { cause });
  }
}
