/**
 * Changes the code of a module in small ways and sees whether its unit tests notice (Stryker). What came out is kept file by file in
 * scripts/mutation-scores.json and written as docs/mutation.md, with every change that no test noticed.
 *
 *     npm run mutation -- dashboard sdk               # whole modules, minutes each
 *     npm run mutation -- engine/src/tonal/key.ts     # some files of one
 *     npm run mutation -- page                        # the page alone, from the scores that are kept
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REASONS } from './mutation-reasons.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SCORES = join(root, 'scripts/mutation-scores.json');
const PAGE = join(root, 'docs/mutation.md');
const SCORE_MIN_PERCENT = 80;

const ASKS_POSTGRES = 'asks PostgreSQL, and so do its tests';
const IN_A_BROWSER = 'lives in a browser, and so do its tests';

/** A folder and the tests that should notice: those that take moments, since every change runs them again. Files left out say why. */
const MODULES = {
  structure: { folder: 'engine/src/structure' },
  tonal: { folder: 'engine/src/tonal' },
  sdk: {
    folder: 'sdk/src',
    // They read the sources as text.
    testsLeftOut: ['browser.test.ts', 'operation-table.test.ts'],
  },
  billing: {
    folder: 'server/src/billing',
    leftOut: {
      'billing.ts': ASKS_POSTGRES,
      'payment-events.ts': ASKS_POSTGRES,
      'plan-change-routes.ts': ASKS_POSTGRES,
      'plan-change-store.ts': ASKS_POSTGRES,
      'plan-change.ts': ASKS_POSTGRES,
      'post-events.ts': ASKS_POSTGRES,
      'reconcile.ts': ASKS_POSTGRES,
      'report-usage.ts': ASKS_POSTGRES,
      'routes.ts': ASKS_POSTGRES,
      'sandbox-routes.ts': ASKS_POSTGRES,
      'sandbox-sessions.ts': ASKS_POSTGRES,
      'sandbox-store.ts': ASKS_POSTGRES,
      'store.ts': ASKS_POSTGRES,
      'subscription-store.ts': ASKS_POSTGRES,
    },
  },
  usage: {
    folder: 'server/src/usage',
    leftOut: { 'routes.ts': ASKS_POSTGRES, 'store.ts': ASKS_POSTGRES, 'usage.ts': ASKS_POSTGRES },
  },
  dashboard: {
    folder: 'dashboard/src',
    leftOut: {
      'api.ts': IN_A_BROWSER,
      'list-all.ts': IN_A_BROWSER,
      'use-action.ts': IN_A_BROWSER,
      'use-load.ts': IN_A_BROWSER,
      'use-log.ts': IN_A_BROWSER,
      'use-title.ts': IN_A_BROWSER,
    },
  },
  music: { folder: 'dashboard/src/music' },
};
/** Tests, what they stand on, tables that a program wrote, and lists of exports. */
const NOT_MUTATED = /\.test\.ts$|^test-|-twin\.ts$|\.generated\.ts$|^index\.ts$/;

/** Every file of a module that is changed. */
function filesOf({ folder, leftOut = {} }) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && !NOT_MUTATED.test(name) && !(name in leftOut))
    .map((name) => `${folder}/${name}`);
}
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);

/** The unit tests of a module: not those that take seconds, ask PostgreSQL or drive a browser. */
function testsOf({ folder, testsLeftOut = [] }) {
  return readdirSync(join(root, folder))
    .filter((name) => /^[^.]+\.test\.ts$/.test(name) && !testsLeftOut.includes(name))
    .map((name) => `${folder}/${name}`);
}

/** Scores by file. */
function runModule(name, mutate) {
  const report = join(root, 'coverage', 'mutation', `${name}.json`);
  mkdirSync(dirname(report), { recursive: true });
  const config = {
    testRunner: 'in-process',
    plugins: [join(root, 'scripts/mutation-runner.mjs')],
    coverageAnalysis: 'perTest',
    mutate,
    // Constants and tables are code of the start of a process: to change one means all tests again.
    ignoreStatic: true,
    mutator: { excludedMutations: ['StringLiteral'] },
    disableTypeChecks: false,
    concurrency: 1,
    // A change that takes too long counts as noticed, and other work on the machine must not: loops without an end are counted out long before.
    timeoutMS: 30_000,
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
      // Of the tests in Python; its links to folders cannot be copied.
      '**/.venv',
      'coverage',
      'shared',
    ],
    tempDirName: `coverage/stryker-${process.pid}`,
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
      env: { ...process.env, MUTATION_TESTS: testsOf(MODULES[name]).join(' ') },
    },
  );
  if (status !== 0) throw new Error(`Stryker ended with ${status} on ${name}`);
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(
    mutate.map((file) => [file, summarise(files[file] ?? { source: '', mutants: [] })]),
  );
}

