#!/usr/bin/env node
/**
 * One command for everything: the roles of the service and its doctor are the server's programs, the rest is the command
 * line's. In a checkout the programs are built on first use, so that `npx earshot` works right after `npm ci`.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SERVER_ROLES = ['serve', 'work', 'all', 'migrate', 'reseal'];

const program = new URL(choose(process.argv[2], process.argv.slice(3)), import.meta.url);
if (!existsSync(fileURLToPath(program))) {
  const { buildAll } = await import('../../scripts/build.mjs');
  const failures = await buildAll();
  if (failures.length > 0) {
    for (const failure of failures) console.error(failure.message);
    process.exit(1);
  }
}
await import(program.href);

function choose(command, args) {
  if (SERVER_ROLES.includes(command)) return '../../server/dist/earshot.js';
  const wantsHelp = args.includes('--help') || args.includes('-h');
  return command === 'doctor' && !wantsHelp ? '../../server/dist/doctor.js' : '../dist/earshot.js';
}
