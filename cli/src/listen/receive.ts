/** Receives real webhook calls: registers an endpoint for as long as the command runs. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Earshot } from '@earshot/sdk';
import { UsageError } from '../usage-error.ts';
import { verifyAndForward } from './forward.ts';

/** Fifty times the 20 kB of the largest event (server/src/webhooks/deliver.db.test.ts): a caller that sends more is not the service. */
const BODY_BYTES_MAX = 1_000_000;

export type ReceiveOptions = { port: number; publicUrl: string | null; forwardTo: string | null };

export type Receiver = { url: string; secret: string; stop(): Promise<void> };

/** Rejects with the service's refusal when it may not call this address. */
export async function receiveCalls(
  earshot: Earshot,
  options: ReceiveOptions,
  print: (line: string) => void,
): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    // A caller that hangs up gets the same answer as one that sends too much; it does not see it.
    const body = await readBody(request).catch(() => null);
    if (body === null) return response.writeHead(413).end();
    // Calls can arrive before the answer to the registration, from the service or from one that had this address before.
    const endpoint = await registration.catch(() => null);
    if (endpoint === null) return response.writeHead(503).end();
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
    const { status, line } = await verifyAndForward(
      { headers, body },
      endpoint.signing_secret,
      options.forwardTo,
    );
    print(line);
    response.writeHead(status).end();
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw new UsageError(`--port cannot be used: ${error.message}`);
  });
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const url = options.publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const registration = earshot.request('createWebhookEndpoint', {
    body: { url, description: 'earshot listen' },
  });
  try {
    const { id, signing_secret: secret } = await registration;
    const stop = async () => {
      await earshot.request('deleteWebhookEndpoint', { params: { endpoint_id: id } }).finally(close);
    };
    return { url, secret, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let byteSize = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    byteSize += chunk.length;
    if (byteSize > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
