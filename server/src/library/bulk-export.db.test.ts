import { COLLECTION_EXPORTS } from '@earshot/exports';
import { describe, expect, it, vi } from 'vitest';
import { markDeleted } from '../analyses/store.ts';
import { createWorkspaceBench } from '../analyses/test-workspace-bench.ts';
import { until } from '../test/until.ts';
import { addTestSong } from './test-songs.ts';

/** Exports of many songs as one file, also while one of them is deleted. */

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
    expect(answer.text).toContain('/Music/Night%20Bus.mp3');
  });

  it('is audited', async () => {
    const { member: owner, headers: own } = await newCustomer();
    await addTestSong(db, owner.actor.workspaceId);
    await bulk({ query: {}, action: 'export', format: 'csv' }, own);
    const audited = db.query('select action, metadata from audit_events where target_id = $1', [
      owner.actor.workspaceId,
    ]);
    expect(await audited).toEqual([{ action: 'library.export', metadata: { songs: 1, format: 'csv' } }]);
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
    expect(answer.text.match(/^#EXTINF.*/gm)).toEqual(['#EXTINF:60,Night Bus']);
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

describe('an export while a song is deleted', () => {
  /** Sends a request, and deletes the song once the request has found it and is about to read its result. */
  async function sendAndDelete<T>(id: string, send: () => Promise<T>): Promise<T> {
    const waiting = `select from pg_locks join pg_database d on d.oid = database
       where relation = 'analysis_results'::regclass and not granted and d.datname = current_database()`;
    const { answer } = await db.transaction(async (tx) => {
      await tx.query('lock table analysis_results in access exclusive mode');
      const sent = { answer: send() };
      await until(async () => (await tx.query(waiting)).length > 0, 'the request reads the result');
      await markDeleted(tx, id, new Date());
      return sent;
    });
    return answer;
  }

  it('omits it from file and count', async () => {
    const deleted = await addTestSong(db, workspaceId, { title: 'Deleted' });
    const body = { ids: [deleted, house], action: 'export', format: 'rekordbox' };
    const answer = await sendAndDelete(deleted, () => bulk(body));
    expect([answer.status, namesIn(answer.text)]).toEqual([200, ['Night Bus']]);
    expect(answer.text).toContain('Entries="1"');
    expect([answer.headers.get('x-matched-count'), answer.headers.get('x-changed-count')]).toEqual([
      '2',
      '1',
    ]);
  });

  it('is 404 if it is the only song', async () => {
    const deleted = await addTestSong(db, workspaceId, { title: 'Deleted' });
    const url = `${service.url}/v1/analyses/${deleted}/exports/jams`;
    const answer = await sendAndDelete(deleted, () => fetch(url, { headers }));
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
  });
});
