import { readFile } from 'node:fs/promises';
import { allOperations, writeOperationTable } from '@earshot/contract';
import { expect, it } from 'vitest';

it('lists every JSON operation of the contract', async () => {
  const written = await readFile(new URL('./operation-table.generated.ts', import.meta.url), 'utf8');
  expect(written).toBe(writeOperationTable(allOperations));
});
