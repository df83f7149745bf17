import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type Sample = { status: number; latencyMs: number };
export type Shot = { url: string; method?: string; headers: Record<string, string>; body?: string };

const SHOT_MS_MAX = 30_000;

/**
 * Sends on schedule, whether or not the earlier ones are answered, and counts every latency from the moment a request was
 * due: a client that waits for answers would not see a stall. Status 0: no answer.
 */
export async function fireOpenLoop(
  perSecond: number,
  seconds: number,
  shotOf: (index: number) => Shot,
): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const startMs = performance.now();
  const running: Promise<Sample>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueMs = startMs + (index * 1000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await delay(waitMs);
    running.push(
      fire(shotOf(index), agent).then((status) => ({ status, latencyMs: performance.now() - dueMs })),
    );
  }
  const samples = await Promise.all(running);
  agent.destroy();
  return samples;
}

function fire(shot: Shot, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers =
      shot.body === undefined
        ? shot.headers
        : { ...shot.headers, 'content-length': String(Buffer.byteLength(shot.body)) };
    const sent = request(
      shot.url,
      { method: shot.method ?? 'GET', headers, agent, timeout: SHOT_MS_MAX },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', () => resolve(0));
      },
    );
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(0));
    sent.end(shot.body);
  });
}

/** p between 0 and 100, in milliseconds. */
export function percentile(samples: readonly Sample[], p: number): number {
  const sorted = samples.map(({ latencyMs }) => latencyMs).sort((left, right) => left - right);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0);
}

export function countStatuses(samples: readonly Sample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of samples) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
