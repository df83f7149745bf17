import fastify from 'fastify';
import { expect, it } from 'vitest';
import { postEvents } from './post-events.ts';

it('posts signed events in order to the public route, and throws at the first that is refused', async () => {
  const server = fastify();
  const posted: unknown[] = [];
  server.post('/webhooks/payment', async ({ body, headers }, reply) => {
    posted.push([body, headers['payment-signature']]);
    if (posted.length === 2) await reply.code(503).send();
    return {};
  });
  const events = [1, 2, 3].map((id) => ({ payload: JSON.stringify({ id }), signature: `signature ${id}` }));
  await expect(postEvents(server, events)).rejects.toThrow('answered 503');
  expect(posted).toEqual([
    [{ id: 1 }, 'signature 1'],
    [{ id: 2 }, 'signature 2'],
  ]);
  await server.close();
});
