import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Backend } from './backend.ts';
import { createMcpServer } from './server.ts';

/**
 * Serves the assistant that started this process over standard input and output, until it closes the input. Nothing else may be
 * printed to standard output.
 */
export async function serveStdio(backend: Backend): Promise<void> {
  const server = createMcpServer(backend);
  await server.connect(new StdioServerTransport());
  await once(process.stdin, 'close');
  await server.close();
}
