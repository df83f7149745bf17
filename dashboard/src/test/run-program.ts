import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
/** With the packages of the Python client: `npm run test:python`, which runs before the browser tests, makes it. */
const PYTHON = `${CHECKOUT}clients/python/.venv/bin/python`;
const COMMANDS = {
  curl: ['sh', '-s'],
  TypeScript: [process.execPath, '--input-type=module', '-'],
  Python: [PYTHON, '-'],
} as const;
export type Language = keyof typeof COMMANDS;

/** Runs a program that the dashboard shows, with our clients, and returns its standard output. */
export async function runProgram(program: string, language: Language, apiKey: string): Promise<string> {
  const [command, ...args] = COMMANDS[language];
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: `${CHECKOUT}clients/python/src`,
    EARSHOT_API_KEY: apiKey,
  };
  const running = promisify(execFile)(command, args, { env });
  running.child.stdin?.end(language === 'TypeScript' ? await bundle(program) : program);
  return (await running).stdout;
}

async function bundle(program: string): Promise<string> {
  const stdin = { contents: program, resolveDir: CHECKOUT, loader: 'ts' } as const;
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

/** False where `npm run test:python` has found no Python, or has not run. */
export const canRunPython = () => existsSync(PYTHON);
