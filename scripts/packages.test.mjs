/**
 * Uses our packages as a stranger would: installs the tarballs in an empty folder outside the repository and tries each of them.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../dashboard/src/test/chromium.ts';
import { activeWalls } from '../decode/src/index.ts';
import { packAll, packWheel } from './pack.mjs';
import { CLIENT_MINOR_VERSION_MIN, findPython } from './python-environment.mjs';
import { startService } from './start-service.mjs';
import { createEmptyFolder, environment, repository } from './test-empty-folder.mjs';

const TSC = join(repository, 'node_modules/typescript-native/bin/tsc');
const made = mkdtempSync(join(tmpdir(), 'earshot-packed-'));
const { folder, write, run, serve } = createEmptyFolder();
const song = join(folder, 'song.mp3');
/** Composed at exactly this tempo. */
const SONG_BPM = 112;
/** The engine is off by 0.001, and the MCP server rounds to 0.01. */
const BPM_ERROR_MAX = 0.1;
/** As docs/quickstart.md shows it, to hundredths. */
const SONG_SECONDS = 90.65;
/** For a service, a browser or a virtual environment on a busy machine, which may take longer than the usual limit. */
const PATIENT = { timeout: 240_000 };
/** The client's own limit for a tool is a minute, which a song on a busy machine may exceed. */
const TOOL_MS_MAX = 120_000;
/** Builds and packs everything, and installs it from the registry. */
const INSTALL_MS_MAX = 600_000;
let packed = [];

beforeAll(async () => {
  packed = await packAll(made);
  write('package.json', '{ "private": true, "type": "module" }');
  cpSync(join(repository, 'examples/sample-song/two-doors-down.mp3'), song);
  run('npm', 'install', '--no-audit', '--no-fund', '--no-save', ...packed.map(({ tarball }) => tarball));
}, INSTALL_MS_MAX);
afterAll(() => {
  for (const temporary of [folder, made]) rmSync(temporary, { recursive: true, force: true });
});

it('every package has its build, types, licence and README, and no sources', () => {
  expect(packed.map(({ name }) => name)).toEqual([
    '@earshot/engine',
    '@earshot/decode',
    '@earshot/sdk',
    '@earshot/mcp',
    'earshot',
  ]);
  for (const { name, tarball } of packed) {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    expect(files, name).toEqual(
      expect.arrayContaining([
        'package/package.json',
        'package/LICENSE',
        'package/README.md',
        'package/dist/index.js',
      ]),
    );
    expect(
      files.filter((file) => /\.test\.|(?<!\.d)\.ts$|tsbuildinfo|fixtures/.test(file)),
      name,
    ).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
    expect(existsSync(join(folder, 'node_modules', name, manifest.exports['.'].types)), name).toBe(true);
    expect(manifest.private, name).toBeUndefined();
  }
});

describe('earshot', () => {
  it('analyses a song: npx earshot analyze', () => {
    const result = JSON.parse(run('npx', '--no-install', 'earshot', 'analyze', '--json', song));
    expect(Math.abs(result.bpm - SONG_BPM)).toBeLessThan(BPM_ERROR_MAX);
    expect(result.key_notation).toBe('G');
    expect(result.file.codec).toMatch(/mp3/i);
  });

  it('analyses several songs at once', () => {
    for (const name of ['a.mp3', 'b.mp3']) copyFileSync(song, join(folder, name));
    const args = ['analyze', '--json', '--parallel', '2', 'a.mp3', 'b.mp3'];
    const lines = run('npx', '--no-install', 'earshot', ...args)
      .trimEnd()
      .split('\n');
    for (const line of lines)
      expect(Math.abs(JSON.parse(line).result.bpm - SONG_BPM)).toBeLessThan(BPM_ERROR_MAX);
    expect(lines).toHaveLength(2);
  });

  it('writes a report, which includes its fonts', () => {
    run('npx', '--no-install', 'earshot', 'analyze', '--report', 'report.pdf', song);
    const report = readFileSync(join(folder, 'report.pdf'), 'latin1');
    expect(report.slice(0, 5)).toBe('%PDF-');
    // A plain and a bold one, embedded.
    expect(report.match(/FontFile2/g)).toHaveLength(2);
  });

  it('explains that the package contains no service', () => {
    expect(() => run('npx', '--no-install', 'earshot', 'serve')).toThrow(
      /runs from its repository or its image/,
    );
  });

  it('can be imported as a library', () => {
    write(
      'analyse.js',
      `import { analyseFile, SongFailed } from 'earshot';
       const song = await analyseFile(process.argv[2]);
       const jams = JSON.parse(Buffer.from(await song.writeExport('jams')).toString());
       const refused = await analyseFile('package.json').catch((error) => error instanceof SongFailed);
       console.log(JSON.stringify({ bpm: song.result.bpm, seconds: jams.file_metadata.duration, refused }));`,
    );
    const { bpm, seconds, refused } = JSON.parse(run(process.execPath, 'analyse.js', song));
    expect(Math.abs(bpm - SONG_BPM)).toBeLessThan(BPM_ERROR_MAX);
    expect(seconds).toBeCloseTo(SONG_SECONDS, 2);
    expect(refused).toBe(true);
  });
});

