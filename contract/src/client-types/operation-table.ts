import type { Operation } from '../operation.ts';

/** Where each JSON operation lives, and whether it honours idempotency keys, for the SDK: the schemas stay on the server. */
export function writeOperationTable(operations: readonly Operation[]): string {
  const rows = operations
    .filter((operation) => !operation.rawBody && operation.surface !== 'operational')
    .map(
      ({ id, method, path, idempotent }) =>
        `  ${id}: ['${method}', '${path}'${idempotent ? ', true' : ''}],\n`,
    );
  return `// Written from the contract by \`npm run openapi\`.\nexport const OPERATION_TABLE = {\n${rows.join('')}} as const;\n`;
}
