import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The status is null when there was no answer. */
export type Sample = { status: number | null; latencyMs: number };
/** Chosen: more than are waiting at once unless the service stalls for a second. */
const SOCKETS_MAX = 256;

export type LoadRequest = { url: string; method?: string; headers: Record<string, string>; body?: string };

/** Chosen: slower than this, a request counts as not answered. */
const REQUEST_MS_MAX = 30_000;

/**
 * Sends requests on schedule, whether or not the earlier ones are answered, and measures latency from the moment a request was due. A
 * client that waits for answers would send nothing during a stall, and so hardly measure it.
 */
export async function sendOpenLoop(
  requestsPerSecond: number,
  seconds: number,
  requestOf: (index: number) => LoadRequest,
): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  const startMs = performance.now();
  const running: Promise<Sample>[] = [];
  for (let index = 0; index < requestsPerSecond * seconds; index += 1) {
    const dueMs = startMs + (index * 1000) / requestsPerSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await delay(waitMs);
    running.push(
      fire(requestOf(index), agent).then((status) => ({ status, latencyMs: performance.now() - dueMs })),
    );
  }
  const samples = await Promise.all(running);
  agent.destroy();
  return samples;
}

function fire(shot: LoadRequest, agent: Agent): Promise<number | null> {
  return new Promise((resolve) => {
    const headers =
      shot.body === undefined
        ? shot.headers
        : { ...shot.headers, 'content-length': String(Buffer.byteLength(shot.body)) };
    const sent = request(
      shot.url,
      { method: shot.method ?? 'GET', headers, agent, timeout: REQUEST_MS_MAX },
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

/** The smallest latency that at least `percent` of the samples do not exceed (nearest rank). There must be a sample. */
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