describe('TypeScript, strict, libraries checked', () => {
  function compile(name, program, options = {}) {
    write(`${name}.ts`, program);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'ES2023',
      module: 'NodeNext',
      types: [],
      ...options,
    };
    write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
    return run(process.execPath, TSC, '-p', `tsconfig.${name}.json`, '--listFiles');
  }

  it('the SDK compiles alone: no zod, nothing of Node', () => {
    const files = compile(
      'sdk',
      `import { AnalysisFailed, Earshot, type CompletedResult, type RequestOutput } from '@earshot/sdk';
       const earshot = new Earshot({ apiKey: 'es_live_x', baseUrl: 'http://localhost:8080' });
       const job = await earshot.analyses.create({ url: 'https://example.com/song.mp3', hints: { bpm_min: 90 } });
       const { result }: CompletedResult = await job.wait();
       const bpm: number | null = result.bpm;
       const chord: string | undefined = result.tonal?.chords[0]?.label;
       const usage: RequestOutput<'getUsage'> = await earshot.request('getUsage', {});
       for await (const { event_type } of job.events()) if (event_type === 'job.failed') throw new AnalysisFailed({ code: 'internal', message: '', retryable: true });
       // @ts-expect-error there is no such status
       earshot.analyses.list({ status: 'sleeping' });
       // @ts-expect-error a name is needed
       await earshot.request('createApiKey', { body: { scopes: ['analyses:read'] } });
       console.log(bpm, chord, usage);`,
      { lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'] },
    );
    expect(files).toContain('@earshot/sdk');
    expect(files).not.toMatch(/node_modules\/(zod|@types)\//);
  });

  it('the engine needs no DOM, and the command and the decoder fit it', () => {
    const engine = `import { startAnalysis, type AnalysisResult } from '@earshot/engine';
       const analysis = startAnalysis({ sampleRateHz: 44_100, channelCount: 1 });
       analysis.push({ channels: [new Float32Array(44_100)] });
       const { summary }: AnalysisResult = analysis.finish();
       export const bpm: number | null = summary.bpm;`;
    compile('engine', engine, { lib: ['ES2023'] });
    compile(
      'library',
      `import { analyseFile, type ResultDocument } from 'earshot';
       import { decodeFile } from '@earshot/decode';
       import { startAnalysis } from '@earshot/engine';
       import { createMcpServer, createServiceBackend } from '@earshot/mcp';
       import { Earshot } from '@earshot/sdk';
       const { result } = await analyseFile('song.mp3', { hints: { bpmMin: 90 }, onProgress: (fraction: number) => fraction });
       const document: ResultDocument = result;
       const beats: number = document.rhythm?.beats.length ?? 0;
       const session = await decodeFile('song.mp3');
       const analysis = startAnalysis(session.format);
       for await (const block of session.blocks) analysis.push(block);
       export const server = createMcpServer(createServiceBackend(new Earshot({ baseUrl: 'http://localhost' }), null));
       export { beats };`,
      // The declarations of the protocol's package depend on Node.
      { lib: ['ES2023', 'DOM'], skipLibCheck: true },
    );
  });
});

it('the quickstart runs as written, as JavaScript, with the SDK that was installed', PATIENT, async () => {
  const page = readFileSync(join(repository, 'docs/quickstart.md'), 'utf8');
  const program = /^```ts\n([\s\S]*?)^```$/m.exec(page)[1];
  const shown = /^```\n(.* LUFS)\n```$/m.exec(page)[1];
  const service = await startService();
  try {
    const account = await fetch(`${service.url}/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'stranger@example.com' }),
    });
    const { api_key: EARSHOT_API_KEY } = await account.json();
    write('quickstart.mjs', program.replaceAll('http://localhost:8080', service.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['quickstart.mjs'], {
      cwd: folder,
      env: { ...environment(), EARSHOT_API_KEY },
    });
    expect(stdout.trim().split('\n').at(-1)).toBe(shown);
  } finally {
    await service.stop();
  }
});

it('an installed decoder has the same walls as that of the repository', async () => {
  write(
    'walls.js',
    `import { activeWalls } from '@earshot/decode';
     console.log(JSON.stringify(await activeWalls()));`,
  );
  expect(JSON.parse(run(process.execPath, 'walls.js'))).toEqual(await activeWalls());
});

describe('the engine in Chromium', () => {
  it('gives the same result in a worker as in Node', PATIENT, async () => {
    write(
      'decode.js',
      `import { writeFileSync } from 'node:fs';
       import { decodeFile } from '@earshot/decode';
       import { startAnalysis } from '@earshot/engine';
       import { loadModels } from '@earshot/engine/models';
       const session = await decodeFile(process.argv[2]);
       const analysis = startAnalysis(session.format, {}, loadModels());
       const pieces = [];
       for await (const block of session.blocks) {
         pieces.push(block.channels[0].slice());
         analysis.push({ channels: [block.channels[0], block.channels[0]] });
       }
       await session.finish();
       writeFileSync('song.f32', Buffer.concat(pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))));
       const { summary } = analysis.finish();
       console.log(JSON.stringify({ ...session.format, summary }));`,
    );
    const { sampleRateHz, summary } = JSON.parse(run(process.execPath, 'decode.js', song));
    write(
      'worker.js',
      `import { analyse } from '/node_modules/@earshot/engine/dist/index.js';
       import { fetchModels } from '/node_modules/@earshot/engine/dist/fetch-models.js';
       const channel = new Float32Array(await (await fetch('/song.f32')).arrayBuffer());
       const format = { sampleRateHz: ${sampleRateHz}, channelCount: 2 };
       postMessage(analyse(format, [{ channels: [channel, channel] }], {}, await fetchModels()).summary);`,
    );
    const server = serve();
    const { executablePath, env, remove } = await findChromium();
    let browser;
    try {
      browser = await chromium.launch({
        executablePath,
        env: { ...process.env, ...env },
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      });
      const page = await browser.newPage();
      await page.goto(await server.url);
      const heard = await page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker('/worker.js', { type: 'module' });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
          }),
      );
      expect(Math.abs(heard.bpm - SONG_BPM)).toBeLessThan(BPM_ERROR_MAX);
      // The same WebAssembly on the same samples, but functions of Math may differ in the last digits between engines.
      for (const [name, value] of Object.entries(summary)) {
        if (typeof value === 'number') expect(heard[name], name).toBeCloseTo(value, 6);
        else expect(heard[name], name).toEqual(value);
      }
    } finally {
      await browser?.close();
      await remove();
      server.close();
    }
  });
});

describe('the MCP server over standard input and output', () => {
  async function connect(program, env = {}) {
    const require = createRequire(join(folder, 'package.json'));
    const load = (module) =>
      import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/client/${module}.js`)).href);
    const [{ Client }, { StdioClientTransport }] = await Promise.all([load('index'), load('stdio')]);
    const client = new Client({ name: 'stranger', version: '1' });
    const bin = join(folder, 'node_modules/.bin', program[0]);
    await client.connect(
      new StdioClientTransport({
        command: bin,
        args: program.slice(1),
        env: { ...environment(), ...env },
        cwd: folder,
      }),
    );
    return client;
  }

  it('earshot mcp analyses a song', PATIENT, async () => {
    const client = await connect(['earshot', 'mcp']);
    try {
      const { content } = await client.callTool(
        { name: 'analyze_file', arguments: { path: song } },
        undefined,
        { timeout: TOOL_MS_MAX },
      );
      expect(Math.abs(JSON.parse(content[0].text).bpm - SONG_BPM)).toBeLessThan(BPM_ERROR_MAX);
    } finally {
      await client.close();
    }
  });

  it('earshot-mcp offers the tools of a service', async () => {
    const client = await connect(['earshot-mcp'], {
      EARSHOT_API_KEY: 'es_live_x',
      EARSHOT_URL: 'http://127.0.0.1:9',
    });
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('analyze_url');
    } finally {
      await client.close();
    }
    expect(() => run(join(folder, 'node_modules/.bin/earshot-mcp'))).toThrow(
      /set EARSHOT_URL and EARSHOT_API_KEY/,
    );
  });
});

