/**
 * The import rules of ARCHITECTURE.md. Packages import each other only through their public entry points. Inside the server: routes → rules →
 * store → platform, and one domain imports another only through its rules.
 */
const { posix } = require('node:path');

const PACKAGES = 'engine|decode|contract|exports|server|sdk|cli|mcp|dashboard|evaluation|reliability';
const DOMAINS =
  'analyses|api-keys|audit|billing|collections|corrections|demo|enrichment|library|mail|mcp|shares|sign-in|storage-objects|usage|webhooks|workspaces';
const TESTS = '\\.test\\.tsx?$|^[^/]+/src/test/|/test-[^/]+\\.tsx?$|-twins?\\.ts$|/fixtures/|/bench/';
// Also in a folder of their domain, such as analyses/report/report-store.ts.
const STORES = '.*store\\.ts$';
const ROUTES = '.*routes\\.ts$';

/** The files that packages export, according to their package.json. */
const ENTRY_POINTS = PACKAGES.split('|').flatMap((name) => {
  const exported = require(`./${name}/package.json`).exports ?? {};
  return (typeof exported === 'string' ? [exported] : Object.values(exported)).map(
    (file) => `^${posix.join(name, file).replaceAll('.', '\\.')}$`,
  );
});

/** `from` may import, of our packages, only itself and these. */
const mayReach = (from, allowed) => ({
  name: `${from}-reaches-only-${allowed.length === 0 ? 'itself' : allowed.join('-')}`,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: TESTS },
  to: { path: `^(${PACKAGES})/`, pathNot: `^(${[from, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Cycles of values; type imports may be circular.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'packages-meet-at-their-doors',
      severity: 'error',
      from: { path: `^(${PACKAGES})/` },
      to: {
        path: `^(${PACKAGES})/`,
        pathNot: ['^$1/', ...ENTRY_POINTS],
      },
    },
    {
      name: 'engine-is-pure',
      comment: 'No files, clock, network or packages: typed arrays in, plain values out.',
      severity: 'error',
      from: { path: '^engine/src/', pathNot: TESTS },
      to: { pathNot: '^engine/src/' },
    },
    ...[
      ['decode', 'engine'],
      ['exports', 'decode'],
    ].map(([from, to]) => ({
      name: `${from}-knows-${to}-types-only`,
      severity: 'error',
      from: { path: `^${from}/src/`, pathNot: TESTS },
      to: { path: `^${to}/`, dependencyTypesNot: ['type-only'] },
    })),
    ...[
      ['stream', 'codecs|containers|child'],
      ['codecs', 'containers|child'],
      ['containers', 'child'],
    ].map(([floor, above]) => ({
      name: `decode-${floor}-knows-nothing-above`,
      comment: 'The child opens containers, containers hold codecs, and all of them read byte streams.',
      severity: 'error',
      from: { path: `^decode/src/${floor}/`, pathNot: TESTS },
      to: { path: `^decode/src/(${above})/` },
    })),
    mayReach('engine', []),
    mayReach('contract', []),
    mayReach('decode', ['engine']),
    mayReach('exports', ['engine', 'decode']),
    mayReach('server', ['contract', 'engine', 'decode', 'exports', 'mcp', 'sdk']),
    mayReach('sdk', []),
    mayReach('mcp', ['sdk', 'contract']),
    mayReach('cli', ['sdk', 'decode', 'engine', 'exports', 'mcp']),
    mayReach('dashboard', ['sdk']),
    mayReach('evaluation', ['decode', 'engine']),
    mayReach('reliability', ['sdk', 'decode']),
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: TESTS },
      to: { path: '^server/src/', pathNot: '^server/src/(platform/|errors\\.ts$|config\\.ts$)' },
    },
    {
      name: 'queue-knows-no-domain',
      comment: 'job-handlers.ts and sweepers.ts list what runs; the queue itself does not know them.',
      severity: 'error',
      from: { path: '^server/src/jobs/', pathNot: TESTS },
      to: { path: `^server/src/(${DOMAINS}|http|app)/` },
    },
    {
      name: 'limits-know-the-platform-only',
      severity: 'error',
      from: { path: '^server/src/limits/', pathNot: TESTS },
      to: { path: `^server/src/(${DOMAINS}|http|app|jobs|docs)/` },
    },
    {
      name: 'http-is-below-the-domains',
      severity: 'error',
      from: { path: '^server/src/http/', pathNot: TESTS },
      to: { path: `^server/src/(${DOMAINS}|app|docs)/` },
    },
    {
      name: 'app-is-above-the-domains',
      severity: 'error',
      from: { path: `^server/src/(${DOMAINS}|http|jobs|docs|platform)/`, pathNot: TESTS },
      to: { path: '^server/src/app/' },
    },
    {
      name: 'another-domain-only-through-its-rules',
      severity: 'error',
      from: { path: `^server/src/(${DOMAINS})/`, pathNot: TESTS },
      to: {
        path: `^server/src/(${DOMAINS})/(${STORES}|${ROUTES})`,
        pathNot: '^server/src/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'routes-do-not-query',
      severity: 'error',
      from: { path: `^server/src/(${DOMAINS})/${ROUTES}`, pathNot: TESTS },
      to: { path: `^server/src/(${DOMAINS})/${STORES}`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'store-decides-nothing',
      comment: 'A store has SQL for its own tables, on top of the platform; rules and HTTP are above it.',
      severity: 'error',
      from: { path: `^server/src/(${DOMAINS})/${STORES}`, pathNot: TESTS },
      to: { path: `^server/src/((${DOMAINS})/${ROUTES}|http/|jobs/)` },
    },
    {
      name: 'rules-do-not-know-http',
      comment:
        'Routes are the edge, and so are these: a receive-….ts reads the body of a request, long-poll.ts delays a response, a …-page(s).ts and artifacts.ts write one.',
      severity: 'error',
      from: {
        path: `^server/src/(${DOMAINS})/`,
        pathNot: `${TESTS}|/${ROUTES}|/(receive-[^/]+|long-poll|[^/]+-pages?|artifacts)\\.ts$`,
      },
      to: { path: '^server/src/http/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-routes-but-their-list',
      severity: 'error',
      from: { path: '^server/src/', pathNot: `${TESTS}|/${ROUTES}` },
      to: { path: `^server/src/(${DOMAINS})/${ROUTES}` },
    },
    {
      name: 'only-the-root-composes',
      severity: 'error',
      from: { path: '^server/src/[^/]+/', pathNot: TESTS },
      to: { path: '^server/src/(main|service|dependencies|routes|job-handlers|sweepers)\\.ts$' },
    },
    {
      name: 'tests-stay-tests',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { path: TESTS },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|^dashboard/node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
