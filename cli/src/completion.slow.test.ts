import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COLLECTION_EXPORTS, EXPORTS } from '@earshot/exports';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from './commands.ts';
import { startTestService } from './test-service.ts';
import { UsageError } from './usage-error.ts';

const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));
const scriptFor = (shell: string) =>
  spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' }).stdout;
const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'earshot-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'My Song.mp3'), '');

/** What bash offers after these words, of which the last is incomplete, in a folder with one song. */
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

  it('offers a file with a space in its name as one word', () => {
    expect(complete('analyze', 'M')).toEqual(['My Song.mp3']);
  });
});

/** The words offered after each command, from the bash script. */
const offers = [...scriptFor('bash').matchAll(/^ {4}(\w+)\) words="(.*)" ;;$/gm)].map(
  ([, command, words]) => ({ command: command!, words: words!.split(' ') }),
);
const cliOffers = offers.filter(({ command }) => command !== 'doctor');

it('offers every command', () => {
  const names = Object.keys(COMMANDS).filter((name) => name !== 'analyse');
  expect(cliOffers.map(({ command }) => command).sort()).toEqual(names.sort());
});

/** Every option of any command except --help, which main.ts handles. */
const options = [...new Set(offers.flatMap(({ words }) => words))].filter(
  (word) => word.startsWith('--') && word !== '--help',
);

it.each(cliOffers)('offers exactly the options that $command takes', async ({ command, words }) => {
  for (const option of options) {
    // The unknown second option stops every command that takes the first.
    const refusal = await COMMANDS[command]!([`${option}=1`, '--no-such-option']).catch(String);
    const isTaken = /does not take an argument|'--no-such-option'/.test(String(refusal));
    expect(words.includes(option), `${command} ${option}: ${refusal}`).toBe(isTaken);
  }
});

describe('verbs', async () => {
  const { requests } = await startTestService(() => ({ body: [] }));
  /** The arguments that a verb needs, so that a UsageError is about the verb. */
  const NEEDED: Record<string, Record<string, string[]>> = {
    keys: { create: ['nightly'], revoke: ['key_1'] },
    crate: {
      create: ['Friday'],
      show: ['col_1'],
      add: ['col_1', 'job_1'],
      delete: ['col_1'],
      order: ['col_1'],
      export: ['col_1', '--out', join(folder, 'crate.xml')],
    },
    bulk: {
      tag: ['job_1'],
      untag: ['job_1'],
      delete: ['job_1', '--yes'],
      'add-to-collection': ['job_1'],
      'analyse-again': ['job_1'],
    },
    corrections: { export: ['--out', join(folder, 'corpus')] },
  };
  /** Matches the valid verbs in the refusal of an invalid one. */
  const VALID_VERBS: Record<string, RegExp> = {
    keys: /There are: (.*)/,
    crate: /There are: (.*)/,
    bulk: /what is to be done\? (.*)/,
    corrections: /earshot corrections (\w+)/,
    completion: /earshot completion (.*)/,
  };
  const offeredVerbs = offers
    .map(({ command, words }) => ({ command, verbs: words.filter((word) => !word.startsWith('--')) }))
    .filter(({ verbs }) => verbs.length > 0);

  it.each(offeredVerbs)('of $command are all accepted', async ({ command, verbs }) => {
    for (const verb of verbs) {
      requests.length = 0;
      // Other failures come from the answer of this service, which is always an empty list.
      const failure = await COMMANDS[command]!([verb, ...(NEEDED[command]?.[verb] ?? [])]).catch(
        (error: unknown) => error,
      );
      expect(failure, `${command} ${verb}`).not.toBeInstanceOf(UsageError);
      const asksService = command !== 'completion';
      expect(requests.length > 0, `${command} ${verb}`).toBe(asksService);
    }
  });

  it.each(offeredVerbs)(
    'of $command are those that the refusal of an invalid one lists',
    async ({ command, verbs }) => {
      const failure: Error = await COMMANDS[command]!(['lend']).catch((error) => error);
      expect(failure).toBeInstanceOf(UsageError);
      const [, words] = VALID_VERBS[command]!.exec(failure.message)!;
      expect(words!.split(/, | or /).sort()).toEqual(verbs.sort());
    },
  );
});

describe('values', () => {
  type Schema = { enum?: string[] };
  type Operation = { operationId: string; parameters?: { name: string; schema: Schema }[] };
  const contract = JSON.parse(
    readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods));
  const inContract = (operationId: string, name: string) =>
    operations.find((one) => one.operationId === operationId)?.parameters?.find((one) => one.name === name)
      ?.schema.enum;
  const songs = {
    '--voice': inContract('listAnalyses', 'voice'),
    '--duplicates': inContract('listAnalyses', 'duplicates'),
    '--status': inContract('listAnalyses', 'status'),
  };
  const ACCEPTED = {
    analyze: { '--format': Object.keys(EXPORTS) },
    library: { ...songs, '--export': inContract('exportCollection', 'format') },
    bulk: songs,
    similar: { '--by': inContract('listSimilarAnalyses', 'by') },
    crate: {
      '--format': inContract('exportCollection', 'format'),
      '--by': inContract('proposeCollectionOrder', 'by'),
    },
  };
  const offered = [
    ...scriptFor('bash').matchAll(/^ {4}"(\w+) (--[a-z-]+)"\) COMPREPLY=\(\$\(compgen -W "(.*?)"/gm),
  ].map(([, command, option, words]) => [`${command} ${option}`, words!.split(' ')] as const);

  it('are those of the contract and the exports, and four for --tempo', () => {
    const accepted = Object.entries(ACCEPTED).flatMap(([command, byOption]) =>
      Object.entries(byOption).map(([option, words]) => [`${command} ${option}`, words] as const),
    );
    const { 'correct --tempo': tempos, ...others } = Object.fromEntries(offered);
    expect(others).toEqual(Object.fromEntries(accepted));
    expect(Object.keys(COLLECTION_EXPORTS)).toEqual(inContract('exportCollection', 'format'));
    expect(tempos).toHaveLength(4);
  });

  it('of --tempo are all accepted', async () => {
    vi.stubEnv('EARSHOT_URL', 'nowhere');
    const { 'correct --tempo': tempos } = Object.fromEntries(offered);
    for (const tempo of [...tempos!, 'quadruple']) {
      const failure = await COMMANDS.correct!(['job_1', '--tempo', tempo]).catch((error: Error) => error);
      expect((failure as Error).message, tempo).toMatch(
        tempo === 'quadruple' ? /--tempo is a number or one of double, half, triple, third/ : /"nowhere"/,
      );
    }
    vi.unstubAllEnvs();
  });
});

it.each(['toString', 'valueOf'])('refuses the shell "%s", a property of every object', (word) => {
  expect(spawnSync(process.execPath, [program, 'completion', word], { encoding: 'utf8' }).status).toBe(2);
});

describe.each([
  ['zsh', /^ {4}analyze\) words=".* --write-tags .*" ;;$/m],
  ['fish', /^complete -c earshot -n '__fish_seen_subcommand_from analyze' -l write-tags$/m],
] as const)('completion in %s', (shell, offer) => {
  it('offers the options of a command', () => {
    expect(scriptFor(shell)).toMatch(offer);
  });

  it.skipIf(!hasShell(shell))('is a valid script', () => {
    const path = join(folder, `.completion.${shell}`);
    writeFileSync(path, scriptFor(shell));
    const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
