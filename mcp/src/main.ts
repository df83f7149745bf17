/** `earshot-mcp`: the tools over standard input and output, for the analyses of a service. `earshot mcp` listens on this machine instead. */

import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { Earshot } from '@earshot/sdk';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer } from './server.ts';
import { createServiceBackend } from './service-backend.ts';

const { EARSHOT_API_KEY: apiKey, EARSHOT_URL: baseUrl } = process.env;
if (!apiKey || !baseUrl) {
  console.error(
    'earshot-mcp: set EARSHOT_URL and EARSHOT_API_KEY, or use `npx earshot mcp`, which needs no service.',
  );
  process.exit(2);
}
const earshot = new Earshot({ apiKey, baseUrl });
const server = createMcpServer(
  createServiceBackend(earshot, async (path) => ({ file: await openAsBlob(path), fileName: basename(path) })),
);
await server.connect(new StdioServerTransport());
// The client ends us by closing our input; nothing but the protocol may be printed to our output.
await once(process.stdin, 'close');
await server.close();
