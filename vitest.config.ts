import { defineConfig } from 'vitest/config';

/**
 * Five projects. `unit` needs nothing but this checkout and takes seconds; `slow` are tests of the same kind that take longer: they analyse or decode whole
 * songs or start programs, named `*.slow.test.ts`; `database` holds every test that talks to PostgreSQL or starts the service, and is named `*.db.test.ts`; `browser` drives the dashboard of a running
 * service in Chromium, in files named `*.browser.test.ts`; `packages` installs what we publish in an empty folder and uses it.
 */
export default defineConfig({
  test: {
    // A source that did not change is not compiled again. Not where TypeScript prepares the run: vitest 4.1 hands cached modules of a
    // global setup on as bytes, and fails on the first stack trace it has to map through one.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['*/src/**/*.test.ts', 'server/bench/*.test.ts', 'examples/*.test.mjs'],
          exclude: ['**/*.{slow,db,browser}.test.ts', '**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs'],
          // Unit tests keep no state in modules; loading the code once a worker saves a third of their time.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['*/src/**/*.slow.test.ts'],
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
          // Chosen: with PostgreSQL beside them, two keep a small machine busy.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'browser',
          experimental: { fsModuleCache: false },
          include: ['*/src/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs', 'dashboard/src/test/global-setup.ts'],
          // A scene waits for the analysis of a whole song, on a machine that may be busy.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'packages',
          include: ['scripts/*.test.mjs'],
          globalSetup: ['scripts/build-before-tests.mjs'],
          // Whole programs are started, and packages fetched, on a machine that may be busy.
          testTimeout: 120_000,
          // Two installed folders are deleted at the end, 11 s beside other work.
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
