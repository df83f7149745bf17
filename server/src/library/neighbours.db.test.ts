import { readFileSync } from 'node:fs';
import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createWorkspaceBench, type Job } from '../analyses/test-workspace-bench.ts';
import { isQueryBlocked } from '../test/blocked-query.ts';
import { until } from '../test/until.ts';
import { removeFromIndex } from './index-song.ts';
import { keysOf, sketchRecording } from './recording.ts';
import { addTestSong } from './test-songs.ts';

type Similar = z.infer<typeof contract.SimilarSong>;
type Next = z.infer<typeof contract.NextSong>;

const { db, newCustomer } = await createWorkspaceBench();
const { member, client } = await newCustomer();
const { workspaceId } = member.actor;

/** An embedding of version 2 with one dimension set for each of timbre, harmony and rhythm. */
function soundOf({ timbre, harmony, rhythm }: { timbre: number; harmony: number; rhythm: number }): number[] {
  const vector = new Array<number>(250).fill(0);
  vector[timbre] = 0.6;
  vector[38 + harmony] = 0.6;
  vector[44 + rhythm] = 0.5;
  return vector;
}
const put = (title: string, song: object) => addTestSong(db, workspaceId, { title, ...song });
const ids = {
  song: await put('Song', {
    bpm: 124,
    key: 'A',
    energy: 0.5,
    sha256: 'same',
    embedding: soundOf({ timbre: 0, harmony: 0, rhythm: 0 }),
  }),
  copy: await put('Copy', {
    bpm: 124,
    key: 'A',
    energy: 0.5,
    sha256: 'same',
    embedding: soundOf({ timbre: 0, harmony: 0, rhythm: 0 }),
  }),
  groove: await put('Groove', {
    bpm: 126,
    key: 'E',
    energy: 0.6,
    embedding: soundOf({ timbre: 9, harmony: 3, rhythm: 0 }),
  }),
  chords: await put('Chords', {
    bpm: 62.5,
    key: 'C',
    scale: 'major',
    energy: 0.4,
    embedding: soundOf({ timbre: 8, harmony: 0, rhythm: 3 }),
  }),
  far: await put('Far', {
    bpm: 90,
    key: 'F#',
    energy: 0.1,
    embedding: soundOf({ timbre: 20, harmony: 5, rhythm: 2 }),
  }),
  mute: await put('Mute', { bpm: null, embedding: null }),
};
const similar = async (query = '') =>
  (await client.get<Similar[]>(`/v1/analyses/${ids.song}/similar?${query}`)).body;
const titles = (found: readonly { job: Job }[]) => found.map(({ job }) => job.headline?.title);

describe('similar', () => {
  it('returns the song itself, then the same recording, each with its reason', async () => {
    const found = await similar('limit=2');
    expect(titles(found)).toEqual(['Song', 'Copy']);
    expect(found).toMatchObject([
      { similarity: 1, reason: 'the song itself' },
      { similarity: 1, reason: 'the same recording', job: { headline: { same_recording_as: ids.song } } },
    ]);
  });

  it('compares a single aspect on request', async () => {
    expect(titles(await similar('by=rhythm&limit=3'))[2]).toBe('Groove');
    expect(titles(await similar('by=harmony&limit=3'))[2]).toBe('Chords');
    const [, , groove] = await similar('by=rhythm&limit=3');
    expect(groove?.reason).toBe(
      'the same groove; 8A to 9A, a fifth higher; 124.0 to 126.0 BPM, slowed by 1.6 %; energy up by 0.10',
    );
  });

  // Similarity is (1 + cosine) / 2, with steps at 0.95, 0.8 and 0.65.
  it.each([
    [0.92, 'the same'],
    [0.88, 'much the same'],
    [0.62, 'much the same'],
    [0.58, 'related'],
    [0.32, 'related'],
    [0.28, 'other'],
  ])('describes a cosine of %d as %s groove', async (cosine, degree) => {
    const embedding = new Array<number>(250).fill(0);
    [embedding[44], embedding[45]] = [cosine, Math.sqrt(1 - cosine ** 2)];
    const id = await put('Degree', { embedding });
    const found = await similar('by=rhythm&limit=100');
    expect(found.find(({ job }) => job.id === id)?.reason).toMatch(new RegExp(`^${degree} groove; `));
    await client.send(`/v1/analyses/${id}`, { method: 'DELETE' });
  });

  it('includes new songs and omits deleted ones', async () => {
    const late = await put('Late', { embedding: soundOf({ timbre: 0, harmony: 0, rhythm: 0 }) });
    expect(titles(await similar('limit=3'))).toContain('Late');
    await client.send(`/v1/analyses/${late}`, { method: 'DELETE' });
    expect(titles(await similar())).not.toContain('Late');
  });

  it('refuses songs without an embedding, invalid parameters, and other workspaces', async () => {
    expect((await client.get(`/v1/analyses/${ids.mute}/similar`)).status).toBe(409);
    expect((await client.get(`/v1/analyses/${ids.song}/similar?by=taste`)).status).toBe(422);
    expect((await client.get(`/v1/analyses/${ids.song}/similar?limit=101`)).status).toBe(422);
    const { client: stranger } = await newCustomer();
    expect((await stranger.get(`/v1/analyses/${ids.song}/similar`)).status).toBe(404);
    expect((await stranger.get(`/v1/analyses/${ids.song}/next`)).status).toBe(404);
  });
});

