#!/usr/bin/env node
/**
 * The entry point of both programs: the service (its roles and the doctor) and the command line. In a checkout they are built on
 * first use, so that `npx earshot` works right after `npm ci`; the npm package holds the built command line alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const SERVICE_COMMANDS = ['serve', 'work', 'all', 'migrate', 'reseal', 'doctor'];

const [command, ...args] = process.argv.slice(2);
const wantsHelp = args.includes('--help') || args.includes('-h');
const isServiceCommand = SERVICE_COMMANDS.includes(command) && !wantsHelp;
const isCheckout =
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).private === true;

if (isCheckout) await import((await buildIfMissing(programFor(command))).href);
else if (isServiceCommand) {
  console.error(
    `earshot: "${command}" is a command of the service, which runs from its repository or its image.`,
  );
  process.exitCode = 2;
} else {
  // Caches compiled code between runs (Node 22 and newer); the build of a checkout has its own code cache.
  module.enableCompileCache?.();
  await import('../dist/main.js');
}

function programFor(command) {
  if (!isServiceCommand) return new URL('../dist/earshot.cjs', import.meta.url);
  return new URL(`../../server/dist/${command === 'doctor' ? 'doctor' : 'earshot'}.js`, import.meta.url);
}

async function buildIfMissing(program) {
  if (existsSync(fileURLToPath(program))) return program;
  const { buildAll } = await import('../../scripts/build.mjs');
  const failures = await buildAll();
  for (const failure of failures) console.error(failure.message);
  if (failures.length > 0) process.exit(1);
  return program;
}
