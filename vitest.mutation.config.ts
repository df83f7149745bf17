import { defineConfig } from 'vitest/config';

/** The tests of one module, for scripts/mutation.mjs: no projects and nothing built first. */
export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(' '),
    exclude: ['**/*.{slow,db,browser}.test.ts', '**/node_modules/**'],
    isolate: false,
    testTimeout: 30_000,
  },
});
