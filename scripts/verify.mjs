/**
 * Everything that can be checked without a database, in one command. Two checks run at a time, enough for a small machine: the unit tests,
 * which take longest, and all others one after the other. Checks cache what they know of unchanged files in node_modules/.cache.
 */
import { spawn } from 'node:child_process';

/** Name, script of package.json, and additional arguments. */
const CHECKS = [
  ['unit tests', 'test:unit', '--maxWorkers', '2'],
  // With the native compiler, which is faster; the older one stays installed for dependency-cruiser.
  ['types', 'check:types'],
  ['format and lint', 'check:format-and-lint', '--error-on-warnings'],
  ['import rules', 'check:imports', '--cache', '--cache-strategy', 'content'],
  ['dead code', 'check:dead-code', '--no-progress', '--cache'],
  ['document links', 'check:docs'],
  ['licences', 'check:licences'],
  ['known vulnerabilities', 'check:vulnerabilities'],
  ['bill of materials', 'sbom', '--check'],
];
const PARALLEL_COUNT = 2;

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
  Array.from({ length: PARALLEL_COUNT }, async () => {
    let passed = true;
    for (let check = waiting.shift(); check; check = waiting.shift()) passed = (await run(check)) && passed;
    return passed;
  }),
);
process.exit(outcomes.every(Boolean) ? 0 : 1);
