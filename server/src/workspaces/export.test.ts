import { expect, it } from 'vitest';
import type { MemberContext } from '../context.ts';
import { exportWorkspace } from './export.ts';

const RESULT_COUNT = 120;

it('keeps at most 25 results in memory, however many there are', async () => {
  let readCount = 0;
  let writtenCount = 0;
  let keptMax = 0;
  const query = async (sql: string, [, [after], limit]: [string, string[], number]) => {
    if (!sql.includes('from analysis_results')) return [];
    const rows = Array.from({ length: Math.min(limit, RESULT_COUNT - Number(after)) }, (_, index) => ({
      export_key: [String(Number(after) + index + 1)],
      groups: {},
      packed_groups: null,
    }));
    readCount += rows.length;
    keptMax = Math.max(keptMax, readCount - writtenCount);
    return rows;
  };
  const ctx = {
    actor: { workspaceId: 'ws_1' },
    clock: () => new Date(0),
    db: { query, transaction: async () => undefined },
  } as unknown as MemberContext;
  const access = { lost: new AbortController().signal, isLost: async () => false };
  const { lines } = await exportWorkspace(ctx, 'ws_1', access);
  for await (const line of lines) if (line.startsWith('{"type":"result"')) writtenCount += 1;
  expect(writtenCount).toBe(RESULT_COUNT);
  expect(keptMax).toBe(25);
});
