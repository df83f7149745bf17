import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import cliPackage from '../package.json' with { type: 'json' };

const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));
const earshot = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

it.each([
  [['completion', 'tcsh'], /for which shell/],
  [['sing'], /there is no command "sing"/],
  // Properties of every object.
  [['toString'], /there is no command "toString"/],
  [['valueOf'], /there is no command "valueOf"/],
])('%j exits with 2 and a sentence', (args, sentence) => {
  const { status, stderr } = earshot(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(sentence);
});

it.each(['--version', '-v', 'version'])('%s prints the version', (word) => {
  expect(earshot(word).stdout.trim()).toBe(cliPackage.version);
});

it('prints its help, and that of one command', () => {
  expect(earshot('--help').stdout).toContain('earshot analyze FILE...');
  expect(earshot('--help').stdout).toContain('Exit codes:');
  expect(earshot('listen', '--help').stdout).toContain('--forward URL');
  expect(earshot('doctor', '--help').stdout).toMatch(/^earshot doctor /);
});

it.each(['all', 'serve', 'work', 'migrate', 'reseal'])(
  '%s --help neither starts the service nor changes a database',
  (command) => {
    expect(earshot(command, '--help').stdout).toMatch(/^earshot all /);
  },
);
