/**
 * A Stryker test runner (scripts/mutation.mjs) that runs vitest's tests in its own process, because starting a vitest worker takes far
 * longer than most tests. Sources are loaded once, so mutations of code that runs at load time go unnoticed; tests are reloaded for every
 * mutant. MUTATION_TESTS lists the test files.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** A test that exceeds this counts as having detected the mutant. Long enough for tests on a busy machine. */
const TEST_TIMEOUT_MS = 20_000;
/** After so many mutants, a round number, all tests run without one, to check that no test has left state behind. */
const CHECK_EVERY_MUTANTS = 100;
const OUT = 'coverage/mutation-tests';
const [PASSED, FAILED, SKIPPED] = [0, 1, 2];

const CONFIG = {
  root: process.cwd(),
  name: '',
  setupFiles: [],
  allowOnly: true,
  sequence: { shuffle: false, concurrent: false, seed: 0, hooks: 'stack', setupFiles: 'list' },
  maxConcurrency: 1,
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  retry: 0,
  tags: [],
  chaiConfig: {},
};

globalThis.__stryker__ ??= {};

class InProcessRunner {
  /** Shared with the code that Stryker instruments. */
  #instrumented = globalThis.__stryker__;
  #runs = 0;
  #strays = 0;
  #files = [];
  #startTests;
  #expect;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    // State that vitest's functions expect, because vitest does not run them here.
    globalThis.__vitest_worker__ = {
      config: { ...CONFIG, expect: {}, fakeTimers: {}, snapshotOptions: {} },
      ctx: {},
      rpc: {},
      durations: {},
      environment: { name: 'node' },
    };
    const { startTests, setSafeTimers } = await import('vitest/internal/browser');
    const { expect } = await import('vitest');
    setSafeTimers();
    // Errors of work that a test left running.
    for (const stray of ['uncaughtException', 'unhandledRejection']) process.on(stray, () => this.#strays++);
    this.#startTests = startTests;
    this.#expect = expect;
    this.#files = await bundleTests(process.env.MUTATION_TESTS.split(' '));
  }

  async dryRun() {
    const ns = this.#instrumented;
    ns.activeMutant = undefined;
    const tests = await this.#run(null, (id) => {
      ns.currentTestId = id;
    });
    return { status: 'complete', tests, mutantCoverage: ns.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const ns = this.#instrumented;
    if (this.#runs % CHECK_EVERY_MUTANTS === 0) await this.#assertClean();
    Object.assign(ns, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    this.#strays = 0;
    const tests = await this.#run(testFilter ? new Set(testFilter) : null, () => {}, true);
    ns.activeMutant = undefined;
    if (hitLimit !== undefined && ns.hitCount > hitLimit) return { status: 'timeout', reason: 'Hit limit' };
    const failed = tests.filter(({ status }) => status === FAILED);
    const nrOfTests = tests.filter(({ status }) => status !== SKIPPED).length;
    if (failed.length === 0 && this.#strays === 0) return { status: 'survived', nrOfTests };
    return {
      status: 'killed',
      killedBy: failed.map(({ id }) => id),
      failureMessage: failed[0]?.failureMessage ?? 'An error outside of a test',
      nrOfTests,
    };
  }

  async #assertClean() {
    const broken = (await this.#run(null, () => {})).find(({ status }) => status === FAILED);
    if (broken) throw new Error(`A change before this one left something behind: ${broken.id} fails`);
  }

  async #run(wanted, onTest, bail = false) {
    const files = this.#files.filter(
      ({ name }) => !wanted || [...wanted].some((id) => id.startsWith(`${name}#`)),
    );
    const nameOf = new Map(files.map(({ url, name }) => [url, name]));
    const idOf = (test) => `${nameOf.get(test.file.filepath)}#${fullNameOf(test)}`;
    let failed = false;
    this.#runs += 1;
    const collected = await this.#startTests(
      // What takes moments first: when it notices, the others need not run.
      files.sort((a, b) => a.costMs - b.costMs).map(({ url }) => ({ filepath: url })),
      {
        config: CONFIG,
        importFile: (url) => import(`${url}?run=${this.#runs}`),
        onBeforeRunTask: (test) => {
          if ((bail && failed) || (wanted && !wanted.has(idOf(test)))) test.mode = 'skip';
        },
        onBeforeTryTask: (test) => {
          this.#expect.setState({ assertionCalls: 0, currentTestName: fullNameOf(test), testPath: '' });
          onTest(idOf(test));
        },
        onAfterRunTask: (test) => {
          this.#instrumented.currentTestId = undefined;
          failed ||= test.result?.state === 'fail';
        },
      },
    );
    for (const file of files) {
      const { result } = collected.find(({ filepath }) => filepath === file.url);
      if (!wanted) file.costMs = result?.duration ?? 0;
    }
    const outcomes = collected.flatMap(testsOf).map((test) => describeOutcome(test, idOf(test)));
    const unread = collected.find((file) => file.result?.errors?.length > 0);
    if (unread) outcomes.push(describeOutcome(unread, `${nameOf.get(unread.filepath)}#`));
    return outcomes;
  }
}

const testsOf = (task) => (task.type === 'test' ? [task] : task.tasks.flatMap(testsOf));

function fullNameOf(test) {
  const names = [];
  for (let task = test; task && task.type !== undefined && task !== test.file; task = task.suite)
    names.unshift(task.name);
  return names.join(' ');
}

function describeOutcome({ name, result }, id) {
  const status = result?.state === 'pass' ? PASSED : result?.state === 'fail' ? FAILED : SKIPPED;
  const failureMessage = result?.errors?.[0]?.message ?? '';
  return { id, name, status, timeSpentMs: result?.duration ?? 0, failureMessage };
}

/** Bundles test files into modules that Node can load. Shared code goes into chunks that are loaded once. */
async function bundleTests(paths) {
  mkdirSync(OUT, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: paths,
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'error',
    plugins: [{ name: 'tests', setup: prepareSources }],
  });
  // Dynamic imports are entry points too, but not tests.
  return Object.entries(metafile.outputs).flatMap(([out, { entryPoint }]) =>
    paths.includes(entryPoint)
      ? [{ name: entryPoint, url: pathToFileURL(join(process.cwd(), out)).href, costMs: 0 }]
      : [],
  );
}

/** Bundles our own packages, which are TypeScript, and leaves others external; import.meta.url stays that of the source. */
function prepareSources(building) {
  building.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
    if (kind === 'entry-point' || pluginData === 'seen' || path.startsWith('@earshot/')) return undefined;
    if (path === 'vitest' || path.startsWith('node:')) return { path, external: true };
    const found = await building.resolve(path, { kind, importer, resolveDir, pluginData: 'seen' });
    return { path: found.external ? found.path : pathToFileURL(found.path).href, external: true };
  });
  building.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
    loader: 'ts',
    contents: readFileSync(path, 'utf8').replaceAll(
      'import.meta.url',
      JSON.stringify(pathToFileURL(path).href),
    ),
  }));
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner }];