it('the wheel installs, imports and is typed', PATIENT, (context) => {
  const { wheel, reason } = packWheel(made);
  if (wheel === null) return context.skip(reason);
  const virtualEnvironment = join(folder, 'venv');
  execFileSync(findPython(CLIENT_MINOR_VERSION_MIN), ['-m', 'venv', virtualEnvironment]);
  const python = join(virtualEnvironment, process.platform === 'win32' ? 'Scripts/python' : 'bin/python');
  run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wheel);
  const program = `
import importlib.metadata as metadata, pathlib, earshot
folder = pathlib.Path(earshot.__file__).parent
files = {str(file) for file in metadata.files("earshot")}
assert (folder / "py.typed").exists(), "untyped"
assert any(name.endswith("licenses/LICENSE") for name in files), files
assert metadata.version("earshot") == earshot.__version__
client = earshot.Earshot(api_key="es_live_x", base_url="http://localhost:8080")
print(type(client.analyses).__name__, "Apache-2.0" in str(metadata.metadata("earshot")))
`;
  expect(run(python, '-c', program).trim()).toBe('Analyses True');
});

it('the engine runs in Deno', (context) => {
  if (spawnSync('deno', ['--version']).status !== 0) return context.skip('Deno is not installed');
  write(
    'deno.js',
    `import { analyse } from './node_modules/@earshot/engine/dist/index.js';
     import { fetchModels } from './node_modules/@earshot/engine/dist/fetch-models.js';
     const models = await fetchModels();
     const { summary } = analyse({ sampleRateHz: 44100, channelCount: 1 }, [{ channels: [new Float32Array(441000)] }], {}, models);
     console.log(summary.durationSeconds);`,
  );
  expect(run('deno', 'run', '--allow-read', 'deno.js').trim()).toBe('10');
});
