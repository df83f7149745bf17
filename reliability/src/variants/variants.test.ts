import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../repository.ts';
import { SHORT_DOWNLOADS } from '../scenarios/deadlines.ts';
import { STUB_WORK } from '../scenarios/load.ts';
import { POISONED } from '../scenarios/worker-faults.ts';
import { applyPatches, type Patch } from './build-variant.ts';
import { QUICK_CLOCKS, SHORT_LEASES } from './clocks.ts';
import { FAILPOINT_PATCHES } from './failpoints.ts';
import { MUTANTS } from './mutants.ts';
import { PLANTED_ERRORS } from './planted-errors.ts';

/** Finds a patch that no longer matches the source here, and not in the middle of a full run. */
const variants: [name: string, patches: readonly Patch[]][] = [
  ['shorter clocks', QUICK_CLOCKS],
  ['short leases', SHORT_LEASES],
  ['failpoints', FAILPOINT_PATCHES],
  ['operations that fail', PLANTED_ERRORS],
  ['stub work', [STUB_WORK]],
  ['short downloads', SHORT_DOWNLOADS],
  ['poison', [POISONED]],
  ...MUTANTS.map(({ name, patches }): [string, readonly Patch[]] => [name, patches]),
];

it.each(variants)('fits the source of the service: %s', (_name, patches) => {
  for (const file of new Set(patches.map((patch) => patch.file))) {
    const text = readFileSync(join(REPOSITORY, file), 'utf8');
    const own = patches.filter((patch) => patch.file === file);
    expect(() => applyPatches(text, own)).not.toThrow();
  }
});
