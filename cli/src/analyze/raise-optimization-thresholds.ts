import { setFlagsFromString } from 'node:v8';

/** Node 20 defaults to 67,584 and 1,800,000 (`node --v8-options`). */
const INTERRUPT_BUDGET_BYTES = 600_000;
const WASM_TIERING_BUDGET_BYTES = 7_200_000;

/**
 * Analysing one song is a short run, and by default the V8 of Node 20 optimises many functions that finish soon afterwards.
 * Higher thresholds leave optimisation to the long-running ones (docs/benchmarks.md compares values). Newer versions of V8
 * wait longer by themselves. Call this after all modules are loaded: under changed flags Node recompiles its own.
 */
export function raiseOptimizationThresholds(): void {
  if (!process.versions.node.startsWith('20.')) return;
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET_BYTES}`);
  setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET_BYTES}`);
}
