import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What noticed the change before first, since the next one lies beside it; then what takes moments. The others need not run when one of
 * these notices.
 */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ project, moduleId }: TestSpecification): number => {
      const known = this.ctx.cache.getFileTestResults(
        `${project.name}:${relative(this.ctx.config.root, moduleId)}`,
      );
      return known?.failed ? 0 : (known?.duration ?? 0);
    };
    return [...files].sort((a, b) => cost(a) - cost(b));
  }
}

/** The tests of one module, for scripts/mutation.mjs: no projects and nothing built first. */
export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(' '),
    exclude: ['**/*.{slow,db,browser}.test.ts', '**/node_modules/**'],
    isolate: false,
    testTimeout: 30_000,
    sequence: { sequencer: QuickFirst },
  },
});
