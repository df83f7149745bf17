/**
 * "Is this change fine?" in one command and without a database: format and lint, import rules, types, dead code, links of the
 * documents, licences and known vulnerabilities of what we depend on, unit tests. Two checks run at a time, since that is what a small
 * machine has cores for: the tests, which take the longest, beside all others in turn. Each keeps what it knows of unchanged files in
 * node_modules/.cache.
 */
import { spawn } from 'node:child_process';

/** What it is called, the script of package.json, and what that one gets beside. */
const CHECKS = [
  ['unit tests', 'test:unit', '--maxWorkers', '2'],
  // The native compiler takes a fifth of the time; the older one stays because dependency-cruiser reads TypeScript with it.
  ['types', 'check:types'],
  ['format and lint', 'check:format-and-lint', '--error-on-warnings'],
  ['import rules', 'check:imports', '--cache', '--cache-strategy', 'content'],
  ['dead code', 'check:dead-code', '--no-progress', '--cache'],
  ['document links', 'check:docs'],
  ['licences', 'check:licences'],
  ['known vulnerabilities', 'check:vulnerabilities'],
  ['bill of materials', 'sbom', '--check'],
];
const PARALLEL = 2;

function run([name, script, ...args]) {
  const startedMs = Date.now();
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
      env: { ...process.env, FORCE_COLOR: process.env.FORCE_COLOR ?? '0' },
    });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => output.push(Buffer.from(String(error))));
    child.on('close', (code) => {
      const text = Buffer.concat(output).toString();
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (code !== 0 || name === 'unit tests') console.log(text.trimEnd());
      resolve(code === 0);
    });
  });
}

const waiting = [...CHECKS];
const outcomes = await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    let fine = true;
    for (let check = waiting.shift(); check; check = waiting.shift()) fine = (await run(check)) && fine;
    return fine;
  }),
);
process.exit(outcomes.every(Boolean) ? 0 : 1);
