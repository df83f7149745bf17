import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type GroupsRow, groupsOf, packGroups } from '../analyses/stored-groups.ts';
import { createWorkspaceBench, type Job } from '../analyses/test-workspace-bench.ts';
import { addTestSong } from '../library/test-songs.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { isQueryBlocked } from '../test/blocked-query.ts';
import { createTestClient, type TestClient } from '../test/client.ts';
import { until } from '../test/until.ts';

type Correction = z.infer<typeof contract.Correction>;
type Result = z.infer<typeof contract.AnalysisResult>;
type FullResult = NonNullable<Result['result']>;

/** The engine hears the song at half its tempo, with high confidence. */
const HEARD_BPM = 70.28;
const TRUE_BPM = 140.56;

const { db, service, newCustomer, submit } = await createWorkspaceBench();
const { member, client } = await newCustomer();
const newSong = () => addTestSong(db, member.actor.workspaceId, { title: 'Half Time', bpm: HEARD_BPM });
const id = await newSong();

const pathOf = (song: string) => `/v1/analyses/${song}/corrections`;
const send = (as: TestClient, path: string, method: string, body?: object) =>
  as.send<Correction>(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const put = (song: string, body: object, as = client) => send(as, pathOf(song), 'PUT', body);
const removeCorrection = (song: string) => send(client, pathOf(song), 'DELETE');
const resultOf = async (song: string, query = ''): Promise<FullResult> =>
  (await client.get<Result>(`/v1/analyses/${song}/result${query}`)).body.result!;
const textOf = async (path: string, as: Record<string, string> = {}) =>
  (await fetch(`${service.url}${path}`, { headers: { ...(await headers), ...as } })).text();
const headers = keyHeaders(member);

describe('doubling the tempo', () => {
  it('changes the tempo wherever it is shown, and removing the correction restores it', async () => {
    const share = await client.post<{ url: string }>(`/v1/account/analyses/${id}/shares`);
    const sharePath = new URL(share.body.url).pathname;
    const everywhere = async () => ({
      job: (await client.get<Job>(`/v1/analyses/${id}`)).body.headline?.bpm,
      list: (await client.get<Job[]>('/v1/analyses')).body.find((job) => job.id === id)?.headline?.bpm,
      result: (await resultOf(id)).bpm,
      summary: (await client.get<{ result: { bpm: number } }>(`/v1/analysis/${id}`)).body.result.bpm,
      full: (await client.get<{ result: { bpm: number } }>(`/v1/analysis/${id}/full`)).body.result.bpm,
      csv: Number(/summary,,,bpm,([\d.]+)/.exec(await textOf(`/v1/analyses/${id}/exports/csv`))?.[1]),
      jams: JSON.parse(await textOf(`/v1/analyses/${id}/exports/jams`)).annotations[0].data[0].value,
      rekordbox: Number(
        / Bpm="([\d.]+)"/.exec(await textOf(`/v1/analyses/${id}/exports/rekordbox-xml`))?.[1],
      ),
      spotify: JSON.parse(await textOf(`/v1/analyses/${id}/exports/spotify-audio-features`)).tempo,
      report: Number(/([\d.]+) BPM/.exec(await textOf(`/v1/analyses/${id}/artifacts/report.html`))?.[1]),
      share: Number(/([\d.]+) BPM/.exec(await textOf(sharePath))?.[1]),
      beats: (await resultOf(id)).rhythm!.beats.length,
    });
    const before = await everywhere();
    const bpms = ({ beats: _, ...places }: typeof before) => [
      ...new Set(Object.values(places).map((bpm) => Number(bpm).toFixed(2))),
    ];
    expect(bpms(before)).toEqual([HEARD_BPM.toFixed(2)]);
    expect((await put(id, { tempo: 'double' })).status).toBe(200);
    const after = await everywhere();
    expect(bpms(after)).toEqual([TRUE_BPM.toFixed(2)]);
    expect(after.beats).toBe(before.beats * 2);
    expect((await removeCorrection(id)).status).toBe(200);
    expect(await everywhere()).toEqual(before);
  });

  it('is marked in the result, which keeps the original values', async () => {
    await put(id, { tempo: 'double', key: '9A', note: 'counted by hand' });
    const corrected = await resultOf(id);
    expect(corrected.corrections).toMatchObject({
      kinds: ['tempo', 'key'],
      heard: { bpm: HEARD_BPM, key_notation: 'Am', camelot: '8A', time_signature: 4 },
      note: 'counted by hand',
      corrected_by: member.actor.userId,
    });
    expect(corrected).toMatchObject({ key_notation: 'Em', camelot: '9A', bpm_confidence: 1 });
    const heard = await resultOf(id, '?as_heard=true');
    expect(heard).toMatchObject({ bpm: HEARD_BPM, key_notation: 'Am', corrections: null });
    const csv = await textOf(`/v1/analyses/${id}/exports/csv?as_heard=true`);
    expect(csv).toContain(`summary,,,bpm,${HEARD_BPM},`);
    await removeCorrection(id);
  });
});

describe('a correction', () => {
  it('is all null before the first change and after its removal', async () => {
    const song = await newSong();
    const none = {
      job_id: song,
      kinds: [],
      tempo: null,
      bpm: null,
      first_downbeat_seconds: null,
      shift_beats: null,
      beats_per_bar: null,
      key: null,
      sections: null,
      chords: null,
      beats: null,
      note: null,
      corrected_by: null,
      updated_at: null,
    };
    expect((await client.get<Correction>(pathOf(song))).body).toEqual(none);
    await put(song, { key: 'G major' });
    expect((await put(song, {})).body).toEqual(none);
    expect((await client.get<Correction>(pathOf(song))).body).toEqual(none);
  });

  it('that is removed while its analysis ends is not shown in the list', async () => {
    const song = await newSong();
    await put(song, { tempo: 'double' });
    await db.query(`update analyses set status = 'processing' where id = $1`, [song]);
    const { removing } = await db.transaction(async (tx) => {
      // The end of an attempt, which has indexed the song with the correction.
      await tx.query(`update analyses set status = 'completed' where id = $1`, [song]);
      await tx.query('select 1 from analysis_corrections where analysis_id = $1 for update', [song]);
      const sent = removeCorrection(song);
      await until(() => isQueryBlocked(db), 'the removal waits');
      return { removing: sent };
    });
    expect((await removing).status).toBe(200);
    const list = await client.get<Job[]>('/v1/analyses');
    expect(list.body.find((job) => job.id === song)?.headline?.bpm).toBe(HEARD_BPM);
  });

  it('is replaced as a whole, through both routes, and appears in the audit log', async () => {
    const song = await newSong();
    await put(song, { tempo: 'double', key: 'G major' });
    const replaced = await send(client, `/v1/account/analyses/${song}/corrections`, 'PUT', {
      key: 'E minor',
    });
    expect(replaced.body).toMatchObject({ kinds: ['key'], key: 'E minor', tempo: null, bpm: null });
    await removeCorrection(song);
    await removeCorrection(song);
    const audit = await db.query(
      `select action, metadata from audit_events where target_id = $1 and action like 'correction.%' order by id`,
      [song],
    );
    expect(audit).toMatchObject([
      { action: 'correction.save', metadata: { kinds: ['tempo', 'key'], bpm: TRUE_BPM, key: 'G' } },
      { action: 'correction.save', metadata: { kinds: ['key'], key: 'Em' } },
      { action: 'correction.remove' },
    ]);
  });

  it('stays at the corrected tempo when a newer engine hears it right', async () => {
    const song = await newSong();
    await put(song, { tempo: 'double' });
    const groups = groupsOf(
      await db.one<GroupsRow>('select groups, packed_groups from analysis_results where analysis_id = $1', [
        song,
      ]),
    );
    groups.rhythm!.bpm = 140.6;
    await db.query(
      `update analysis_results set summary = jsonb_set(summary::jsonb, '{bpm}', '140.6')::json, packed_groups = $2
       where analysis_id = $1`,
      [song, packGroups(groups)],
    );
    const result = await resultOf(song);
    expect(result.bpm).toBe(TRUE_BPM);
    expect(result.corrections?.heard.bpm).toBe(140.6);
    const heard = await resultOf(song, '?as_heard=true');
    expect(result.rhythm!.beats).toHaveLength(heard.rhythm!.beats.length);
  });

  it('that shifts the bars keeps them where a beat is also moved, here nearer to the next than to its old place', async () => {
    const song = await addTestSong(db, member.actor.workspaceId, { bpm: 120 });
    // The beats are at 0.5 s, 1 s, 1.5 s …; the first is a downbeat.
    const answer = await put(song, {
      shift_beats: 1,
      beats: { move: [{ from_seconds: 1, to_seconds: 1.3 }] },
    });
    expect(answer.status).toBe(200);
    const { downbeats } = (await resultOf(song)).rhythm!;
    expect(downbeats.slice(0, 3).map((beat) => beat.time_seconds)).toEqual([1.3, 3, 5]);
  });

  it.each<[string, object, string[]]>([
    ['a tempo out of range', { tempo: 5 }, ['body', 'tempo']],
    ['an unknown word', { tempo: 'faster' }, ['body', 'tempo']],
    ['an unknown key', { key: 'H major' }, ['body', 'key']],
    ['a time before the song', { first_downbeat_seconds: -1 }, ['body', 'first_downbeat_seconds']],
    ['two first bars', { first_downbeat_seconds: 1, shift_beats: 1 }, ['body', 'shift_beats']],
    ['an unknown field', { bpm: 120 }, ['body', 'bpm']],
    [
      'a section outside of the song',
      { sections: [{ start_seconds: 0, end_seconds: 900, label: 'verse' }] },
      ['body', 'sections', '0', 'end_seconds'],
    ],
    [
      'beats out of order',
      { beats: { move: [{ from_seconds: 0.5, to_seconds: 9 }] } },
      ['body', 'beats', 'move', '0', 'to_seconds'],
    ],
  ])('refuses %s and changes nothing', async (_, body, loc) => {
    await put(id, { key: 'D minor' });
    const answer = await put(id, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: [{ loc }] });
    expect((await client.get<Correction>(pathOf(id))).body.key).toBe('D minor');
    await removeCorrection(id);
  });

  it('needs a result', async () => {
    const { body } = await submit(client);
    const answer = await put(body.id, { tempo: 100 });
    expect([answer.status, answer.body]).toEqual([409, expect.objectContaining({ code: 'not_finished' })]);
  });

  it('needs an API key that may write analyses', async () => {
    for (const scope of ['analyses:read', 'analyses:create'] as const) {
      const other = createTestClient(service.url, await keyHeaders(member, [scope]));
      expect((await put(id, { tempo: 100 }, other)).status).toBe(403);
    }
  });

  it('is not found in another workspace, for reading or writing', async () => {
    const { client: stranger } = await newCustomer();
    expect((await stranger.get(pathOf(id))).status).toBe(404);
    expect((await put(id, { tempo: 100 }, stranger)).status).toBe(404);
    expect((await send(stranger, pathOf(id), 'DELETE')).status).toBe(404);
  });

  it('is deleted with the analysis', async () => {
    const song = await newSong();
    await put(song, { tempo: 100 });
    await client.send(`/v1/analyses/${song}`, { method: 'DELETE' });
    expect((await client.get(pathOf(song))).status).toBe(404);
    expect(await db.query('select * from analysis_corrections where analysis_id = $1', [song])).toEqual([]);
    expect(await db.query('select * from songs where analysis_id = $1', [song])).toEqual([]);
    expect(await db.query('select * from song_terms where analysis_id = $1', [song])).toEqual([]);
  });
});
