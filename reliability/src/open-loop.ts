import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The status is null when there was no answer. */
export type Sample = { status: number | null; latencyMs: number };

/** More than are in use at 200 requests a second unless the service stalls for over a second. */
const SOCKETS_MAX = 256;

export type LoadRequest = { url: string; method?: string; headers: Record<string, string>; body?: string };

/** A request whose connection is silent for longer counts as unanswered. */
const REQUEST_MS_MAX = 30_000;

/**
 * Sends requests on schedule, whether or not earlier ones have been answered, and measures latency from when each was due. A client that
 * waited for answers would send nothing during a stall and so miss it in its percentiles (coordinated omission).
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
      send(requestOf(index), agent).then((status) => ({ status, latencyMs: performance.now() - dueMs })),
    );
  }
  const samples = await Promise.all(running);
  agent.destroy();
  return samples;
}

function send(load: LoadRequest, agent: Agent): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = request(
      load.url,
      { method: load.method ?? 'GET', headers: load.headers, agent, timeout: REQUEST_MS_MAX },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? null));
        answer.once('error', () => resolve(null));
      },
    );
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(null));
    sent.end(load.body);
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
    const key = status ?? 'no answer';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
