import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect, it } from 'vitest';
import { addTestSong, heardInstruments } from '../../library/test-songs.ts';
import { createTestDatabase } from '../database.ts';
import { buildTestApp, signIn } from '../test-app.ts';
import { WALK, type Walker } from './library-walk-steps.ts';

/**
 * Uses the library with curl, with the command line, and through an assistant, and checks every response. `WRITE_WALK=1` writes the
 * responses into docs/library-walk.md; otherwise that page must have the responses of this run.
 */

const PAGE = new URL('../../../../docs/library-walk.md', import.meta.url);
const { db } = await createTestDatabase({ connectionsMax: 20 });
const test = await buildTestApp(db);
const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
test.deps.config.baseUrl = url;
const owner = await signIn(test);
const { body: made } = await test.call('POST', '/v1/api-keys', {
  headers: owner.headers,
  body: { name: 'walk', scopes: ['analyses:create', 'analyses:read', 'analyses:write', 'usage:read'] },
});
const key: string = made.plaintext_key;
const folder = await mkdtemp(join(tmpdir(), 'earshot-library-walk-'));
const program = fileURLToPath(new URL('../../../../cli/bin/earshot.mjs', import.meta.url));
const prints = JSON.parse(
  await readFile(new URL('../../library/fixtures/encodings.json', import.meta.url), 'utf8'),
) as Record<string, { chromaprint: string; duration_seconds: number }>;

/** Embeddings of one place are identical; those of two places have a cosine similarity of 0.2. */
const soundOf = (place: number) =>
  Array.from({ length: 250 }, (_, index) => (index % 50 === place ? 1 : 0.05));
type Song = Parameters<typeof addTestSong>[2];
const put = (song: Song) => addTestSong(db, owner.workspaceId, song);
const night: Song = {
  title: 'Night Drive',
  artist: 'Ólafur',
  bpm: 140,
  key: 'E',
  energy: 0.9,
  danceability: 0.9,
  valence: 0.2,
  loudnessLufs: -7,
  durationSeconds: prints.wav!.duration_seconds,
  voicePresence: 0.6,
  genre: 'House',
  embedding: soundOf(2),
  chromaprint: prints.wav!.chromaprint,
};
const ids: Record<string, string> = {
  elise: await put({
    fileName: 'Für Elise.mp3',
    title: null,
    artist: 'Beethoven',
    bpm: 70,
    key: 'A',
    energy: 0.2,
    danceability: 0.1,
    valence: 0.4,
    loudnessLufs: -23,
    durationSeconds: 180,
    voicePresence: 0,
    genre: 'Classical',
    embedding: soundOf(1),
  }),
  night: await put(night),
  day: await put({
    title: 'Day Off',
    artist: 'Zoë',
    bpm: 137,
    key: 'B',
    energy: 0.7,
    danceability: 0.8,
    valence: 0.9,
    loudnessLufs: -9,
    durationSeconds: 240,
    voicePresence: 0.9,
    genre: 'House',
    embedding: soundOf(3),
    extra: { mood_tags: ['happy'], tags: heardInstruments('piano', 'drums') },
  }),
  copy: await put({
    ...night,
    fileName: 'night.mp3',
    title: 'Night Drive (MP3)',
    loudnessLufs: -7.1,
    durationSeconds: prints.mp3_64!.duration_seconds,
    chromaprint: prints.mp3_64!.chromaprint,
  }),
};

const assistant = new Client({ name: 'walk', version: '1' });
const headers = { authorization: `Bearer ${key}` };
await assistant.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
);
afterAll(async () => {
  await assistant.close();
  await rm(folder, { recursive: true, force: true });
});

const withIds = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);
const named = (text: string) =>
  Object.entries(ids).reduce((said, [name, id]) => said.replaceAll(id, `{${name}}`), text);
const run = promisify(execFile);

const walker: Walker = {
  ids,
  named,
  async curl(line) {
    const args = withIds(line)
      .match(/'[^']*'|\S+/g)!
      .map((word) => word.replaceAll("'", ''));
    const [path, ...rest] = args.reverse();
    const options = [
      '-s',
      '-i',
      ...rest.reverse(),
      '-H',
      `authorization: Bearer ${line.includes('/v1/account/') ? owner.token : key}`,
    ];
    const json = line.includes('-d ') ? ['-H', 'content-type: application/json'] : [];
    const { stdout } = await run('curl', [...options, ...json, `${url}${path}`], {
      encoding: 'latin1',
    });
    const end = stdout.indexOf('\r\n\r\n');
    const [first = '', ...lines] = stdout.slice(0, end).split('\r\n');
    const text = Buffer.from(stdout.slice(end + 4), 'latin1').toString('utf8');
    const answered = Object.fromEntries(
      lines.map((one) => {
        const [name = '', value = ''] = one.split(/: (.*)/s);
        return [name.toLowerCase(), value];
      }),
    );
    const isJson = String(answered['content-type']).startsWith('application/json');
    return {
      status: Number(first.split(' ')[1]),
      headers: answered,
      text,
      body: isJson ? JSON.parse(text) : null,
    };
  },
  async earshot(line) {
    const args = withIds(line)
      .match(/"[^"]*"|\S+/g)!
      .map((word) => word.replaceAll('"', ''));
    const env = { PATH: process.env.PATH, HOME: folder, EARSHOT_URL: url, EARSHOT_API_KEY: key };
    return run(process.execPath, [program, ...args], { env, cwd: folder }).then(
      ({ stdout }) => named(stdout),
      (error: { stderr: string }) => `refused: ${named(error.stderr)}`,
    );
  },
  async assistant(name, args) {
    const given = JSON.parse(withIds(JSON.stringify(args))) as Record<string, unknown>;
    const { content } = await assistant.callTool({ name, arguments: given });
    return JSON.parse((content as [{ text: string }])[0].text);
  },
};

/** Each of the many steps sends a request or starts a program, on a busy machine. */
const WALK_TIMEOUT_MS = 240_000;

it('the library behaves as its contract promises, with curl, command line and assistant', {
  timeout: WALK_TIMEOUT_MS,
}, async () => {
  const lines: string[] = [];
  for (const { row, by, asked, came, walk } of WALK) {
    const answer = await walk(walker);
    expect.soft(answer, `${row}: ${asked}`).toBe(came);
    lines.push(`| ${row} | ${by} | \`${asked.replaceAll('|', '\\|')}\` | ${answer.replaceAll('|', '\\|')} |`);
  }
  const page = `${HEAD}${lines.join('\n')}\n`;
  if (process.env.WRITE_WALK) await writeFile(PAGE, page);
  expect(await readFile(PAGE, 'utf8')).toBe(page);
});

const HEAD = `# The library, walked

<!-- Written by \`npm run walk\`. -->

What a workspace can do with its songs, requested with curl, at the command line and by an assistant (MCP) from a started service: ${WALK.length} steps
and their responses. There are four songs: Für Elise (70 BPM, A minor), Night Drive (140 BPM, E minor), the same recording as an MP3 of 64 kbit/s, and
Day Off (137 BPM, B minor). \`{night}\` stands for the id of a song.

| What | By | Asked | Came back |
|---|---|---|---|
`;
