import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { signIn, startJourneyService } from './journey-service.ts';

/** Every export of the SDK has an example; each is compiled with strict settings, and run against a started service. */

const sdk = fileURLToPath(new URL('../../../../sdk/', import.meta.url));
const sources = new Map<string, string>();
for (const name of (await readdir(join(sdk, 'src'))).filter((file) => /^[a-z-]+\.ts$/.test(file))) {
  sources.set(name, await readFile(join(sdk, 'src', name), 'utf8'));
}
const examples = [...sources].flatMap(([file, text]) =>
  [...text.matchAll(/@example\n\s*\* ```ts\n([\s\S]*?)\s*\* ```/g)].map((match, index) => ({
    name: `${file} ${index + 1}`,
    code: match[1]!.replaceAll(/^ *\* ?/gm, ''),
  })),
);

const service = await startJourneyService();
const folder = await mkdtemp(join(tmpdir(), 'earshot-sdk-examples-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { client: person } = await signIn(service.client, service.url, 'reader@example.com');
const { body: key } = await person.post<{ plaintext_key: string }>('/v1/api-keys', {
  name: 'examples',
  scopes: ['analyses:create', 'analyses:read', 'analyses:write', 'usage:read', 'webhooks:read'],
});
await writeFile(join(folder, 'song.mp3'), await readExcerpt());

/** 20 s of the sample song, to save time. The first MP3 frame is skipped, because it declares the length of the whole song. */
async function readExcerpt(): Promise<Buffer> {
  const song = await readFile(
    new URL('../../../../examples/sample-song/two-doors-down.mp3', import.meta.url),
  );
  const frame = Buffer.from([0xff, 0xfb]);
  const second = song.indexOf(frame, song.indexOf(frame) + frame.length);
  const bytesPerSecond = 128_000 / 8;
  return song.subarray(second, second + 20 * bytesPerSecond);
}

/** Compiles the whole SDK, or runs a program that waits for an analysis, on a busy machine. */
const EXAMPLE_TIMEOUT_MS = 180_000;

describe('examples of the SDK', () => {
  it('exist for every export', () => {
    const exported = [
      ...sources.get('index.ts')!.matchAll(/^export (?:type )?\{([^}]+)\} from '\.\/([^']+)'/gm),
    ];
    const names = exported.flatMap(([, list, file]) =>
      list!.split(',').map((name) => [name.replace('type ', '').trim(), file!] as const),
    );
    // Without names the check could not fail.
    expect(names.length).toBeGreaterThan(15);
    const without = names.filter(([name, file]) => {
      const declaration = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*export [a-z ]*\\b${name}\\b`);
      return !declaration.exec(sources.get(file)!)?.[1]?.includes('@example');
    });
    expect(without).toEqual([]);
  });

  it('compile', { timeout: EXAMPLE_TIMEOUT_MS }, () => {
    const files = new Map(examples.map(({ code }, index) => [join(sdk, 'src', `example-${index}.ts`), code]));
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    };
    const host = ts.createCompilerHost(options);
    const { fileExists, getSourceFile, readFile: readSource } = host;
    host.fileExists = (path) => files.has(path) || fileExists(path);
    host.readFile = (path) => files.get(path) ?? readSource(path);
    host.getSourceFile = (path, language, ...rest) =>
      files.has(path)
        ? ts.createSourceFile(path, files.get(path)!, language)
        : getSourceFile(path, language, ...rest);
    const program = ts.createProgram([...files.keys()], options, host);
    const compileErrors = [...files.keys()].flatMap((path) =>
      ts.getPreEmitDiagnostics(program, program.getSourceFile(path)).map(({ messageText, start }) => {
        const sentence = ts.flattenDiagnosticMessageText(messageText, '\n');
        return `${sentence}: ${files.get(path)!.slice(start, (start ?? 0) + 60)}`;
      }),
    );
    expect(compileErrors).toEqual([]);
  });

  it.each(examples)('$name runs', { timeout: EXAMPLE_TIMEOUT_MS }, async ({ name, code }) => {
    const program = join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
    await build({
      stdin: {
        contents: code.replaceAll('http://localhost:8080', service.url),
        loader: 'ts',
        resolveDir: sdk,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'silent',
    });
    const env = { PATH: process.env.PATH, EARSHOT_API_KEY: key.plaintext_key };
    const { stderr } = await promisify(execFile)(process.execPath, [program], { cwd: folder, env });
    expect(stderr).toBe('');
  });
});