describe('next', () => {
  it('ranks by key, tempo and energy, and shifts no tempo by more than 8 %', async () => {
    const { body } = await client.get<Next[]>(`/v1/analyses/${ids.song}/next?limit=2`);
    // The copy of the song would score best, and is excluded.
    expect(titles(body)).toEqual(['Chords', 'Groove']);
    expect(body).toMatchObject([
      { key_relation: 'relative', tempo_shift_percent: -0.8, energy_step: -0.1 },
      { key_relation: 'fifth_up', tempo_shift_percent: -1.59, energy_step: 0.1 },
    ]);
    const all = await client.get<Next[]>(`/v1/analyses/${ids.song}/next?limit=100`);
    expect(titles(all.body)).not.toContain('Far');
    expect((await client.get(`/v1/analyses/${ids.mute}/next`)).status).toBe(409);
  });

  it('offers other keys only where songs in compatible keys do not fill the page', async () => {
    const { member: owner, client: own } = await newCustomer();
    const add = (song: object) => addTestSong(db, owner.actor.workspaceId, { bpm: 124, ...song });
    const from = await add({ key: 'A' });
    await add({ title: 'Compatible', key: 'E', bpm: 133, energy: 0 });
    // Scores higher: its key is far, but tempo and energy are the same.
    await add({ title: 'Far', key: 'F#' });
    const next = async (limit: number) =>
      titles((await own.get<Next[]>(`/v1/analyses/${from}/next?limit=${limit}`)).body);
    expect(await next(1)).toEqual(['Compatible']);
    expect(await next(2)).toEqual(['Far', 'Compatible']);
  });
});

describe('duplicates', () => {
  it('can be hidden or shown alone; when the original is deleted, the oldest copy replaces it', async () => {
    const find = async (query: string) =>
      titles((await client.get<Job[]>(`/v1/analyses?sort=title&${query}`)).body.map((job) => ({ job })));
    expect(await find('duplicates=only')).toEqual(['Copy', 'Song']);
    expect(await find('duplicates=only&bpm_min=124')).toEqual(['Copy', 'Song']);
    expect(await find('duplicates=hide&key=8A&bpm_min=120')).toEqual(['Song']);
    const third = await put('Third', { sha256: 'same' });
    await client.send(`/v1/analyses/${ids.song}`, { method: 'DELETE' });
    expect(await find('duplicates=only')).toEqual(['Copy', 'Third']);
    const copy = await client.get<Job>(`/v1/analyses/${ids.copy}`);
    expect(copy.body.headline?.same_recording_as).toBeNull();
    expect((await client.get<Job>(`/v1/analyses/${third}`)).body.headline?.same_recording_as).toBe(ids.copy);
  });
});

/** Starts a deletion that has removed its song, and returns a function that commits it. */
function holdDeletion(analysisId: string): Promise<() => Promise<void>> {
  return new Promise((hold, fail) => {
    const deletion = db.transaction(async (tx) => {
      await removeFromIndex(tx, { workspaceId, analysisId });
      await new Promise<void>((end) => {
        hold(() => {
          end();
          return deletion;
        });
      });
    });
    deletion.catch(fail);
  });
}

const waitForLock = (what: string) => until(() => isQueryBlocked(db), what);

describe('a copy of a song that is deleted at the same time', () => {
  it('becomes an original', async () => {
    const commit = await holdDeletion(await put('Old', { sha256: 'again' }));
    const copying = put('Copy of old', { sha256: 'again' });
    await waitForLock('the copy waits for the deletion');
    await commit();
    const copy = await client.get<Job>(`/v1/analyses/${await copying}`);
    expect(copy.body.headline?.same_recording_as).toBeNull();
  });

  it('becomes an original when the copy before it is deleted too', async () => {
    const first = await put('First', { sha256: 'thrice' });
    const second = await put('Second', { sha256: 'thrice' });
    const third = await put('Third of three', { sha256: 'thrice' });
    const commit = await holdDeletion(second);
    const deletingFirst = db.transaction((tx) => removeFromIndex(tx, { workspaceId, analysisId: first }));
    await waitForLock('the deletion of the first waits for that of the second');
    await commit();
    await deletingFirst;
    expect((await client.get<Job>(`/v1/analyses/${third}`)).body.headline?.same_recording_as).toBeNull();
  });
});

