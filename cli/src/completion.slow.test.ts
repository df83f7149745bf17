import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));
const scriptFor = (shell: string) =>
  spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' }).stdout;
const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What Tab offers in bash behind these words, the last of them half typed. */
function complete(...words: string[]): string[] {
  const quoted = ['earshot', ...words].map((word) => `'${word}'`).join(' ');
  const program = `${scriptFor('bash')}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _earshot; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd: '/' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

describe.skipIf(!hasShell('bash'))('completion in bash', () => {
  it('offers commands, their verbs and options, and the formats', () => {
    expect(complete('an')).toEqual(['analyze']);
    expect(complete('')).toEqual(
      expect.arrayContaining(['analyze', 'keys', 'mcp', 'completion', '--version']),
    );
    expect(complete('analyze', '--wr')).toEqual(['--write-tags']);
    expect(complete('keys', 're')).toEqual(['revoke']);
    expect(complete('analyze', '--format', 'lab-')).toEqual(['lab-beats', 'lab-chords', 'lab-sections']);
  });
});

it.each(['zsh', 'fish'])('there is a script for %s that it takes', (shell) => {
  const script = scriptFor(shell);
  expect(script).toContain('write-tags');
  if (hasShell(shell)) expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('');
});
