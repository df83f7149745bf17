import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, signIn } from '../test/test-app.ts';

const { db } = await createTestDatabase();
const app = await buildTestApp(db);
const { headers } = await signIn(app);

type Issue = { type: string; loc: string[]; msg: string; input: unknown; ctx?: unknown };
type Case = { method: 'GET' | 'POST'; url: string; body: string | null; detail: Issue[] };

/** Answers of FastAPI with pydantic 2.13 to the same requests, recorded by fixtures/make-pydantic-422.py. */
const cases: Case[] = JSON.parse(
  await readFile(new URL('./fixtures/pydantic-422.json', import.meta.url), 'utf8'),
);

/** Our answers differ only in that a text of more than 256 characters is truncated. No case has JSON long enough for that. */
function shortened(issues: Issue[]): Issue[] {
  return issues.map((issue) =>
    typeof issue.input === 'string' && issue.input.length > 256
      ? { ...issue, input: `${issue.input.slice(0, 256)}…` }
      : issue,
  );
}

describe('422 as FastAPI and pydantic write it', () => {
  test.each(
    cases.map((item) => [`${item.method} ${item.url} ${item.body ?? ''}`.slice(0, 90), item] as const),
  )('%s', async (_name, { method, url, body, detail }) => {
    const answer = await app.call(method, url, { headers, body: body ?? undefined });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ detail: shortened(detail) });
  });
});

describe('a long input is truncated', () => {
  const createKey = async (body: unknown): Promise<Issue> =>
    (await app.call('POST', '/v1/api-keys', { headers, body })).body.detail[0];
  /** One less than is repeated of an input, so that the pair of code units after it lies across the limit. */
  const cut = 'a'.repeat(255);

  test('between characters, not within a surrogate pair', async () => {
    const { input } = await createKey({ name: `${cut}🎵${'a'.repeat(10)}` });
    expect(input).toBe(`${cut}…`);
  });

  test('as JSON, between characters as well', async () => {
    const { input } = await createKey([`${cut.slice(2)}🎵${'a'.repeat(1024)}`]);
    expect(input).toBe(`["${cut.slice(2)}…`);
  });
});
