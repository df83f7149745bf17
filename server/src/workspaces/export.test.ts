import { expect, it } from 'vitest';
import type { MemberContext } from '../context.ts';
import { exportWorkspace } from './export.ts';

const RESULTS = 120;
/** The size of the result of a mix of one hour. */
const RESULT_CHARACTERS = 1_000_000;

it('keeps at most 25 results in memory, however many there are', async () => {
  const groups = { file: 'x'.repeat(RESULT_CHARACTERS) };
  let charactersMax = 0;
  const query = async (sql: string, [, [after], limit]: [string, string[], number]) => {
    if (!sql.includes('from analysis_results')) return [];
    const rows = Array.from({ length: Math.min(limit, RESULTS - Number(after)) }, (_, index) => ({
      export_key: [String(Number(after) + index + 1)],
      groups,
      packed_groups: null,
    }));
    charactersMax = Math.max(charactersMax, rows.length * RESULT_CHARACTERS);
    return rows;
  };
  const ctx = {
    actor: { workspaceId: 'ws_1' },
    clock: () => new Date(0),
    db: { query, transaction: async () => undefined },
  } as unknown as MemberContext;
  const access = { lost: new AbortController().signal, isLost: async () => false };
  const { lines } = await exportWorkspace(ctx, 'ws_1', access);
  let resultCount = 0;
  for await (const line of lines) if (line.startsWith('{"type":"result"')) resultCount += 1;
  expect(resultCount).toBe(RESULTS);
  expect(charactersMax).toBeLessThanOrEqual(25 * RESULT_CHARACTERS);
});
