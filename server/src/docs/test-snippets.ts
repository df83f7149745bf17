import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { SERVER_ROOT } from '../platform/server-root.ts';

export const CHECKOUT = join(SERVER_ROOT, '..');
const PYTHON_CLIENT = join(CHECKOUT, 'clients', 'python', 'src');

export type SnippetLanguage = 'sh' | 'ts' | 'python';

/** Every page whose examples are run. */
export function pagesWithSnippets(): string[] {
  const guides = readdirSync(join(CHECKOUT, 'docs', 'guides')).map((name) => `docs/guides/${name}`);
  return ['docs/quickstart.md', ...guides.filter((file) => file.endsWith('.md')).sort()];
}

/** Joins the blocks of one language on a page to one program; null when there is none. */
export function readProgram(file: string, language: SnippetLanguage): string | null {
  const text = readFileSync(join(CHECKOUT, file), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code);
  return blocks.length === 0 ? null : blocks.join('\n');
}

export type Surroundings = { folder: string; env: Record<string, string> };

/** Writes a program to a file and returns the command that runs it; TypeScript is bundled first. */
async function prepare(program: string, language: SnippetLanguage, { folder }: Surroundings) {
  await mkdir(folder, { recursive: true });
  if (language === 'sh') {
    const file = join(folder, 'program.sh');
    await writeFile(file, `set -euo pipefail\n${program}`);
    return { command: 'bash', args: [file] };
  }
  if (language === 'python') {
    const file = join(folder, 'program.py');
    await writeFile(file, program);
    return { command: 'python3', args: [file] };
  }
  const file = join(folder, 'program.mjs');
  await build({
    stdin: { contents: program, resolveDir: CHECKOUT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    outfile: file,
    logLevel: 'silent',
  });
  return { command: process.execPath, args: [file] };
}

/** PATH includes the checkout's commands; HOME is the folder, so that they keep their settings there. */
function environmentOf({ folder, env }: Surroundings): NodeJS.ProcessEnv {
  const PATH = [join(CHECKOUT, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return { PATH, HOME: folder, PYTHONPATH: PYTHON_CLIENT, ...env };
}

/** Shorter than the timeout of the tests (180 s), so that the error names the program. */
const RUN_TIMEOUT_MS = 160_000;

/** Runs a program and returns its standard output. Throws with its errors when it fails. */
export async function runProgram(
  program: string,
  language: SnippetLanguage,
  surroundings: Surroundings,
): Promise<string> {
  const { command, args } = await prepare(program, language, surroundings);
  const options = { cwd: surroundings.folder, env: environmentOf(surroundings), timeout: RUN_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(command, args, options);
  return stdout;
}

/** Starts a program that runs until it is killed. */
export async function startProgram(
  program: string,
  language: SnippetLanguage,
  surroundings: Surroundings,
): Promise<ChildProcess> {
  const { command, args } = await prepare(program, language, surroundings);
  return spawn(command, args, { cwd: surroundings.folder, env: environmentOf(surroundings) });
}

/** Compiler errors by program index; a program without errors has no entry. */
export async function checkTypes(programs: readonly string[]): Promise<Map<number, string>> {
  // Inside the checkout, so that our packages are found.
  const folder = await mkdtemp(join(SERVER_ROOT, 'dist', 'snippets-'));
  try {
    const config = {
      extends: join(CHECKOUT, 'tsconfig.json'),
      compilerOptions: { incremental: false, tsBuildInfoFile: null },
      include: ['*.ts'],
      exclude: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await Promise.all(programs.map((text, index) => writeFile(join(folder, `page-${index}.ts`), text)));
    const compiler = join(CHECKOUT, 'node_modules', '.bin', 'tsc');
    const output = await promisify(execFile)(compiler, ['--noEmit', '-p', folder]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    return new Map(
      [...output.matchAll(/page-(\d+)\.ts(.*)/g)].map(([, index, text = '']) => [Number(index), text]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The shell and Python examples need tools that npm does not install, and are skipped without them. */
export function canRun(language: SnippetLanguage): boolean {
  if (language === 'ts') return true;
  if (language === 'sh') return succeeds('bash', ['-c', 'command -v curl sed']);
  return (
    existsSync(PYTHON_CLIENT) &&
    succeeds('python3', ['-c', 'import sys, httpx; assert sys.version_info >= (3, 9)'])
  );
}

function succeeds(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
