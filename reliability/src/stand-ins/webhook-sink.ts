import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Random } from '../random.ts';
import { listenOnLoopback } from './listen.ts';

/** What a customer's receiver may do with a call, and how often each is drawn (chosen). Only `take` and `slow` answer 2xx. */
const BEHAVIOURS = {
  take: 10,
  /** Answers after a while. */
  slow: 1,
  refuse: 2,
  /** Does not answer until the caller gives up. */
  hang: 0.5,
  /** Processes the call and resets the connection before the answer, which causes duplicates. */
  'take-and-reset': 1,
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
  /** From now on every call is taken. */
  calm(): void;
  /**
   * From now on behaviours are drawn by these weights; the default is the mixture above. With 'at first', only for the first call of
   * each delivery: with the retry schedule of production, a third call would come five minutes later.
   */
  misbehave(weights?: Partial<Record<Behaviour, number>>, when?: 'always' | 'at first'): void;
  close(): Promise<void>;
};

const SLOW_MS = 700;

export async function startWebhookSink(random: Random): Promise<WebhookSink> {
  const calls: WebhookCall[] = [];
  let weights: Record<string, number> = { take: 1 };
  let misbehaves: 'always' | 'at first' = 'always';
  const server = createServer(async (request, response) => {
    const body = await request.toArray().then(
      (chunks) => Buffer.concat(chunks).toString(),
      () => null,
    );
    if (body === null) return;
    const id = String(request.headers['webhook-id']);
    const spared = misbehaves === 'at first' && calls.some((call) => call.id === id);
    const behaviour = spared ? 'take' : (random.weighted(weights) as Behaviour);
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
      weights = { take: 1 };
    },
    misbehave(chosen = BEHAVIOURS, when = 'always') {
      weights = chosen;
      misbehaves = when;
    },
    close,
  };
}

function answer(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  switch (behaviour) {
    case 'take':
      return void response.writeHead(200).end('thanks');
    case 'slow':
      return void setTimeout(() => response.writeHead(204).end(), SLOW_MS);
    case 'refuse':
      return void response.writeHead(500).end('out of order');
    case 'redirect':
      return void response.writeHead(302, { location: '/elsewhere' }).end();
    case 'take-and-reset':
      return void request.socket.resetAndDestroy();
    case 'hang':
      return;
  }
}
