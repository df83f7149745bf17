#!/usr/bin/env node
/**
 * One command for everything: the roles of the service are started from the server's program, the rest is the command
 * line's. In a checkout the programs are built on first use, so that `npx earshot` works right after `npm ci`.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SERVER_ROLES = ['serve', 'work', 'all', 'migrate'];

const program = new URL(
  SERVER_ROLES.includes(process.argv[2] ?? '') ? '../../server/dist/earshot.js' : '../dist/earshot.js',
  import.meta.url,
);
if (!existsSync(fileURLToPath(program))) {
  const { buildAll } = await import('../../scripts/build.mjs');
  const failures = await buildAll();
  if (failures.length > 0) {
    for (const failure of failures) console.error(failure.message);
    process.exit(1);
  }
}
await import(program.href);
