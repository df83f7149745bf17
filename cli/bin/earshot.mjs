#!/usr/bin/env node
/**
 * One command for everything: the roles of the service and its doctor are the server's programs, the rest is the command
 * line's. In a checkout the programs are built on first use, so that `npx earshot` works right after `npm ci`; the package from
 * npm has its own built and no service.
 */
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const SERVICE_COMMANDS = ['serve', 'work', 'all', 'migrate', 'reseal', 'doctor'];

const [command, ...args] = process.argv.slice(2);
const wantsHelp = args.includes('--help') || args.includes('-h');
const isOfService = SERVICE_COMMANDS.includes(command) && !wantsHelp;
const isCheckout =
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).private === true;

if (isCheckout) await import((await findBuilt(isOfService)).href);
else if (isOfService) {
  console.error(`earshot: "${command}" is of the service, which runs from its repository or its image.`);
  process.exitCode = 2;
} else {
  // What V8 compiles is kept for the next time, where Node can (22 and newer); a checkout has a code cache of its own.
  module.enableCompileCache?.();
  await import('../dist/main.js');
}

async function findBuilt(ofService) {
  const ofServer = command === 'doctor' ? '../../server/dist/doctor.js' : '../../server/dist/earshot.js';
  const program = new URL(ofService ? ofServer : '../dist/earshot.cjs', import.meta.url);
  if (existsSync(fileURLToPath(program))) return program;
  const { buildAll } = await import('../../scripts/build.mjs');
  const failures = await buildAll();
  for (const failure of failures) console.error(failure.message);
  if (failures.length > 0) process.exit(1);
  return program;
}
