import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { runCrate } from './crate-command.ts';

const EMPTY = { id: 'col_1', name: 'Friday', item_count: 0, items: [] };
let crates: object[] = [];
const service = await startTestService(({ path }) => ({ body: path === '/v1/collections' ? crates : EMPTY }));

it.each([
  [[], [], '0 crates'],
  [[EMPTY], ['col_1  0 songs  Friday'], '1 crate'],
])('%j are listed, and counted beside what a script reads', async (all, printed, told) => {
  crates = all;
  await runCrate([]);
  expect([service.printed, service.told]).toEqual([printed, [told]]);
});

it('says that a crate is empty', async () => {
  await runCrate(['show', 'col_1']);
  expect([service.printed, service.told]).toEqual([[], ['0 songs']]);
});