describe('a copy whose original is missing', () => {
  it('becomes the original of new copies', async () => {
    const left = await put('Left over', { sha256: 'left' });
    await db.query(`update songs set duplicate_of = 'job_gone' where analysis_id = $1`, [left]);
    const next = await client.get<Job>(`/v1/analyses/${await put('Next', { sha256: 'left' })}`);
    expect(next.body.headline?.same_recording_as).toBe(left);
    expect((await client.get<Job>(`/v1/analyses/${left}`)).body.headline?.same_recording_as).toBeNull();
  });
});

describe('the same recording in another encoding', () => {
  const prints = JSON.parse(
    readFileSync(new URL('./fixtures/encodings.json', import.meta.url), 'utf8'),
  ) as Record<string, { chromaprint: string; duration_seconds: number }>;
  const encoded = (name: string, sound: Parameters<typeof soundOf>[0]) => ({
    chromaprint: prints[name]!.chromaprint,
    durationSeconds: prints[name]!.duration_seconds,
    embedding: soundOf(sound),
  });
  const originalOf = async (id: string) =>
    (await client.get<Job>(`/v1/analyses/${id}`)).body.headline?.same_recording_as;

  it('is linked to the original and ranks next to it', async () => {
    const alike = { timbre: 30, harmony: 4, rhythm: 1 };
    const original = await put('Original', encoded('wav', alike));
    const twin = await put('Alike', { embedding: soundOf(alike), durationSeconds: 45 });
    const mp3 = await put('As MP3', encoded('mp3_64', { ...alike, timbre: 31 }));
    const faster = await put('Faster', encoded('faster', alike));
    expect(await originalOf(mp3)).toBe(original);
    expect([await originalOf(original), await originalOf(twin), await originalOf(faster)]).toEqual([
      null,
      null,
      null,
    ]);
    const near = (await client.get<Similar[]>(`/v1/analyses/${original}/similar?limit=4`)).body;
    expect(near.slice(0, 2).map(({ job, reason }) => [job.id, reason])).toEqual([
      [original, 'the song itself'],
      [mp3, 'the same recording'],
    ]);
    const m4a = await put('As M4A', encoded('aac_96', alike));
    expect(await originalOf(m4a)).toBe(original);
    await client.send(`/v1/analyses/${original}`, { method: 'DELETE' });
    expect([await originalOf(mp3), await originalOf(m4a)]).toEqual([null, mp3]);
  });

  it('is found among two hundred older songs that share a single hash, such as that of silence', async () => {
    const { member: owner, client: own } = await newCustomer();
    const { workspaceId: library } = owner.actor;
    const sound = { timbre: 0, harmony: 0, rhythm: 0 };
    const original = await addTestSong(db, library, encoded('wav', sound));
    await db.query(
      `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, created_at)
       select 'job_0000000' || n, $1, 'workspace', 'completed', 'url', 'u', 'user', now() from generate_series(1, 200) n`,
      [library],
    );
    const [silence] = keysOf(sketchRecording(prints.wav!.chromaprint)!);
    await db.query(
      `insert into song_recordings (workspace_id, hash, analysis_id)
       select $1, $2, 'job_0000000' || n from generate_series(1, 200) n`,
      [library, silence],
    );
    const copy = await addTestSong(db, library, encoded('mp3_192', sound));
    expect((await own.get<Job>(`/v1/analyses/${copy}`)).body.headline?.same_recording_as).toBe(original);
  });

  it('leaves no row in the index when it is deleted', async () => {
    const id = await put('Gone', encoded('wav', { timbre: 0, harmony: 0, rhythm: 0 }));
    const tables = ['songs', 'song_terms', 'song_sounds', 'song_recordings'];
    const listTables = async () => {
      const rows = tables.map((table) => db.query(`select 1 from ${table} where analysis_id = $1`, [id]));
      const counts = (await Promise.all(rows)).map(({ length }) => length);
      return tables.filter((_, index) => counts[index]! > 0);
    };
    expect(await listTables()).toEqual(tables);
    await client.send(`/v1/analyses/${id}`, { method: 'DELETE' });
    expect(await listTables()).toEqual([]);
  });

  it('is not linked across workspaces', async () => {
    const stranger = await newCustomer();
    const id = await addTestSong(
      db,
      stranger.member.actor.workspaceId,
      encoded('mp3_192', { timbre: 0, harmony: 0, rhythm: 0 }),
    );
    expect(
      (await stranger.client.get<Job>(`/v1/analyses/${id}`)).body.headline?.same_recording_as,
    ).toBeNull();
  });
});
