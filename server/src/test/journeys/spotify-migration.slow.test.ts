import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startLocalServer } from '../local-server.ts';

/** The outcomes of examples/spotify-migration.mjs that examples.db.test.ts does not reach, with a server that plays the service. */

const program = fileURLToPath(new URL('../../../../examples/spotify-migration.mjs', import.meta.url));

/** The features of a recording without tempo, key or loudness. */
const FEATURES = {
  tempo: null,
  key: -1,
  mode: null,
  time_signature: null,
  loudness: null,
  danceability: null,
};
const ANALYSIS = { bars: [], beats: [], sections: [], segments: [] };

let job: { status: number; body: object };
const service = await startLocalServer(async (request, response) => {
  const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
  for await (const _ of request);
  if (request.method === 'POST') answer(202, { job_id: 'job_1' });
  else if (request.url!.endsWith('features')) answer(200, { ...FEATURES, energy: 0.5, valence: null });
  else if (request.url!.endsWith('audio-analysis')) answer(200, ANALYSIS);
  else answer(job.status, job.body);
});
const run = () =>
  promisify(execFile)(process.execPath, [program, service.url], {
    env: { PATH: process.env.PATH, EARSHOT_API_KEY: 'es_live_secret' },
    // A program that polls for ever fails its test, and ends.
    timeout: 20_000,
  });

describe('spotify-migration.mjs', () => {
  it('prints a song without tempo, key and loudness', async () => {
    job = { status: 200, body: { status: 'completed', error: null } };
    expect((await run()).stdout).toBe(
      'no tempo, no key, no meter, unknown dB\n' +
        'danceability unknown, energy 0.50, valence unknown\n' +
        '0 bars, 0 beats, 0 sections, 0 segments\n',
    );
  });

  it.each([
    [200, { status: 'failed', error: { message: 'No audio in it' } }, 'No audio in it'],
    [200, { status: 'canceled', error: null }, 'The analysis is canceled'],
    [401, {}, '/v1/analyses/job_1 answered 401'],
    [404, {}, '/v1/analyses/job_1 answered 404'],
    [429, {}, '/v1/analyses/job_1 answered 429'],
  ])('fails when its job is answered with %i %j', async (status, body, message) => {
    job = { status, body };
    await expect(run()).rejects.toThrow(message);
  });
});
