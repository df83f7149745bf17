import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Random } from '../random.ts';
import { listenOnLoopback } from './listen.ts';

/** What a customer's receiver may do with a call, and how often relative to the others: most calls succeed, and each failure is common. */
const BEHAVIOURS = {
  accept: 10,
  /** Answers 2xx like `accept`, but after SLOW_MS. */
  slow: 1,
  refuse: 2,
  /** Never answers. */
  hang: 0.5,
  /** Records the call and resets the connection instead of answering, which causes duplicates. */
  'accept-and-reset': 1,
  redirect: 0.5,
};
export type Behaviour = keyof typeof BEHAVIOURS;

export type WebhookCall = {
  atMs: number;
  path: string;
  id: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  behaviour: Behaviour;
};

export type WebhookSink = {
  url: string;
  calls: WebhookCall[];
  /** From now on every call is accepted. */
  calm(): void;
  /**
   * From now on behaviours are drawn by these weights; the default is the mixture above. With 'at first', only the first call of each
   * delivery is affected: on the retry schedule of production, a third call would come five minutes later.
   */
  misbehave(weights?: Partial<Record<Behaviour, number>>, when?: 'always' | 'at first'): void;
  close(): Promise<void>;
};

/** Within the call's time limit even of the shortened clocks, 1.5 s (variants/clocks.ts). */
const SLOW_MS = 700;

export async function startWebhookSink(random: Random): Promise<WebhookSink> {
  const calls: WebhookCall[] = [];
  let weights: Record<string, number> = { accept: 1 };
  let affectedCalls: 'always' | 'at first' = 'always';
  const server = createServer(async (request, response) => {
    const body = await request.toArray().then(
      (chunks) => Buffer.concat(chunks).toString(),
      () => null,
    );
    if (body === null) return;
    const id = String(request.headers['webhook-id']);
    const mustAccept = affectedCalls === 'at first' && calls.some((call) => call.id === id);
    const behaviour = mustAccept ? 'accept' : (random.weighted(weights) as Behaviour);
    calls.push({
      atMs: Date.now(),
      path: request.url ?? '',
      id,
      headers: request.headers,
      body,
      behaviour,
    });
    answer(behaviour, request, response);
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    calls,
    calm() {
      weights = { accept: 1 };
    },
    misbehave(newWeights = BEHAVIOURS, when = 'always') {
      weights = newWeights;
      affectedCalls = when;
    },
    close,
  };
}

function answer(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  switch (behaviour) {
    case 'accept':
      return void response.writeHead(200).end('thanks');
    case 'slow':
      return void setTimeout(() => response.writeHead(204).end(), SLOW_MS);
    case 'refuse':
      return void response.writeHead(500).end('out of order');
    case 'redirect':
      return void response.writeHead(302, { location: '/moved' }).end();
    case 'accept-and-reset':
      return void request.socket.resetAndDestroy();
    case 'hang':
      return;
  }
}
