import { verifyWebhook, type WebhookEvent, WebhookVerificationError, withDeadline } from '@earshot/sdk';
import { explainFetchFailure } from '../explain-fetch-failure.ts';

/** A webhook call, received or built from a polled job. */
export type WebhookCall = { headers: Record<string, string>; body: string };

/** `status` is the answer to the sender; `line` is printed. */
export type ForwardResult = { status: number; line: string };

const FORWARDED_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];
/** As long as the service waits for a receiver (server/src/webhooks/call.ts). */
const TIMEOUT_MS = 15_000;

/** Verifies a call and forwards its bytes unchanged. A call that fails verification is not forwarded. */
export async function verifyAndForward(
  call: WebhookCall,
  secret: string,
  forwardTo: string | null,
): Promise<ForwardResult> {
  let event: WebhookEvent;
  try {
    event = await verifyWebhook(call.body, call.headers, secret);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { status: 401, line: `refused: ${error.message}` };
  }
  const summary = [event.type, event.data.job_id, 'verified'].filter(Boolean).join(' ');
  if (forwardTo === null) return { status: 204, line: summary };
  const headers = Object.fromEntries(
    Object.entries(call.headers).filter(([name]) => FORWARDED_HEADERS.includes(name)),
  );
  try {
    const status = await withDeadline(TIMEOUT_MS, async (signal) => {
      const response = await fetch(forwardTo, {
        method: 'POST',
        headers,
        body: call.body,
        redirect: 'manual',
        signal,
      });
      await response.body?.cancel();
      return response.status;
    });
    return { status, line: `${summary}, ${forwardTo} answered ${status}` };
  } catch (error) {
    return {
      status: 502,
      line: `${summary}, ${forwardTo} does not answer: ${explainFetchFailure(error as Error)}`,
    };
  }
}
