import { defineConfig } from 'vitest/config';

/**
 * Five projects. `unit` needs only the checkout and takes seconds. `slow` (`*.slow.test.ts`) needs no more, but takes longer: it analyses
 * or decodes whole songs, or starts programs. `database` (`*.db.test.ts`) uses PostgreSQL or starts the service. `browser`
 * (`*.browser.test.ts`) drives the dashboard of a running service in Chromium. `packages` tests the scripts, and installs and uses what we
 * publish. Timeouts are round numbers, far above what a test takes on a busy machine, so that only a hang reaches them.
 */
export default defineConfig({
  test: {
    // Unchanged sources are not compiled again. Not possible with a global setup in TypeScript: vitest 4.1 passes cached modules of it on
    // as bytes, and fails on the first stack trace that goes through one.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['*/src/**/*.test.ts', 'server/bench/*.test.ts', '{deploy,examples}/**/*.test.mjs'],
          exclude: ['**/*.{slow,db,browser}.test.{ts,mjs}', '**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs'],
          // Unit tests keep no state in modules, and loading the code once per worker saves a third of the time. `vi.mock` is thus only for
          // modules that are imported dynamically: the code under test may have been loaded for another file.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['*/src/**/*.slow.test.ts', 'examples/**/*.slow.test.mjs'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs'],
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'database',
          experimental: { fsModuleCache: false },
          include: ['*/src/**/*.db.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs', 'server/src/test/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // With PostgreSQL running too, two workers keep a small machine busy.
          maxWorkers: 2,
          // Projects with different numbers of workers run one after the other.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          experimental: { fsModuleCache: false },
          include: ['*/src/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs', 'dashboard/src/test/global-setup.ts'],
          // A test may wait for the analysis of a whole song on a busy machine.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'packages',
          include: ['scripts/*.test.mjs'],
          globalSetup: ['scripts/build-before-tests.mjs'],
          // Tests start whole programs and fetch packages on a busy machine.
          testTimeout: 120_000,
          // Deleting two folders of installed packages takes 11 s on a busy machine.
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
