/** Starts a child that sleeps, prints a line once the child is running, and waits to be killed. */

import { openSync } from 'node:fs';
import { startSandboxed } from '../../child-process.ts';
import { DEFAULT_LIMITS } from '../../limits.ts';

const [, , entry = '', input = ''] = process.argv;
const child = await startSandboxed(
  entry,
  ['speak-and-sleep'],
  openSync(input, 'r'),
  DEFAULT_LIMITS,
  () => {},
);
await child.messages.next();
console.log('up');
setInterval(() => {}, 1_000);
