/** `earshot-mcp`: the tools over standard input and output, for the analyses of a service. `earshot mcp` listens on this machine instead. */

import { once } from 'node:events';
import { Earshot } from '@earshot/sdk';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { openFile } from './open-file.ts';
import { createMcpServer } from './server.ts';
import { createServiceBackend } from './service-backend.ts';

const { EARSHOT_API_KEY: apiKey, EARSHOT_URL: baseUrl } = process.env;
if (!apiKey || !baseUrl) {
  console.error(
    'earshot-mcp: set EARSHOT_URL and EARSHOT_API_KEY, or use `npx earshot mcp`, which needs no service.',
  );
  process.exit(2);
}
const server = createMcpServer(createServiceBackend(new Earshot({ apiKey, baseUrl }), openFile));
await server.connect(new StdioServerTransport());
// The client ends us by closing our input; nothing but the protocol may be printed to our output.
await once(process.stdin, 'close');
await server.close();
