import { createHmac, randomBytes } from 'node:crypto';

/** The sender's half of Standard Webhooks, for events that are fetched instead of sent. */
export function signEvent(event: {
  id: string;
  body: string;
  secret: string;
  now: Date;
}): Record<string, string> {
  const seconds = Math.floor(event.now.getTime() / 1000);
  const key = Buffer.from(event.secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${seconds}.${event.body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}
