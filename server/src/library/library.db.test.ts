import { describe, expect, it } from 'vitest';
import { createWorkspaceBench, type Job } from '../analyses/test-workspace-bench.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestClient } from '../test/client.ts';
import { addTestSong, heardInstruments, type TestSong } from './test-songs.ts';

const { db, service, newCustomer, submit } = await createWorkspaceBench();
const { member, client } = await newCustomer();
const { workspaceId } = member.actor;

/** A crate from which every parameter selects different songs. */
const CRATE = {
  elise: {
    title: 'Für Elise',
    artist: 'Ludwig van Beethoven',
    fileName: 'elise.flac',
    bpm: 70,
    key: 'A',
    energy: 0.1,
    danceability: 0.1,
    valence: 0.4,
    loudnessLufs: -23,
    durationSeconds: 180,
    voicePresence: 0,
    genre: 'Classical',
    sha256: 'e5'.repeat(32),
  },
  night: {
    title: 'Night Drive',
    artist: 'Ólafur Ø',
    album: 'Straße',
    bpm: 140,
    key: 'E',
    energy: 0.9,
    danceability: 0.9,
    valence: 0.2,
    loudnessLufs: -7,
    durationSeconds: 300,
    voicePresence: 0.6,
    genre: 'House',
  },
  day: {
    title: "Don't Stop",
    artist: 'Zoë',
    bpm: 126,
    key: 'C',
    scale: 'major',
    energy: 0.7,
    danceability: 0.8,
    valence: 0.9,
    loudnessLufs: -9,
    durationSeconds: 240,
    voicePresence: 0.9,
    genre: 'House',
    artwork: true,
    extra: { mood_tags: ['happy'], tags: heardInstruments('piano', 'drums') },
  },
  drone: {
    title: 'Drone',
    artist: null,
    bpm: null,
    key: 'F#',
    energy: 0.3,
    danceability: 0.05,
    valence: 0.1,
    loudnessLufs: -18,
    durationSeconds: 600,
    genre: null,
    extra: { mood_tags: ['dark'], tags: heardInstruments('synthesizer', 'piano') },
  },
} satisfies Record<string, TestSong>;
type Name = keyof typeof CRATE;

const ids = {} as Record<Name, string>;
for (const name of Object.keys(CRATE) as Name[]) ids[name] = await addTestSong(db, workspaceId, CRATE[name]);
const nameOf = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name as Name]));

