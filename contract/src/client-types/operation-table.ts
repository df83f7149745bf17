import type { Operation } from '../operation.ts';

/**
 * The SDK's table of operations whose request is JSON or has no body: method, path, and `true` if it honours idempotency keys. The SDK
 * itself has no schemas.
 */
export function writeOperationTable(operations: readonly Operation[]): string {
  const rows = operations
    .filter((operation) => !operation.rawBody && operation.surface !== 'operational')
    .map(
      ({ id, method, path, idempotent }) =>
        `  ${id}: ['${method}', '${path}'${idempotent ? ', true' : ''}],\n`,
    );
  return `// Written from the contract by \`npm run openapi\`.\nexport const OPERATION_TABLE = {\n${rows.join('')}} as const;\n`;
}
