import { readFile } from 'node:fs/promises';
import { allOperations, writeOperationTable } from '@earshot/contract';
import { expect, it } from 'vitest';

it('the committed operation table matches the contract', async () => {
  const committed = await readFile(new URL('./operation-table.generated.ts', import.meta.url), 'utf8');
  expect(committed).toBe(writeOperationTable(allOperations));
});
