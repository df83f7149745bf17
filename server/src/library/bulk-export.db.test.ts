import { COLLECTION_EXPORTS } from '@earshot/exports';
import { describe, expect, it, vi } from 'vitest';
import { createWorkspaceBench } from '../analyses/test-workspace-bench.ts';
import { addTestSong } from './test-songs.ts';

/** Exports of many songs as one file, also while songs are deleted. */

const { db, service, newCustomer } = await createWorkspaceBench();
const { member, client, headers } = await newCustomer();
const { workspaceId } = member.actor;
const house = await addTestSong(db, workspaceId, { title: 'Night Bus', bpm: 124, genre: 'house' });
const ballad = await addTestSong(db, workspaceId, { title: 'Three Lamps', bpm: 72, genre: 'pop' });

async function bulk(body: object, as: Record<string, string> = headers) {
  const response = await fetch(`${service.url}/v1/analyses/bulk`, {
    method: 'POST',
    headers: { ...as, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const namesIn = (xml: string) =>
  [...xml.matchAll(/<TRACK TrackID="[^"]*" Name="([^"]*)"/g)].map(([, name]) => name);

describe('a bulk export', () => {
  it('responds with the file, and with the number of its songs', async () => {
    const answer = await bulk({
      ids: [ballad, house],
      action: 'export',
      format: 'rekordbox',
      folder: '/Music',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('Songs.rekordbox.xml');
    expect([answer.headers.get('x-matched-count'), answer.headers.get('x-changed-count')]).toEqual([
      '2',
      '2',
    ]);
    expect(namesIn(answer.text).sort()).toEqual(['Night Bus', 'Three Lamps']);
  });

  it('takes a filter instead of ids', async () => {
    const answer = await bulk({ query: { genre: ['house'] }, action: 'export', format: 'csv' });
    expect(answer.text).toContain('Night Bus');
    expect(answer.text).not.toContain('Three Lamps');
  });

  it('keeps only what the list needs of each song, and does not read its pictures', async () => {
    const song = await addTestSong(db, workspaceId, { title: 'Long Player' });
    await db.query(`update analysis_results set visuals = 'no pictures' where analysis_id = $1`, [song]);
    const write = vi.spyOn(COLLECTION_EXPORTS.csv, 'write');
    const answer = await bulk({ ids: [song], action: 'export', format: 'csv' });
    const written = write.mock.calls[0]?.[0].songs[0];
    write.mockRestore();
    expect(answer.status).toBe(200);
    expect([written?.names?.title, written?.document.waveform]).toEqual(['Long Player', null]);
  });

  it('omits songs without a result from file and count', async () => {
    const { body } = await client.post<{ id: string }>('/v1/analyses', {
      source_url: 'http://127.0.0.1:9/a.wav',
    });
    const answer = await bulk({ ids: [house, body.id], action: 'export', format: 'm3u8' });
    expect([answer.headers.get('x-matched-count'), answer.headers.get('x-changed-count')]).toEqual([
      '2',
      '1',
    ]);
  });

  it("does not find another workspace's song", async () => {
    const stranger = await newCustomer();
    const answer = await bulk({ ids: [house], action: 'export', format: 'csv' }, stranger.headers);
    expect(answer.status).toBe(404);
  });

  it.each([
    ['no format', { ids: [house], action: 'export' }],
    ['an unknown format', { ids: [house], action: 'export', format: 'wax' }],
    ['a format for a tag', { ids: [house], action: 'tag', tags: ['a'], format: 'csv' }],
    ['a folder for a delete', { ids: [house], action: 'delete', folder: '/Music' }],
  ])('refuses %s', async (_, body) => {
    expect((await bulk(body)).status).toBe(422);
  });
});

describe('an export while songs are deleted', () => {
  it('has each song completely or not at all; an export of one deleted song is 404', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 24; n++) ids.push(await addTestSong(db, workspaceId, { title: `Song ${n}` }));
    const remove = (id: string) => fetch(`${service.url}/v1/analyses/${id}`, { method: 'DELETE', headers });
    const single = (id: string) => fetch(`${service.url}/v1/analyses/${id}/exports/jams`, { headers });
    const [many, ...others] = await Promise.all([
      bulk({ ids, action: 'export', format: 'rekordbox' }),
      ...ids.slice(0, 12).map(async (id) => {
        const [one, gone] = await Promise.all([single(id), remove(id)]);
        return { status: one.status, gone: gone.status, body: await one.text() };
      }),
    ]);
    // It finds all songs before the first deletion, and afterwards refuses the request for an unknown id.
    expect([200, 404]).toContain(many.status);
    if (many.status === 200) {
      const names = namesIn(many.text);
      expect(names).toEqual(expect.arrayContaining(ids.slice(12).map((_, n) => `Song ${n + 12}`)));
      expect(many.text).toContain(`Entries="${names.length}"`);
      expect(many.headers.get('x-changed-count')).toBe(String(names.length));
    }
    for (const { status, gone, body } of others) {
      expect(gone).toBe(200);
      expect([200, 404]).toContain(status);
      expect(JSON.parse(body)).toHaveProperty(status === 200 ? 'file_metadata' : 'detail');
    }
  });
});
