/** `earshot mcp`: the tools on standard input and output, for an assistant that starts us. */

import { once } from 'node:events';
import { loadModels } from '@earshot/engine/models';
import { createMcpServer, createServiceBackend, openFile } from '@earshot/mcp';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { connect } from '../account/connect.ts';
import { createLocalAnalyser } from '../analyze/analyse-here.ts';
import { EXIT } from '../exit-codes.ts';
import { readArgs, UsageError } from '../usage-error.ts';
import { createLocalBackend } from './local-backend.ts';

export async function runMcp(args: readonly string[]): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: { remote: { type: 'boolean', default: false }, service: { type: 'string' } },
  });
  if (values.service !== undefined && !values.remote) {
    throw new UsageError('--service goes with --remote: without it songs are analysed on this machine');
  }
  const backend = values.remote
    ? createServiceBackend(connect({ service: values.service }).earshot, openFile)
    : createLocalBackend(createLocalAnalyser({}, loadModels()));
  const server = createMcpServer(backend);
  await server.connect(new StdioServerTransport());
  // The client ends us by closing our input; nothing but the protocol may be printed to our output.
  await once(process.stdin, 'close');
  await server.close();
  return EXIT.ok;
}
