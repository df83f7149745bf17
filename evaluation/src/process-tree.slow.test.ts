import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { treeBytes } from './process-tree.ts';

const HELD_BYTES = 300e6;
/** Two Nodes with nothing else to hold have some 60 MB each. */
const NODES_BYTES_MAX = 200e6;

it("counts a grandchild's memory, once", async () => {
  const grandchild = `const held = Buffer.alloc(${HELD_BYTES}, 1); console.log(held.length);
    process.stdin.resume().on('end', () => process.exit());`;
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' });`;
  const child = spawn(process.execPath, ['-e', parent], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const bytes = treeBytes(child.pid!);
  // The grandchild ends, and then its parent.
  child.stdin.end();
  await once(child, 'close');
  expect(bytes).toBeGreaterThan(HELD_BYTES);
  expect(bytes).toBeLessThan(HELD_BYTES + NODES_BYTES_MAX);
  expect(treeBytes(child.pid!)).toBe(0);
});
