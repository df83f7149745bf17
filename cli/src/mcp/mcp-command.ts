/** `earshot mcp`: an MCP server on standard input and output, for the assistant that starts it. */

import { loadModels } from '@earshot/engine/models';
import { createServiceBackend, serveStdio } from '@earshot/mcp';
import { openFile } from '@earshot/mcp/open-file';
import { connect } from '../account/connect.ts';
import { createLocalAnalyser } from '../analyze/analyse-here.ts';
import { EXIT } from '../exit-codes.ts';
import { FLAG, readOptions, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { createLocalBackend } from './local-backend.ts';

export async function runMcp(args: readonly string[]): Promise<number> {
  const values = readOptions(args, {
    remote: FLAG,
    service: TEXT,
  });
  if (values.service !== undefined && !values.remote) {
    throw new UsageError('--service goes with --remote: without it songs are analysed on this machine');
  }
  const backend = values.remote
    ? createServiceBackend(connect({ service: values.service }).earshot, openFile)
    : createLocalBackend(createLocalAnalyser({}, loadModels()));
  await serveStdio(backend);
  return EXIT.ok;
}