const find = async (query: string, as = client) => {
  const answer = await as.get<Job[]>(`/v1/analyses?${query}`);
  return { ...answer, names: Array.isArray(answer.body) ? answer.body.map((job) => nameOf[job.id]) : [] };
};
const send = <B>(path: string, method: string, body: unknown, as = client) =>
  as.send<B>(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const auditOf = (targetId: string) =>
  db.query('select action, metadata from audit_events where target_id = $1 order by id', [targetId]);

describe('searching', () => {
  it.each<[string, Name[]]>([
    ['q=elise', ['elise']],
    ['q=fur', ['elise']],
    ['q=F%C3%9CR%20beet', ['elise']],
    ['q=olafur', ['night']],
    ['q=strasse', ['night']],
    ['q=dont', ['day']],
    ['q=zoe', ['day']],
    ['q=z', ['day']],
    ['q=Z%20st', ['day']],
    ['q=flac', ['elise']],
    ['q=night%20day', []],
    ['q=%3F%21', []],
    ['q=%20', ['drone', 'day', 'night', 'elise']],
    ['bpm_min=126&bpm_max=140', ['day', 'night']],
    ['bpm_near=138', ['night', 'elise']],
    // 4 % of 134.6 is just too little for 140, and half of it for 70; that of 134.7 is enough. So is that of 145.8 from above.
    ['bpm_near=134.6', []],
    ['bpm_near=134.7', ['night', 'elise']],
    ['bpm_near=145.8', ['night', 'elise']],
    ['bpm_near=145.9', []],
    ['bpm_near=250', ['day']],
    ['key=A%20minor', ['elise']],
    ['key=Am&key=9A', ['night', 'elise']],
    ['compatible_with=8A', ['day', 'night', 'elise']],
    [`compatible_with=${ids.night}`, ['night', 'elise']],
    ['key=8A&key=11A&compatible_with=9A', ['elise']],
    ['energy_min=0.7', ['day', 'night']],
    ['energy_max=0.2', ['elise']],
    ['danceability_min=0.85', ['night']],
    ['danceability_max=0.07', ['drone']],
    ['valence_min=0.5', ['day']],
    ['valence_max=0.15', ['drone']],
    ['loudness_max=-20', ['elise']],
    ['loudness_min=-8', ['night']],
    ['duration_min=301', ['drone']],
    ['duration_max=200', ['elise']],
    ['genre=house', ['day', 'night']],
    ['genre=House&genre=classical', ['day', 'night', 'elise']],
    ['mood=dark', ['drone']],
    ['instrument=piano', ['drone', 'day']],
    ['instrument=piano&instrument=drums', ['day']],
    [`sha256=${'e5'.repeat(32)}`, ['elise']],
    ['voice=yes', ['day', 'night']],
    ['voice=no', ['elise']],
    ['genre=house&energy_min=0.8&voice=yes', ['night']],
    ['status=completed', ['drone', 'day', 'night', 'elise']],
    ['status=failed', []],
    ['created_after=2020-01-01', ['drone', 'day', 'night', 'elise']],
    ['created_before=2020-01-01T00:00:00Z', []],
    ['', ['drone', 'day', 'night', 'elise']],
    ['sort=created_at', ['elise', 'night', 'day', 'drone']],
    ['sort=title', ['day', 'drone', 'elise', 'night']],
    ['sort=-title', ['night', 'elise', 'drone', 'day']],
    ['sort=artist', ['elise', 'night', 'day', 'drone']],
    ['sort=-artist', ['day', 'night', 'elise', 'drone']],
    ['sort=bpm', ['elise', 'day', 'night', 'drone']],
    ['sort=-bpm', ['night', 'day', 'elise', 'drone']],
    ['sort=key', ['elise', 'day', 'night', 'drone']],
    ['sort=energy', ['elise', 'drone', 'day', 'night']],
    ['sort=-danceability', ['night', 'day', 'elise', 'drone']],
    ['sort=loudness_lufs', ['elise', 'drone', 'day', 'night']],
    ['sort=-duration_seconds', ['drone', 'night', 'day', 'elise']],
  ])('%s', async (query, expected) => {
    const { status, names, headers } = await find(query);
    expect([status, names]).toEqual([200, expected]);
    expect(headers.get('x-total-count')).toBe(String(expected.length));
  });

  it('includes songs created exactly at created_after, and none created exactly at created_before', async () => {
    const all = (await find('')).body;
    const time = all.find(({ id }) => id === ids.night)!.created_at;
    const named = (jobs: Job[]) => jobs.map(({ id }) => nameOf[id]);
    expect((await find(`created_after=${time}`)).names).toEqual(
      named(all.filter(({ created_at }) => created_at >= time)),
    );
    expect((await find(`created_before=${time}`)).names).toEqual(
      named(all.filter(({ created_at }) => created_at < time)),
    );
  });

  it('sorts by repeated words too, and by symbols where a name has no words, page by page', async () => {
    const { member, client: label } = await newCustomer();
    const titles = ['÷', 'Boom Clap', 'Boom Boom Pow', '"'.repeat(200), '\u{10ffff}'.repeat(200)];
    for (const title of titles) await addTestSong(db, member.actor.workspaceId, { title });
    const sorted: unknown[] = [];
    for (let next = '/v1/analyses?sort=title&limit=1'; next !== ''; ) {
      const page = await label.get<Job[]>(next);
      expect(page.status).toBe(200);
      sorted.push(...page.body.map(({ headline }) => headline?.title));
      next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(sorted).toEqual([titles[3], titles[2], titles[1], titles[0], titles[4]]);
  });

  it('finds songs that an older release indexed by one or two letters', async () => {
    const { member, client: label } = await newCustomer();
    const own = member.actor.workspaceId;
    const [old, recent] = [
      await addTestSong(db, own, { title: 'Ötzi' }),
      await addTestSong(db, own, { title: 'Oxide' }),
    ];
    await db.query(`delete from song_terms where analysis_id = $1 and term like 'p:%'`, [old]);
    await db.query(
      `update songs set shelf_version = 2, terms = array(select term from unnest(terms) as term where term not like 'p:%')
       where analysis_id = $1`,
      [old],
    );
    const found = async (q: string) =>
      (await label.get<Job[]>(`/v1/analyses?sort=created_at&q=${q}`)).body.map(({ id }) => id);
    expect(await found('o')).toEqual([old, recent]);
    expect(await found('ot')).toEqual([old]);
  });

  it('returns the headline of every song', async () => {
    const [job] = (await find('q=stop')).body;
    expect(job?.headline).toMatchObject({
      title: "Don't Stop",
      artist: 'Zoë',
      genre: 'House',
      mood: 'happy',
      energy: 0.7,
      danceability: 0.8,
      voice: true,
      artwork: true,
      tags: [],
      corrected: false,
    });
    // Two pixels a point, growing by one from point to point (test-songs.ts); signed values of 8 bits are doubled.
    expect(job?.headline?.waveform).toEqual(Array.from({ length: 120 }, (_, point) => 2 * point));
  });

  it.each(['sort=-bpm', 'sort=title', '', 'sort=created_at', 'sort=artist&energy_min=0'])(
    'returns every song once in pages of one: %s',
    async (query) => {
      const whole = (await find(query)).names;
      const seen: (Name | undefined)[] = [];
      let path: string | null = `/v1/analyses?${query}&limit=1`;
      while (path !== null) {
        const page: Awaited<ReturnType<typeof client.get<Job[]>>> = await client.get<Job[]>(path);
        seen.push(...page.body.map((job) => nameOf[job.id]));
        path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
      }
      expect(seen).toEqual(whole);
    },
  );

  it.each(['bpm', '-bpm'])('continues among songs without a value, by their ids: sort=%s', async (sort) => {
    const { member: owner, client: own } = await newCustomer();
    const silent: string[] = [];
    for (let n = 0; n < 3; n += 1) silent.push(await addTestSong(db, owner.actor.workspaceId, { bpm: null }));
    const seen: string[] = [];
    for (let next = `/v1/analyses?sort=${sort}&limit=1`; next !== ''; ) {
      const page = await own.get<Job[]>(next);
      seen.push(...page.body.map(({ id }) => id));
      next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(seen).toEqual(sort === 'bpm' ? silent : silent.toReversed());
  });

  it('finds nothing compatible with a song without a key', async () => {
    const { member: owner, client: own } = await newCustomer();
    const add = (song: TestSong) => addTestSong(db, owner.actor.workspaceId, song);
    const [keyless] = [await add({ extra: { camelot: null, key_notation: null } }), await add({})];
    expect((await own.get(`/v1/analyses?compatible_with=${keyless}`)).body).toEqual([]);
  });

  it('continues at the same song when others are added or deleted between pages', async () => {
    const gone = await addTestSong(db, workspaceId, { title: 'Gone' });
    const first = await client.get<Job[]>('/v1/analyses?limit=2&sort=-created_at');
    expect(first.body.map(({ id }) => id)).toEqual([gone, ids.drone]);
    const [, link] = /<([^>]+)>/.exec(first.headers.get('link') ?? '')!;
    const late = await addTestSong(db, workspaceId, { title: 'Late' });
    await client.send(`/v1/analyses/${gone}`, { method: 'DELETE' });
    const second = await client.get<Job[]>(link!);
    expect(second.body.map((job) => nameOf[job.id])).toEqual(['day', 'night']);
    await client.send(`/v1/analyses/${late}`, { method: 'DELETE' });
  });

  it.each([
    ['an invalid cursor', 'after=abc', 'after'],
    ['an id as cursor', `after=${ids.day}`, 'after'],
    ['a page that is too large', 'limit=201', 'limit'],
    ['an unknown key', 'key=H', 'key'],
    ['an unknown compatible key', 'compatible_with=99A', 'compatible_with'],
    ['an unknown sort', 'sort=beauty', 'sort'],
    ['an invalid time', 'created_after=yesterday', 'created_after'],
    ['a number as time', 'created_after=0', 'created_after'],
    ['a day that does not exist', 'created_before=2026-02-30', 'created_before'],
    ['energy beyond one', 'energy_min=2', 'energy_min'],
  ])('refuses %s', async (_, query, member) => {
    const { status, body } = await find(query);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(`"${member}"`)]);
  });

  it('reports an unknown key as such, not as missing', async () => {
    const answer = await client.get<{ detail: object[] }>('/v1/analyses?key=H');
    expect(answer.body.detail).toEqual([
      expect.objectContaining({
        type: 'value_error',
        loc: ['query', 'key', '0'],
        msg: 'Value error, it is no key: give one as "C minor", "F#m", "Bb:maj", or by its number, "5A" or "10m"',
        input: 'H',
        ctx: { error: {} },
      }),
    ]);
    const compatible = await client.get<{ detail: object[] }>('/v1/analyses?compatible_with=H');
    expect(compatible.body.detail).toEqual([
      expect.objectContaining({
        type: 'value_error',
        msg: 'Value error, it is neither a key ("C minor", "F#m", "5A", "10m") nor the id of an analysis ("job_…")',
      }),
    ]);
  });

  it('refuses a cursor of another search', async () => {
    const page = await client.get<Job[]>('/v1/analyses?limit=1&sort=bpm');
    const after = new URL(/<([^>]+)>/.exec(page.headers.get('link')!)![1]!, 'http://x').searchParams.get(
      'after',
    )!;
    expect((await find(`limit=1&sort=bpm&after=${after}`)).status).toBe(200);
    expect((await find(`limit=1&sort=energy&after=${after}`)).status).toBe(422);
    expect((await find(`limit=1&sort=bpm&genre=house&after=${after}`)).status).toBe(422);
  });

  it('shows another workspace nothing', async () => {
    const { client: stranger } = await newCustomer();
    expect((await find('', stranger)).names).toEqual([]);
    expect((await find(`compatible_with=${ids.day}`, stranger)).status).toBe(404);
  });

  it('finds a queued song by its file name, and a corrected song by its correction', async () => {
    const other = await newCustomer();
    const queued = (await submit(other.client)).body.id;
    const waiting = await other.client.get<Job[]>('/v1/analyses?q=song&status=queued');
    expect(waiting.body.map((job) => job.id)).toEqual([queued]);
    const song = await addTestSong(db, other.member.actor.workspaceId, { bpm: 70.28 });
    await send(`/v1/analyses/${song}/corrections`, 'PUT', { tempo: 'double', key: '3B' }, other.client);
    const found = await other.client.get<Job[]>('/v1/analyses?bpm_min=140&key=3B');
    expect(found.body.map((job) => job.id)).toEqual([song]);
  });
});

describe('describing', () => {
  it('changes what is shown and found, and restores the names of the file when cleared', async () => {
    const song = await addTestSong(db, workspaceId, {
      title: 'untitled 7',
      artist: 'unknown',
      fileName: 'x.mp3',
    });
    const words = { title: 'Blue Hour', tags: ['Warm-up', 'warm-up', 'Opener'], note: 'needs EQ', rating: 4 };
    const { status, body } = await send<Job>(`/v1/analyses/${song}`, 'PATCH', words);
    expect(status).toBe(200);
    expect(await auditOf(song)).toEqual([
      { action: 'analysis.describe', metadata: { changed: ['title', 'tags', 'note', 'rating'] } },
    ]);
    expect(body.headline).toMatchObject({
      title: 'Blue Hour',
      artist: 'unknown',
      tags: ['Warm-up', 'Opener'],
      note: 'needs EQ',
      rating: 4,
    });
    for (const query of ['q=blue', 'q=needs', 'tag=warm-up', 'tag=WARM%20UP&tag=opener', 'q=opener']) {
      expect((await client.get<Job[]>(`/v1/analyses?${query}`)).body.map((job) => job.id)).toEqual([song]);
    }
    expect((await client.get<Job[]>('/v1/analyses?q=untitled')).body).toEqual([]);
    const result = await client.get<{ result: { file: { tags: object } } }>(`/v1/analyses/${song}/result`);
    expect(result.body.result.file.tags).toMatchObject({ title: 'untitled 7' });
    await send(`/v1/analyses/${song}`, 'PATCH', { title: null, tags: null });
    const back = await client.get<Job[]>('/v1/analyses?q=untitled');
    expect(back.body[0]?.headline).toMatchObject({ title: 'untitled 7', tags: [], rating: 4 });
    await client.send(`/v1/analyses/${song}`, { method: 'DELETE' });
  });

  it.each([
    ['a tag with a NUL', { tags: ['a\u0000b'] }],
    ['an empty title', { title: '  ' }],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }],
    ['six stars', { rating: 6 }],
    ['an unknown field', { colour: 'red' }],
  ])('refuses %s', async (_, body) => {
    expect((await send(`/v1/analyses/${ids.day}`, 'PATCH', body)).status).toBe(422);
  });

  it('needs write permission, in the workspace of the song', async () => {
    const reader = createTestClient(service.url, await keyHeaders(member, ['analyses:read']));
    expect((await send(`/v1/analyses/${ids.day}`, 'PATCH', { rating: 1 }, reader)).status).toBe(403);
    const { client: stranger } = await newCustomer();
    expect((await send(`/v1/analyses/${ids.day}`, 'PATCH', { rating: 1 }, stranger)).status).toBe(404);
  });
});

