/**
 * Changes the code of a module in small ways and sees whether its unit tests notice (Stryker). What came out is kept in
 * scripts/mutation-scores.json and written as docs/mutation.md, with every change that no test noticed.
 *
 *     npm run mutation -- dashboard sdk     # some modules, minutes each
 *     npm run mutation -- page              # the page alone, from the scores that are kept
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SCORES = join(root, 'scripts/mutation-scores.json');
const PAGE = join(root, 'docs/mutation.md');
const SCORE_MIN_PERCENT = 80;

/** What is changed, and the tests that should notice: those that take moments, since every change runs them again. */
const MODULES = {
  structure: {
    mutate: ['bar-grid', 'fades', 'section-labels', 'self-similarity'].map(
      (name) => `engine/src/structure/${name}.ts`,
    ),
    tests: ['engine/src/structure/!(analyse-structure).test.ts'],
  },
  tonal: {
    mutate: ['chord-decoder', 'key-name', 'pitchedness'].map((name) => `engine/src/tonal/${name}.ts`),
    tests: ['engine/src/tonal/{chord-decoder,key-name,pitchedness}.test.ts'],
  },
  sdk: {
    mutate: [
      'analyses',
      'client',
      'collections',
      'errors',
      'job',
      'paginate',
      'request',
      'transport',
      'webhooks',
    ].map((name) => `sdk/src/${name}.ts`),
    // Two read the sources as text; two wait for seconds on purpose.
    tests: ['sdk/src/!(browser|operation-table|deadline|event-stream).test.ts'],
  },
  billing: {
    // Those that only PostgreSQL tests exercise are left to them; those of stripe-provider.ts wait out the retries of Stripe's client.
    mutate: ['event-signature', 'money', 'read-provider-event', 'subscription-state'].map(
      (name) => `server/src/billing/${name}.ts`,
    ),
    tests: ['server/src/billing/!(stripe-provider).test.ts'],
  },
  usage: {
    mutate: ['server/src/usage/period.ts', 'server/src/usage/plans.ts'],
    tests: ['server/src/usage/*.test.ts'],
  },
  // Hooks live in a browser, and so do their tests.
  dashboard: {
    mutate: ['dashboard/src/*.ts', '!dashboard/src/{api,use-*}.ts'],
    tests: ['dashboard/src/*.test.ts'],
  },
};
const NOT_MUTATED = ['!**/*.test.ts', '!**/test-*.ts', '!**/index.ts'];
/** Changes that change nothing anybody could notice, by file and what is written there. */
const EQUAL = {
  "dashboard/src/result.ts: group.charCodeAt(0) - 'A'.charCodeAt(0) → group.charCodeAt(0) + 'A'.charCodeAt(0)":
    'the same colours, turned by one step',
  'dashboard/src/song-names.ts: url.split(/[?#]/)[0]?.split → url.split(/[?#]/)[0].split':
    'what is split has a first part',
  'server/src/usage/plans.ts: subscription.graceUntil === null → false':
    'null is compared as 0, which is before now',
};
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);

function runModule(name) {
  const { mutate, tests } = MODULES[name];
  const report = join(root, 'coverage', 'mutation', `${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: [...mutate, ...NOT_MUTATED],
    // Constants and tables are code of the start of a process: to change one means all tests again.
    ignoreStatic: true,
    mutator: { excludedMutations: ['StringLiteral'] },
    disableTypeChecks: false,
    concurrency: 1,
    timeoutMS: 6_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    ignorePatterns: [
      'training',
      'clients',
      'deploy',
      'docs',
      'evaluation',
      'reliability',
      '**/dist',
      'coverage',
      'shared',
    ],
    tempDirName: `coverage/stryker-${name}`,
    allowEmpty: false,
  };
  const file = join(root, 'coverage', 'mutation', `${name}.config.json`);
  writeFileSync(file, JSON.stringify(config));
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', file],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_TESTS: tests.join(' ') },
    },
  );
  if (status !== 0) throw new Error(`Stryker ended with ${status} on ${name}`);
  return summarise(JSON.parse(readFileSync(report, 'utf8')));
}

function summarise({ files }) {
  const mutants = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, source })),
  );
  const counted = mutants.filter(({ status }) => status !== 'Ignored');
  const survivors = counted
    .filter(({ status }) => !NOTICED.has(status))
    .map(({ file, location, source, mutatorName, replacement, status }) => ({
      file,
      line: location.start.line,
      change: mutatorName,
      from: firstLine(textAt(source, location)),
      to: firstLine(replacement ?? ''),
      covered: status !== 'NoCoverage',
    }));
  return { mutants: counted.length, noticed: counted.length - survivors.length, survivors };
}

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  if (lines.length === 1) return lines[0].slice(start.column - 1, end.column - 1);
  return lines[0].slice(start.column - 1);
}

const firstLine = (text) => text.split('\n')[0].trim().slice(0, 70);

function page(scores) {
  const percent = ({ mutants, noticed }) => ((100 * noticed) / mutants).toFixed(1);
  const rows = Object.entries(scores).map(
    ([name, score]) =>
      `| ${name} | ${MODULES[name].mutate.map((path) => `\`${path}\``).join(', ')} | ${score.mutants} | ${score.noticed} | ${percent(score)} % |`,
  );
  const lists = Object.entries(scores).map(([name, { survivors }]) => {
    const lines = survivors.length === 0 ? ['Nothing.'] : survivors.map(describeSurvivor);
    return `## What no test noticed in ${name}\n\n${lines.join('\n')}`;
  });
  return `# Tests that notice

Written by \`npm run mutation\`: the code of a module is changed in one small way at a time (a comparison turned, a branch left out, a sum
made a difference), and the unit tests of the module run. A change that no test notices is listed below. Wanted: ${SCORE_MIN_PERCENT} % of them noticed.
Words of messages and constants of a module are not changed.

| module | files | changes | noticed | share |
|---|---|---|---|---|
${rows.join('\n')}

${lists.join('\n\n')}
`;
}

function describeSurvivor({ file, line, from, to, covered }) {
  const equal = EQUAL[`${file}: ${from} → ${to}`];
  const remark = equal ? ` (${equal})` : covered ? '' : ' (no unit test comes here)';
  return `- ${file}:${line} ${code(from)} → ${code(to)}${remark}`;
}

const code = (text) => `\`${text.replaceAll('`', "'") || ' '}\``;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'page' && !(name in MODULES));
if (asked.length === 0 || unknown.length > 0) {
  console.error(`Name modules out of ${Object.keys(MODULES).join(', ')}, or "page".`);
  process.exit(2);
}
/** Read again each time: two runs may go on side by side. */
const readScores = () => (existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, 'utf8')) : {});
for (const name of asked) {
  if (name === 'page') continue;
  const score = runModule(name);
  writeFileSync(SCORES, `${JSON.stringify({ ...readScores(), [name]: score }, null, 2)}\n`);
}
writeFileSync(PAGE, page(readScores()));