function summarise({ source, mutants }) {
  const counted = mutants.filter(({ status }) => status !== 'Ignored');
  const survivors = counted
    .filter(({ status }) => !NOTICED.has(status))
    .map(({ location, replacement, status }) => ({
      line: location.start.line,
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
  const modules = Object.entries(MODULES).map(([name, module]) => {
    const files = filesOf(module).map((file) => ({ file, score: scores[name]?.[file] ?? null }));
    return { name, module, files, total: addUp(files) };
  });
  return `# Tests that notice

Written by \`npm run mutation\`: the code of a module is changed in one small way at a time (a comparison turned, a branch left out, a sum
made a difference), and the unit tests of the module run. A change that no test notices is listed below, with the reason where one is known. Wanted: ${SCORE_MIN_PERCENT} % of them noticed.
Words of messages and constants of a module are not changed. What asks PostgreSQL is left to its own tests: a run of
\`vitest run --project database server/src/usage/usage.db.test.ts\` took 27 s beside other work, 4.6 s of them the tests, and every change would cost one.

| module | folder | files | changes | noticed | share |
|---|---|---|---|---|---|
${modules.map(({ name, module, files, total }) => `| ${name} | \`${module.folder}\` | ${files.filter(({ score }) => score).length} | ${describeScore(total)} |`).join('\n')}

${modules.map(describeModule).join('\n\n')}
`;
}

function addUp(files) {
  const scores = files.flatMap(({ score }) => score ?? []);
  const sum = (pick) => scores.reduce((total, score) => total + pick(score), 0);
  return { mutants: sum(({ mutants }) => mutants), noticed: sum(({ noticed }) => noticed) };
}

function describeScore({ mutants, noticed }) {
  const share = mutants === 0 ? '' : `${((100 * noticed) / mutants).toFixed(1)} %`;
  return `${mutants} | ${noticed} | ${share}`;
}

function describeModule({ name, module, files }) {
  const measured = files.filter(({ score }) => score?.mutants > 0);
  const rows = measured.map(
    ({ file, score }) => `| ${file.slice(module.folder.length + 1)} | ${describeScore(score)} |`,
  );
  const open = files.filter(({ score }) => !score).map(({ file }) => `- ${file}: not measured yet`);
  const leftOut = Object.entries(module.leftOut ?? {}).map(
    ([file, reason]) => `- ${module.folder}/${file} is left out: ${reason}`,
  );
  const survivors = measured.flatMap(({ file, score }) =>
    score.survivors.map((one) => describeSurvivor(file, one)),
  );
  return [
    `## ${name}`,
    `| file of ${module.folder} | changes | noticed | share |\n|---|---|---|---|\n${rows.join('\n')}`,
    ...(open.length + leftOut.length > 0 ? [[...open, ...leftOut].join('\n')] : []),
    `Not noticed:\n\n${survivors.length === 0 ? 'Nothing.' : survivors.join('\n')}`,
  ].join('\n\n');
}

function describeSurvivor(file, { line, from, to, covered }) {
  const reason = REASONS[file]?.[`${from} → ${to}`];
  const remark = reason ? ` (${reason})` : covered ? '' : ' (no unit test comes here)';
  return `- ${file}:${line} ${code(from)} → ${code(to)}${remark}`;
}

const code = (text) => `\`${text.replaceAll('`', "'") || ' '}\``;

/** Modules and single files that were asked for, as files by module; null when one is neither. */
function readWishes(wishes) {
  const byModule = new Map();
  for (const wish of wishes) {
    const name = Object.keys(MODULES).find((name) => name === wish || filesOf(MODULES[name]).includes(wish));
    if (!name) return null;
    byModule.set(name, [...(byModule.get(name) ?? []), ...(name === wish ? filesOf(MODULES[name]) : [wish])]);
  }
  return byModule;
}

const asked = process.argv.slice(2);
const wishes = readWishes(asked.filter((name) => name !== 'page'));
if (asked.length === 0 || !wishes) {
  console.error(`Name modules out of ${Object.keys(MODULES).join(', ')}, files of them, or "page".`);
  process.exit(2);
}
/** Read again each time: two runs may go on side by side. */
const readScores = () => (existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, 'utf8')) : {});
for (const [name, files] of wishes) {
  const measured = runModule(name, files);
  const scores = readScores();
  const kept = Object.fromEntries(
    filesOf(MODULES[name]).flatMap((file) => {
      const score = measured[file] ?? scores[name]?.[file];
      return score ? [[file, score]] : [];
    }),
  );
  writeFileSync(SCORES, `${JSON.stringify({ ...scores, [name]: kept }, null, 2)}\n`);
}
writeFileSync(PAGE, page(readScores()));
