import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));
const scriptFor = (shell: string) =>
  spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' }).stdout;
const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What Tab offers in bash behind these words, the last of them half typed. */
function complete(...words: string[]): string[] {
  return completeIn('/', ...words);
}

function completeIn(folder: string, ...words: string[]): string[] {
  const quoted = ['earshot', ...words].map((word) => `'${word}'`).join(' ');
  const program = `${scriptFor('bash')}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _earshot; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd: folder });
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
    expect(complete('crate', 'export', 'col_1', '--format', 'r')).toEqual(['rekordbox']);
    expect(complete('library', '--dance')).toEqual(['--danceability-min', '--danceability-max']);
  });

  it('offers a file with a space in its name as one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-completion-'));
    writeFileSync(join(folder, 'My Song.mp3'), '');
    expect(completeIn(folder, 'analyze', 'M')).toEqual(['My Song.mp3']);
    rmSync(folder, { recursive: true });
  });
});

it('offers nothing that the command would refuse', async () => {
  const offers = [...scriptFor('bash').matchAll(/^ {4}(\w+)\) words="(.*)" ;;$/gm)]
    .map(([, command, words]) => ({ command: command!, options: words!.match(/--[a-z-]+/g)! }))
    // The service's own program.
    .filter(({ command }) => command !== 'doctor');
  const names = Object.keys(COMMANDS).filter((name) => name !== 'analyse');
  expect(offers.map(({ command }) => command).sort()).toEqual(names.sort());
  for (const { command, options } of offers) {
    for (const option of options.filter((name) => name !== '--help')) {
      // The second stops every command that takes the first.
      const refusal = await COMMANDS[command]!([`${option}=1`, '--no-such-option']).catch(String);
      expect(refusal, `${command} ${option}`).toMatch(/does not take an argument|'--no-such-option'/);
    }
  }
});

it.each(['toString', 'valueOf'])('there is no shell and no command "%s"', (word) => {
  for (const args of [['completion', word], [word]])
    expect(spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' }).status).toBe(2);
});

it.each(['zsh', 'fish'])('there is a script for %s that it takes', (shell) => {
  const script = scriptFor(shell);
  expect(script).toContain('write-tags');
  if (hasShell(shell)) expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('');
});
