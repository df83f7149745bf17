import { verifyWebhook, type WebhookEvent, WebhookVerificationError, withDeadline } from '@earshot/sdk';

/** One call as it arrived, or as it would have. */
export type WebhookCall = { headers: Record<string, string>; body: string };

/** What became of a call; `status` is what its sender is answered. */
export type Forwarded = { status: number; line: string };

const PASSED_ON = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
/** What the service itself waits for a receiver (server/src/webhooks/call.ts). */
const TIMEOUT_MS = 15_000;

/** Verifies a call and hands it on byte for byte; what does not verify goes nowhere. */
export async function verifyAndForward(
  call: WebhookCall,
  secret: string,
  forwardTo: string | null,
): Promise<Forwarded> {
  let event: WebhookEvent;
  try {
    event = await verifyWebhook(call.body, call.headers, secret);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { status: 401, line: `refused: ${error.message}` };
  }
  const what = [event.type, event.data.job_id, 'verified'].filter(Boolean).join(' ');
  if (forwardTo === null) return { status: 204, line: what };
  const headers = Object.fromEntries(
    Object.entries(call.headers).filter(([name]) => PASSED_ON.includes(name)),
  );
  try {
    const status = await withDeadline(TIMEOUT_MS, async (signal) => {
      const response = await fetch(forwardTo, { method: 'POST', headers, body: call.body, signal });
      await response.body?.cancel();
      return response.status;
    });
    return { status, line: `${what}, ${forwardTo} answered ${status}` };
  } catch {
    return { status: 502, line: `${what}, ${forwardTo} does not answer` };
  }
}
