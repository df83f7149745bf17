import { setFlagsFromString } from 'node:v8';

/**
 * One song is a short run. By default V8 spends a sixth of it optimising functions that are done soon after; four times the patience
 * optimises those that last (docs/benchmarks.md has what other values did). To be called when all modules are loaded: with other
 * flags than it was built with, Node compiles its own anew.
 */
export function makeV8Patient(): void {
  // Later versions of V8 have no such budget, and say so on standard error.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=600000');
  setFlagsFromString('--wasm-tiering-budget=7200000');
}
