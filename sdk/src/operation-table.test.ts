import { allOperations } from '@earshot/contract';
import { expect, it } from 'vitest';

/** The client needs only where an operation lives; the schemas stay on the server. `npx vitest run sdk -u` rewrites it. */
it('lists every JSON operation of the contract', async () => {
  const rows = allOperations
    .filter((operation) => !operation.rawBody && operation.surface !== 'operational')
    .map(
      ({ id, method, path, idempotent }) =>
        `  ${id}: { method: '${method}', path: '${path}', idempotent: ${idempotent === true} },\n`,
    );
  const file = `// Written from the contract by operation-table.test.ts.\nexport const OPERATION_TABLE = {\n${rows.join('')}} as const;\n`;
  await expect(file).toMatchFileSnapshot('./operation-table.generated.ts');
});
