import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory, readHistory, targetsOf } from './history.ts';

it('can be read as soon as it is recorded, with null for what was left out, and lists the targets that succeeded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-history-'));
  const history = openHistory(join(folder, 'history.jsonl'));
  const facts = { kind: 'join', tenant: 'one' };
  const [first, second] = [history.newOperation(), history.newOperation()];
  history.record({ ...facts, op: first, phase: 'invoke', target: 'a' });
  history.record({ ...facts, op: first, phase: 'ok', target: 'a' });
  history.record({ ...facts, op: second, phase: 'unknown', target: 'b' });
  const entries = readHistory(history.path);
  expect(entries.map(({ op, phase }) => [op, phase])).toEqual([
    [1, 'invoke'],
    [1, 'ok'],
    [2, 'unknown'],
  ]);
  expect(entries[1]).toMatchObject({ target: 'a', status: null, code: null, jobIds: [] });
  expect(targetsOf(entries, 'join')).toEqual(['a']);
  expect(targetsOf(entries, 'payment')).toEqual([]);
  history.close();
  rmSync(folder, { recursive: true });
});
