import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startJourneyService } from '../test/journeys/journey-service.ts';
import { startLocalServer } from '../test/local-server.ts';
import { makeWav } from '../test/wav.ts';
import {
  CHECKOUT,
  canRun,
  checkTypes,
  pagesWithSnippets,
  readProgram,
  runProgram,
  type SnippetLanguage,
  startProgram,
} from './test-snippets.ts';

/**
 * Runs the examples of the documentation: the blocks of one language on a page are one program, which runs against a started service
 * in a folder with a song.mp3.
 */

const service = await startJourneyService({ WORKER_CONCURRENCY: '2' });
const account = await service.client.post<{ api_key: string; webhook_signing_secret: string }>(
  '/v1/auth/register',
  { email: 'reader@example.com' },
);
const scratch = await mkdtemp(join(tmpdir(), 'earshot-snippets-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const song = makeWav({ seconds: 2, toneHz: 220 });
const web = await startLocalServer((request, response) => {
  if (request.url === '/missing.mp3') response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'audio/wav' }).end(song);
});

/** Replaces the base URL and the placeholder addresses of a program by those of the started servers. */
const withAddresses = (program: string) =>
  program
    .replaceAll('http://localhost:8080', service.url)
    .replaceAll(/https:\/\/example\.com(?=\/\w+\.mp3)/g, web.url);

async function makeSurroundings(name: string, env: Record<string, string> = {}) {
  const folder = join(scratch, name.replaceAll(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  await symlink(join(CHECKOUT, 'examples'), join(folder, 'examples'));
  await writeFile(join(folder, 'song.mp3'), song);
  return { folder, env: { EARSHOT_API_KEY: account.body.api_key, ...env } };
}

/** The examples on these pages need music. A tone is enough for the others, and faster. */
const PAGES_WITH_MUSIC = ['docs/quickstart.md', 'docs/guides/exports.md'];
const RECEIVERS = 'docs/guides/webhooks.md';
const cases = pagesWithSnippets().flatMap((file) =>
  (['sh', 'ts', 'python'] as const)
    .filter((language) => file !== RECEIVERS || language === 'sh')
    .flatMap((language) => {
      const program = readProgram(file, language);
      return program !== null && canRun(language) ? [{ file, language, program }] : [];
    }),
);

describe('the examples of the documentation', { timeout: 180_000 }, () => {
  it.each(cases)('$file in $language', async ({ file, language, program }) => {
    const surroundings = await makeSurroundings(`${file}-${language}`);
    if (PAGES_WITH_MUSIC.includes(file)) {
      await cp(
        join(CHECKOUT, 'examples/sample-song/two-doors-down.mp3'),
        join(surroundings.folder, 'song.mp3'),
      );
    }
    const printed = await runProgram(
      withAddresses(program)
        .replaceAll('https://example.com/hooks/earshot', `${web.url}/hook`)
        // An e-mail address can be registered only once.
        .replaceAll('you@example.com', `${basename(file, '.md')}@example.com`),
      language,
      surroundings,
    );
    if (file === 'docs/quickstart.md') {
      // The song was written at 112 BPM (examples/sample-song); its loudness is in the truth.json there.
      const shown =
        language === 'sh' ? await readFile(join(surroundings.folder, 'result.json'), 'utf8') : printed;
      expect(shown).toMatch(/11[12]\.\d/);
      expect(shown).toMatch(/-16\.\d/);
    }
  });

  it('compile in TypeScript on every page; a planted error is found', async () => {
    const programs = pagesWithSnippets().flatMap((file) => readProgram(file, 'ts') ?? []);
    expect(programs.length).toBeGreaterThan(5);
    const wrong = "import { Earshot } from '@earshot/sdk';\nnew Earshot({ baseUrl: 1 });";
    expect([...(await checkTypes([...programs, wrong])).keys()]).toEqual([programs.length]);
  });

  const receivers = (['ts', 'python'] as const).filter(canRun);
  it.each(receivers)('include a webhook receiver that works in %s', async (language) => {
    const lines = await startReceiverOf(readProgram(RECEIVERS, language) ?? '', language);
    const port = /(\d{4,5})/.exec((await lines.next()).value ?? '')?.[1];
    const form = new FormData();
    form.set('webhook_url', `http://127.0.0.1:${port}/hook`);
    form.set('file', new Blob([new Uint8Array(song)]), 'song.wav');
    const headers = { 'x-api-key': account.body.api_key };
    const { body } = await service.client.send<{ job_id: string }>('/v1/analyze/upload', {
      method: 'POST',
      headers,
      body: form,
    });
    expect((await lines.next()).value).toBe(`analysis.completed ${body.job_id}`);
  });
});

/** Starts the receiver on a free port, which it prints first. */
async function startReceiverOf(program: string, language: SnippetLanguage) {
  const env = { EARSHOT_WEBHOOK_SECRET: account.body.webhook_signing_secret };
  const freePort = program
    .replace('listen(3000,', 'listen(0,')
    .replace(
      'HTTPServer(("", 3000), Receiver).serve_forever()',
      'server = HTTPServer(("127.0.0.1", 0), Receiver)\nprint(server.server_port, flush=True)\nserver.serve_forever()',
    );
  expect(freePort).not.toBe(program);
  const child = await startProgram(freePort, language, await makeSurroundings(`receiver-${language}`, env));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  });
  return createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
}
