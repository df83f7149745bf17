/** `earshot-mcp` serves the analyses of a service over standard input and output. `earshot mcp` analyses on this machine instead. */

import { Earshot } from '@earshot/sdk';
import { openFile } from './open-file.ts';
import { serveStdio } from './serve-stdio.ts';
import { createServiceBackend } from './service-backend.ts';

const { EARSHOT_API_KEY: apiKey, EARSHOT_URL: baseUrl } = process.env;
if (!apiKey || !baseUrl) {
  console.error(
    'earshot-mcp: set EARSHOT_URL and EARSHOT_API_KEY, or use `npx earshot mcp`, which needs no service.',
  );
  process.exit(2);
}
await serveStdio(createServiceBackend(new Earshot({ apiKey, baseUrl }), openFile));
