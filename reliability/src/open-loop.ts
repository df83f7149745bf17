import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Status null: no answer. */
export type Sample = { status: number | null; latencyMs: number };
export type Shot = { url: string; method?: string; headers: Record<string, string>; body?: string };

const SHOT_MS_MAX = 30_000;

/**
 * Sends on schedule, whether or not the earlier ones are answered, and counts every latency from the moment a request was
 * due: a client that waits for answers would not see a stall.
 */
export async function fireOpenLoop(
  requestsPerSecond: number,
  seconds: number,
  shotOf: (index: number) => Shot,
): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const startMs = performance.now();
  const running: Promise<Sample>[] = [];
  for (let index = 0; index < requestsPerSecond * seconds; index += 1) {
    const dueMs = startMs + (index * 1000) / requestsPerSecond;
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

function fire(shot: Shot, agent: Agent): Promise<number | null> {
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
        answer.once('end', () => resolve(answer.statusCode ?? null));
        answer.once('error', () => resolve(null));
      },
    );
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(null));
    sent.end(shot.body);
  });
}

/** The least latency that so many per cent of the samples, of which there must be some, do not exceed (nearest rank). */
export function percentileMs(samples: readonly Sample[], percent: number): number {
  const sorted = samples.map(({ latencyMs }) => latencyMs).sort((left, right) => left - right);
  return Math.round(sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!);
}

export function countStatuses(samples: readonly Sample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of samples) {
    const word = status ?? 'no answer';
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
