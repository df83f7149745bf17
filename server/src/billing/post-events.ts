import type { FastifyInstance } from 'fastify';
import type { SignedEvent } from './payment-provider.ts';

/** Posts events as Stripe would: signed, to the public webhook route. */
export async function postEvents(server: FastifyInstance, events: readonly SignedEvent[]): Promise<void> {
  for (const { payload, signature } of events) {
    const answer = await server.inject({
      method: 'POST',
      url: '/webhooks/payment',
      headers: { 'content-type': 'application/json', 'payment-signature': signature },
      payload,
    });
    if (answer.statusCode !== 200)
      throw new Error(`The webhook route answered ${answer.statusCode} to the sandbox`);
  }
}
