/**
 * Mutation testing with Stryker: changes the code of a module in small ways and checks whether its unit tests notice. The results are kept
 * per file in scripts/mutation-scores.json and written to docs/mutation.md, with every change that no test noticed.
 *
 *     npm run mutation -- dashboard sdk               # whole modules, minutes each
 *     npm run mutation -- engine/src/tonal/key.ts     # some files of one
 *     npm run mutation -- page                        # only the page, from the stored scores
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

const NEEDS_POSTGRES = 'needs PostgreSQL, as do its tests';
const NEEDS_BROWSER = 'needs a browser, as do its tests';

/** Folders, and the reason for each excluded file. Only fast tests run, because every change runs them again. */
const MODULES = {
  structure: { folder: 'engine/src/structure' },
  tonal: { folder: 'engine/src/tonal' },
  sdk: {
    folder: 'sdk/src',
    // These read the sources as text.
    testsLeftOut: ['browser.test.ts', 'operation-table.test.ts'],
  },
  billing: {
    folder: 'server/src/billing',
    leftOut: {
      'billing.ts': NEEDS_POSTGRES,
      'payment-events.ts': NEEDS_POSTGRES,
      'plan-change-routes.ts': NEEDS_POSTGRES,
      'plan-change-store.ts': NEEDS_POSTGRES,
      'plan-change.ts': NEEDS_POSTGRES,
      'post-events.ts': NEEDS_POSTGRES,
      'reconcile.ts': NEEDS_POSTGRES,
      'report-usage.ts': NEEDS_POSTGRES,
      'routes.ts': NEEDS_POSTGRES,
      'sandbox-routes.ts': NEEDS_POSTGRES,
      'sandbox-sessions.ts': NEEDS_POSTGRES,
      'sandbox-store.ts': NEEDS_POSTGRES,
      'store.ts': NEEDS_POSTGRES,
      'subscription-store.ts': NEEDS_POSTGRES,
    },
  },
  usage: {
    folder: 'server/src/usage',
    leftOut: { 'routes.ts': NEEDS_POSTGRES, 'store.ts': NEEDS_POSTGRES, 'usage.ts': NEEDS_POSTGRES },
  },
  dashboard: {
    folder: 'dashboard/src',
    leftOut: {
      'api.ts': NEEDS_BROWSER,
      'list-all.ts': NEEDS_BROWSER,
      'use-action.ts': NEEDS_BROWSER,
      'use-load.ts': NEEDS_BROWSER,
      'use-log.ts': NEEDS_BROWSER,
      'use-title.ts': NEEDS_BROWSER,
    },
  },
  music: { folder: 'dashboard/src/music' },
};
/** Tests, their support files, generated tables, and lists of exports. */
const NOT_MUTATED = /\.test\.ts$|^test-|-twin\.ts$|\.generated\.ts$|^index\.ts$/;

/** Not Stryker's RuntimeError: the test runner crashed, so nothing is known. */
const NOTICED = new Set(['Killed', 'Timeout']);

/** The files of a module that are mutated. */
function filesOf({ folder, leftOut = {} }) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && !NOT_MUTATED.test(name) && !(name in leftOut))
    .map((name) => `${folder}/${name}`);
}

/** The unit tests of a module: not slow tests, nor those that need PostgreSQL or a browser. */
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
    // Constants and tables are evaluated at load time, so mutating one would require reloading everything.
    ignoreStatic: true,
    mutator: { excludedMutations: ['StringLiteral'] },
    disableTypeChecks: false,
    concurrency: 1,
    // A timeout counts as noticed, so it must not be caused by a busy machine. Stryker's hit limit ends infinite loops long before.
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
      // Stryker cannot copy the symbolic links of a virtual environment.
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
  if (status !== 0) throw new Error(`Stryker exited with ${status} on ${name}`);
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(
    mutate.map((file) => [file, summarise(files[file] ?? { source: '', mutants: [] })]),
  );
}

export function summarise({ source, mutants }) {
  const counted = mutants.filter(({ status }) => status !== 'Ignored');
  const survivors = counted
    .filter(({ status }) => !NOTICED.has(status))
    .map(({ location, replacement, status }) => ({
      line: location.start.line,
      from: firstLine(textAt(source, location)),
      to: firstLine(replacement ?? ''),
      covered: status !== 'NoCoverage',
      ...(status === 'RuntimeError' ? { crashed: true } : {}),
    }));
  return { mutants: counted.length, noticed: counted.length - survivors.length, survivors };
}

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  if (lines.length === 1) return lines[0].slice(start.column - 1, end.column - 1);
  return lines[0].slice(start.column - 1);
}

/** Enough to recognise a change on the page; the keys of mutation-reasons.mjs are cut at the same length. */
const SHOWN_CHARACTERS_MAX = 70;
const firstLine = (text) => text.split('\n')[0].trim().slice(0, SHOWN_CHARACTERS_MAX);

function page(scores) {
  const modules = Object.entries(MODULES).map(([name, module]) => {
    const files = filesOf(module).map((file) => ({ file, score: scores[name]?.[file] ?? null }));
    return { name, module, files, total: addUp(files) };
  });
  return `# Tests that notice

Written by \`npm run mutation\`: the code of a module is changed in one small way at a time (a comparison inverted, a branch removed, a sum
turned into a difference), and the unit tests of the module run. A change that no test notices is listed below, with the reason where one is known. The goal: ${SCORE_MIN_PERCENT} % noticed.
Texts of messages and constants of a module are not changed. Code that needs PostgreSQL is left out: one run of
\`vitest run --project database server/src/usage/usage.db.test.ts\` took 27 s on a busy machine, 4.6 s of them the tests, and every change would need one.

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

export function describeSurvivor(file, { line, from, to, covered, crashed }) {
  const known = REASONS[file]?.[`${from} → ${to}`] ?? (covered ? null : 'no unit test covers it');
  const remark = crashed ? 'the test runner crashed' : known;
  return `- ${file}:${line} ${code(from)} → ${code(to)}${remark ? ` (${remark})` : ''}`;
}

const code = (text) => `\`${text.replaceAll('`', "'") || ' '}\``;

/** The requested modules and files as files by module; null if an argument is neither. */
function readRequest(names) {
  const byModule = new Map();
  for (const requested of names) {
    const name = Object.keys(MODULES).find(
      (name) => name === requested || filesOf(MODULES[name]).includes(requested),
    );
    if (!name) return null;
    byModule.set(name, [
      ...(byModule.get(name) ?? []),
      ...(name === requested ? filesOf(MODULES[name]) : [requested]),
    ]);
  }
  return byModule;
}

/** Read again each time, because two runs may be active at once. */
const readScores = () => (existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, 'utf8')) : {});

function main(args) {
  const request = readRequest(args.filter((name) => name !== 'page'));
  if (args.length === 0 || !request) {
    console.error(`Name modules out of ${Object.keys(MODULES).join(', ')}, files of them, or "page".`);
    return 2;
  }
  for (const [name, files] of request) {
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
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
