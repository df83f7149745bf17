import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));
const scriptFor = (shell: string) =>
  spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' }).stdout;
const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'earshot-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'My Song.mp3'), '');

/** What Tab offers in bash behind these words, the last of them half typed, in a folder with one song. */
function complete(...words: string[]): string[] {
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
    expect(complete('analyze', 'M')).toEqual(['My Song.mp3']);
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

it.each(['toString', 'valueOf'])('there is no shell "%s"', (word) => {
  expect(spawnSync(process.execPath, [program, 'completion', word], { encoding: 'utf8' }).status).toBe(2);
});

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  it('offers the options of a command', () => {
    expect(scriptFor(shell)).toContain('write-tags');
  });

  it.skipIf(!hasShell(shell))('is a script that the shell takes', () => {
    const path = join(folder, `.completion.${shell}`);
    writeFileSync(path, scriptFor(shell));
    const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
