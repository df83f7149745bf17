import { setFlagsFromString } from 'node:v8';

/** V8's own are 67,584 and 1,800,000 (`node --v8-options` of Node 20). */
const INTERRUPT_BUDGET_BYTES = 600_000;
const WASM_TIERING_BUDGET_BYTES = 7_200_000;

/**
 * One song is a short run. By default the V8 of Node 20 optimises many functions that are done soon after; with more patience
 * those that last (docs/benchmarks.md has what other values did). Later ones are more patient by themselves, and have no interrupt budget.
 * To be called when all modules are loaded: with other flags than it was built with, Node compiles its own anew.
 */
export function makeV8Patient(): void {
  if (!process.versions.node.startsWith('20.')) return;
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET_BYTES}`);
  setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET_BYTES}`);
}