describe('bulk changes', () => {
  const bulk = (body: object, as = client) =>
    send<{ matched: number; changed: number; job_ids: string[]; code: string; detail: string }>(
      '/v1/analyses/bulk',
      'POST',
      body,
      as,
    );

  it('tag by ids or filter, and remove the tag again', async () => {
    const tagged = await bulk({ query: { genre: ['house'] }, action: 'tag', tags: ['Club'] });
    expect(tagged.body).toMatchObject({ action: 'tag', matched: 2, changed: 2 });
    expect((await find('tag=club')).names).toEqual(['day', 'night']);
    expect((await bulk({ ids: [ids.day, ids.night], action: 'tag', tags: ['club'] })).body.changed).toBe(0);
    expect((await bulk({ ids: [ids.day], action: 'untag', tags: ['CLUB'] })).body.changed).toBe(1);
    expect((await find('tag=club')).names).toEqual(['night']);
    await bulk({ ids: [ids.night], action: 'untag', tags: ['club'] });
  });

  it('are audited with their number of songs', async () => {
    const { member: owner, client: own } = await newCustomer();
    const id = await addTestSong(db, owner.actor.workspaceId);
    await bulk({ ids: [id], action: 'tag', tags: ['Club'] }, own);
    await bulk({ query: { tag: ['club'] }, action: 'delete' }, own);
    const metadata = { songs: 1, tags: [], collection_id: null };
    expect(await auditOf(owner.actor.workspaceId)).toEqual([
      { action: 'library.tag', metadata: { ...metadata, tags: ['Club'] } },
      { action: 'library.delete', metadata },
    ]);
  });

  it('tag no song if one of them would exceed 50 tags', async () => {
    const tags = Array.from({ length: 50 }, (_, n) => `t${n}`);
    const full = await addTestSong(db, workspaceId, { title: 'Full' });
    const empty = await addTestSong(db, workspaceId);
    await send(`/v1/analyses/${full}`, 'PATCH', { tags });
    const answer = await bulk({ ids: [empty, full], action: 'tag', tags: ['one more'] });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect(answer.body.detail).toContain(full);
    expect((await client.get<Job[]>('/v1/analyses?tag=one%20more')).body).toEqual([]);
    expect((await bulk({ ids: [full], action: 'tag', tags: ['T7'] })).body.changed).toBe(0);
    await bulk({ ids: [empty, full], action: 'delete' });
  });

  it('match every word of a long query, and nothing for punctuation alone', async () => {
    const { member, client: owner } = await newCustomer();
    const title = 'Symphony No. 9 in D minor, Op. 125 "Choral": IV. Presto, Allegro assai, Recitativo';
    const [wanted, other] = [
      await addTestSong(db, member.actor.workspaceId, { title: `${title} one` }),
      await addTestSong(db, member.actor.workspaceId, { title: `${title} two` }),
    ];
    const erase = (q: string) =>
      owner.post<{ matched: number }>('/v1/analyses/bulk', { query: { q }, action: 'delete' });
    expect((await erase('!!!')).body.matched).toBe(0);
    expect((await erase(`${title} one`)).body.matched).toBe(1);
    const left = await owner.get<Job[]>('/v1/analyses');
    expect(left.body.map(({ id }) => id)).toEqual([other]);
    expect((await owner.get(`/v1/analyses/${wanted}`)).status).toBe(404);
  });

  it('delete all or nothing', async () => {
    const [one, two] = [await addTestSong(db, workspaceId), await addTestSong(db, workspaceId)];
    const stranger = await newCustomer();
    const theirs = await addTestSong(db, stranger.member.actor.workspaceId);
    expect((await bulk({ ids: [one, two, theirs], action: 'delete' })).status).toBe(404);
    expect((await client.get(`/v1/analyses/${one}`)).status).toBe(200);
    expect((await bulk({ ids: [one, two], action: 'delete' })).body.changed).toBe(2);
    expect((await client.get(`/v1/analyses/${one}`)).status).toBe(404);
    expect((await stranger.client.get(`/v1/analyses/${theirs}`)).status).toBe(200);
  });

  it('analyse a song again, keeping description and corrections', async () => {
    const song = await addTestSong(db, workspaceId, { bpm: 70.28 });
    await send(`/v1/analyses/${song}`, 'PATCH', { title: 'Kept', tags: ['keep'] });
    await send(`/v1/analyses/${song}/corrections`, 'PUT', { tempo: 'double' });
    const { status, body } = await bulk({ ids: [song], action: 'analyse_again' });
    expect([status, body.changed, body.job_ids.length]).toEqual([200, 1, 1]);
    const [again] = body.job_ids;
    expect((await client.get(`/v1/analyses/${again}`)).body).toMatchObject({ status: 'queued' });
    expect((await client.get(`/v1/analyses/${again}/corrections`)).body).toMatchObject({
      tempo: 'double',
      bpm: 140.56,
    });
    expect((await client.get<Job[]>('/v1/analyses?tag=keep')).body.map((job) => job.id)).toEqual([
      again,
      song,
    ]);
    await bulk({ ids: [song, again], action: 'delete' });
  });

  it.each([
    ['501 ids', { ids: Array.from({ length: 501 }, (_, n) => `job_${n}`), action: 'delete' }],
    ['neither ids nor query', { action: 'delete' }],
    ['both', { ids: [ids.day], query: {}, action: 'delete' }],
    ['tags that are missing', { ids: [ids.day], action: 'tag' }],
    ['tags with a NUL', { ids: [ids.day], action: 'tag', tags: ['\u0000'] }],
    ['an unknown action', { ids: [ids.day], action: 'burn' }],
  ])('refuse %s', async (_, body) => {
    expect((await bulk(body)).status).toBe(422);
  });
});
