import { expect, it, vi } from 'vitest';
import { createMetrics } from '../platform/metrics.ts';
import type { Queryable } from '../platform/postgres.ts';
import { measureQueue } from './queue-metrics.ts';

function createScrape(query: () => Promise<object[]>) {
  const metrics = createMetrics();
  measureQueue(metrics, { query } as unknown as Queryable, ['analysis.run', 'mail.send']);
  return async () => {
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => /^earshot_(queue|database)/.test(line));
  };
}

it('reports depth by kind and state, and the age of queued jobs alone, with one query a scrape', async () => {
  const query = vi.fn(async () => [
    { kind: 'analysis.run', state: 'queued', count: 3, oldestSeconds: 7.5 },
    { kind: 'analysis.run', state: 'running', count: 2, oldestSeconds: 90 },
    { kind: 'mail.send', state: 'waiting', count: 1, oldestSeconds: 0 },
  ]);
  const scrape = createScrape(query);
  expect(await scrape()).toEqual([
    'earshot_database_up 1',
    'earshot_queue_depth{kind="analysis.run",state="queued"} 3',
    'earshot_queue_depth{kind="analysis.run",state="running"} 2',
    'earshot_queue_depth{kind="mail.send",state="waiting"} 1',
    'earshot_queue_age_seconds{kind="analysis.run"} 7.5',
    'earshot_queue_age_seconds{kind="mail.send"} 0',
  ]);
  expect(query).toHaveBeenCalledTimes(1);
  query.mockResolvedValueOnce([]);
  expect(await scrape()).toEqual([
    'earshot_database_up 1',
    'earshot_queue_age_seconds{kind="analysis.run"} 0',
    'earshot_queue_age_seconds{kind="mail.send"} 0',
  ]);
});

it('reports only that the database is down when it does not answer', async () => {
  const scrape = createScrape(() => Promise.reject(new Error('away')));
  expect(await scrape()).toEqual(['earshot_database_up 0']);
});
