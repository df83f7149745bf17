import { createHmac, randomBytes } from 'node:crypto';

/** Signs an event as a sender of Standard Webhooks does (standardwebhooks.com), for events that are polled. */
export function signEvent(event: {
  id: string;
  body: string;
  secret: string;
  now: Date;
}): Record<string, string> {
  const timestampSeconds = Math.floor(event.now.getTime() / 1000);
  const key = Buffer.from(event.secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${event.id}.${timestampSeconds}.${event.body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature}`,
  };
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** Whether the text can sign events: base64, with or without the prefix `whsec_`. */
export function isSecret(text: string): boolean {
  try {
    return atob(text.replace(/^whsec_/, '')) !== '';
  } catch {
    return false;
  }
}
