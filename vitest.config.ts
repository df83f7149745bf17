import { defineConfig } from 'vitest/config';

/**
 * Two projects. `unit` needs nothing but this checkout and takes seconds; `database` holds every test that
 * talks to PostgreSQL or starts the service, and is named `*.db.test.ts`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['*/src/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs'],
          // Unit tests keep no state in modules; loading the code once a worker saves a third of their time.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'database',
          include: ['*/src/**/*.db.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['scripts/build-before-tests.mjs', 'server/src/test/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
