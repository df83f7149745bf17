/** The steps of the library walk: a request, the client that sends it, and the expected response. */

import { SONG_SORTS } from '@earshot/contract';

// biome-ignore lint/suspicious/noExplicitAny: a walk reads answers by their documented fields.
type Json = any;
type Answer = { status: number; headers: Record<string, string | undefined>; text: string; body: Json };

export type Walker = {
  ids: Record<string, string>;
  /** Replaces ids in a text by the names of their songs. */
  named(text: string): string;
  /** Runs curl with these arguments, plus the address of the service and credentials. */
  curl(line: string): Promise<Answer>;
  earshot(line: string): Promise<string>;
  assistant(tool: string, args: Record<string, unknown>): Promise<Json>;
};

type Step = {
  row: string;
  by: 'curl' | 'command line' | 'assistant';
  asked: string;
  came: string;
  walk: (walker: Walker) => Promise<string>;
};

const curl = (
  row: string,
  asked: string,
  came: string,
  say: (answer: Answer, walker: Walker) => string,
): Step => ({
  row,
  by: 'curl',
  asked: `curl ${asked}`,
  came,
  walk: async (walker) => say(await walker.curl(asked), walker),
});
/** The names of the songs in an answer, in its order. */
const songs = ({ status, body }: Answer, { named }: Walker) =>
  status === 200 ? body.map((job: Json) => named(job.id).slice(1, -1)).join(', ') || 'none' : String(status);
const finds = (row: string, query: string, came: string) => curl(row, `/v1/analyses?${query}`, came, songs);
const refuses = (row: string, asked: string, place: string) =>
  curl(
    row,
    asked,
    `422, ${place}`,
    ({ status, body }) => `${status}, ${body?.detail?.[0]?.loc?.slice(0, 2).join('.')}`,
  );
const cli = (row: string, asked: string, came: string, say: (out: string) => string): Step => ({
  row,
  by: 'command line',
  asked: `earshot ${asked}`,
  came,
  walk: async (walker) => say(await walker.earshot(asked)),
});
const songsIn = (out: string) =>
  [...out.matchAll(/^(?:\d\.\d\d {2})?\{(\w+)\}/gm)].map(([, name]) => name).join(', ') || 'none';
const talk = (
  row: string,
  tool: string,
  args: Record<string, unknown>,
  came: string,
  say: (answer: Json, walker: Walker) => string,
): Step => ({
  row,
  by: 'assistant',
  asked: `${tool} ${JSON.stringify(args)}`,
  came,
  walk: async (walker) => say(await walker.assistant(tool, args), walker),
});
const songsOf = (answer: Json, { named }: Walker) =>
  answer.songs.map((song: Json) => named(song.id).slice(1, -1)).join(', ') || 'none';

/** A value that one step leaves for a later one. */
const earlier: { cursor: string | null } = { cursor: null };

export const WALK: Step[] = [
  finds('words, by prefix, regardless of case and accents', 'q=fur%20eli', 'elise'),
  cli('words', 'library drive', 'copy, night', songsIn),
  talk('words', 'search_songs', { q: 'zoe' }, 'day', songsOf),
  finds('tempo between', 'bpm_min=100&bpm_max=138', 'day'),
  finds('tempo near, half and double allowed', 'bpm_near=140', 'copy, day, night, elise'),
  cli('tempo near', 'library --bpm-near 137 --sort bpm', 'elise, day, night, copy', songsIn),
  talk('tempo near', 'search_songs', { bpm_near: 70, sort: 'bpm' }, 'elise, day, night, copy', songsOf),
  finds('key by name, short, and by number', 'key=A%20minor&key=Bm&key=9A', 'copy, day, night, elise'),
  refuses('an invalid key', '/v1/analyses?key=H', 'query.key'),
  finds('compatible with a number', 'compatible_with=8A', 'copy, night, elise'),
  finds('compatible with a song', 'compatible_with={day}', 'copy, day, night'),
  cli('compatible', 'library --compatible-with 10A', 'copy, day, night', songsIn),
  finds('energy', 'energy_min=0.5&energy_max=0.8', 'day'),
  finds('danceability', 'danceability_max=0.2', 'elise'),
  finds('valence', 'valence_min=0.8', 'day'),
  finds('loudness', 'loudness_max=-20', 'elise'),
  finds('duration', 'duration_min=200', 'day'),
  cli('ranges', 'library --danceability-min 0.85 --loudness-min -8', 'copy, night', songsIn),
  finds('genre, any of several', 'genre=house&genre=classical&sort=title', 'day, elise, night, copy'),
  finds('mood', 'mood=happy', 'day'),
  finds('instruments, all of several', 'instrument=piano&instrument=drums', 'day'),
  finds('voice', 'voice=no', 'elise'),
  finds('status', 'status=failed', 'none'),
  finds('created before', 'created_before=2020-01-01', 'none'),
  finds('duplicate recordings only', 'duplicates=only&sort=created_at', 'night, copy'),
  finds('each recording once', 'duplicates=hide&sort=created_at', 'elise, night, day'),
  ...SONG_SORTS.map((sort) =>
    finds(
      'order',
      `sort=${sort}&duplicates=hide`,
      {
        created_at: 'elise, night, day',
        title: 'day, elise, night',
        artist: 'elise, night, day',
        bpm: 'elise, day, night',
        key: 'elise, night, day',
        energy: 'elise, day, night',
        danceability: 'elise, day, night',
        loudness_lufs: 'elise, day, night',
        duration_seconds: 'night, elise, day',
      }[sort],
    ),
  ),
  finds('order, descending', 'sort=-bpm&duplicates=hide', 'night, day, elise'),
  curl(
    'a page, and how many there are',
    '/v1/analyses?limit=1&sort=title',
    'day; 4 in all, exact; next page',
    ({ headers, ...answer }, walker) => {
      earlier.cursor = /after=([^&>]+)/.exec(headers.link ?? '')?.[1] ?? null;
      return `${songs({ headers, ...answer }, walker)}; ${headers['x-total-count']} in all, ${headers['x-total-count-relation']}${earlier.cursor === null ? '' : '; next page'}`;
    },
  ),
  {
    row: 'the next page',
    by: 'curl',
    asked: 'curl /v1/analyses?limit=1&sort=title&after=CURSOR',
    came: 'elise',
    walk: async (walker) =>
      songs(await walker.curl(`/v1/analyses?limit=1&sort=title&after=${earlier.cursor}`), walker),
  },
  refuses('an invalid cursor', '/v1/analyses?after=job_1', 'query.after'),
  refuses('more than 200', '/v1/analyses?limit=201', 'query.limit'),
  curl(
    'the headline',
    '/v1/analyses/{day}',
    'title, artist, genre, energy, danceability, mood, voice, tags, waveform, artwork',
    ({ body }) =>
      ['title', 'artist', 'genre', 'energy', 'danceability', 'mood', 'voice', 'tags', 'waveform', 'artwork']
        .filter((name) => body.headline[name] !== undefined)
        .join(', '),
  ),
  curl(
    'describing',
    `-X PATCH -d '{"title":"Day Off, Live","tags":["warm-up"],"note":"bright","rating":4}' /v1/analyses/{day}`,
    'Day Off, Live; warm-up; bright; 4',
    ({ body: { headline } }) => [headline.title, headline.tags, headline.note, headline.rating].join('; '),
  ),
  finds('tags and notes are searchable', 'tag=warm-up&q=bright', 'day'),
  cli('describing', 'describe {elise} --tag warm-up --rating 5', 'elise', songsIn),
  talk('describing', 'annotate_song', { id: '{elise}', note: 'slow' }, 'elise', (song, { named }) =>
    named(song.id).slice(1, -1),
  ),
  refuses(
    '51 tags',
    `-X PATCH -d '{"tags":${JSON.stringify(Array.from({ length: 51 }, (_, n) => `t${n}`))}}' /v1/analyses/{day}`,
    'body.tags',
  ),
  curl(
    'bulk: tag what a filter finds',
    `-d '{"query":{"genre":["house"]},"action":"tag","tags":["club"]}' /v1/analyses/bulk`,
    '3 of 3',
    ({ body }) => `${body.changed} of ${body.matched}`,
  ),
  cli('bulk: untag', 'bulk untag {copy} --tags club', '1 of 1 songs', (out) => out.trim()),
  talk(
    'bulk: tag',
    'tag_songs',
    { ids: ['{elise}'], action: 'tag', tags: ['calm'] },
    '1 of 1',
    (done) => `${done.changed} of ${done.matched}`,
  ),
  curl(
    'bulk: export',
    `-d '{"ids":["{night}","{day}"],"action":"export","format":"rekordbox"}' /v1/analyses/bulk`,
    '200, application/xml, 2 songs',
    ({ status, headers }) =>
      `${status}, ${headers['content-type']?.split(';')[0]}, ${headers['x-changed-count']} songs`,
  ),
  cli('bulk: export', 'library --tag club --export csv', 'Day Off, Live; Night Drive', (out) =>
    ['Day Off, Live', 'Night Drive'].filter((title) => out.includes(title)).join('; '),
  ),
  curl(
    'bulk: one of another workspace',
    `-d '{"ids":["{day}","job_00000000000000000000000000"],"action":"delete"}' /v1/analyses/bulk`,
    '404',
    ({ status }) => String(status),
  ),
  curl(
    'correcting: half the tempo',
    `-X PUT -d '{"tempo":"half"}' /v1/analyses/{night}/corrections`,
    '200, tempo',
    ({ status, body }) => `${status}, ${body.kinds}`,
  ),
  finds('a correction counts in the list', 'bpm_max=71&sort=bpm', 'elise, night'),
  curl(
    '… in the result, with the value heard',
    '/v1/analyses/{night}/result',
    '70 BPM, heard 140',
    ({ body: { result } }) => `${result.bpm} BPM, heard ${result.corrections.heard.bpm}`,
  ),
  curl(
    '… as heard',
    '/v1/analyses/{night}/result?as_heard=true',
    '140 BPM',
    ({ body }) => `${body.result.bpm} BPM`,
  ),
  curl(
    '… in exports',
    '/v1/analyses/{night}/exports/rekordbox-xml',
    '70.00',
    ({ text }) => /AverageBpm="([\d.]+)"/.exec(text)?.[1] ?? 'none',
  ),
  curl('… undone', '-X DELETE /v1/analyses/{night}/corrections', '200', ({ status }) => String(status)),
  cli('correcting', 'correct {night} --key 10A', '10A Bm', (out) => /10A Bm/.exec(out)?.[0] ?? out),
  talk('correcting', 'correct_song', { id: '{night}', tempo: 'double' }, 'tempo, key', (answer) =>
    answer.kinds.join(', '),
  ),
  cli('correcting, undone', 'correct {night} --undo', '{night} is as it was heard.', (out) => out.trim()),
  refuses(
    'a correction that contradicts itself',
    `-X PUT -d '{"sections":[{"start_seconds":9,"end_seconds":3,"label":"verse"}]}' /v1/analyses/{night}/corrections`,
    'body.sections',
  ),
  curl(
    'a collection',
    `-d '{"name":"Friday","items":["{day}","{elise}","{night}"]}' /v1/collections`,
    '201, 3 songs',
    ({ status, body }, { ids }) => {
      ids.friday = body.id;
      return `${status}, ${body.item_count} songs`;
    },
  ),
  cli('collections', 'crate list', '3 songs  Friday', (out) => /3 songs {2}Friday/.exec(out)?.[0] ?? out),
  curl(
    'the proposed order',
    '/v1/collections/{friday}/order?by=harmonic',
    'elise, night, day',
    ({ body }, { named }) => body.steps.map((step: Json) => named(step.job_id).slice(1, -1)).join(', '),
  ),
  talk(
    'the reason of every step',
    'get_collection',
    { collection_id: '{friday}', order_by: 'harmonic' },
    '8A to 9A, a fifth higher; 70.0 to 140.0 BPM against its double, as it is; energy up by 0.70',
    ({ steps }) => steps[1].reason,
  ),
  curl(
    'two people at once',
    `-X PUT -H if-match:"0" -d '{"items":[]}' /v1/collections/{friday}/items`,
    '412',
    ({ status }) => String(status),
  ),
  cli('the order is kept', 'crate order {friday} --by bpm --apply', 'elise, day, night', songsIn),
  ...(['rekordbox', 'traktor', 'virtualdj', 'serato', 'm3u8', 'csv', 'jams', 'chordpro'] as const).map(
    (format) =>
      curl(
        `export: ${format}`,
        `/v1/collections/{friday}/export?format=${format}`,
        '200',
        // Serato writes UTF-16, which without its zero bytes reads the same.
        ({ status, text }) => (text.replaceAll('\0', '').includes('Day Off') ? String(status) : 'no song'),
      ),
  ),
  curl(
    'similar: itself, then the same recording',
    '/v1/analyses/{night}/similar?limit=2',
    'night: the song itself; copy: the same recording',
    ({ body }, { named }) =>
      body.map((one: Json) => `${named(one.job.id).slice(1, -1)}: ${one.reason}`).join('; '),
  ),
  cli('similar', 'similar {night} --by rhythm --limit 2', 'night, copy', songsIn),
  talk('similar', 'similar_songs', { id: '{night}', limit: 1 }, 'night', songsOf),
  curl(
    'what mixes next',
    '/v1/analyses/{elise}/next?limit=3',
    'night fifth_up 0 %; copy fifth_up 0 %; day two_fifths_up 2.19 %',
    ({ body }, { named }) =>
      body
        .map(
          (one: Json) => `${named(one.job.id).slice(1, -1)} ${one.key_relation} ${one.tempo_shift_percent} %`,
        )
        .join('; '),
  ),
  talk('what mixes next', 'next_songs', { id: '{night}', limit: 1 }, 'elise', songsOf),
  curl('which song it duplicates', '/v1/analyses/{copy}', '{night}', ({ body }, { named }) =>
    named(body.headline.same_recording_as),
  ),
  curl('storage used, and the quota', '/v1/usage', 'used_bytes, limit_bytes', ({ body }) =>
    Object.keys(body.storage).join(', '),
  ),
  curl('how long audio is kept', '/v1/account/workspaces', 'as_asked', ({ body }) =>
    String(body.workspaces[0].retain_source),
  ),
  curl('export of everything', '/v1/account/export', 'songs, results, collections', ({ text }) =>
    ['song', 'result', 'collection']
      .filter((type) => text.includes(`"type":"${type}"`))
      .map((type) => `${type}s`)
      .join(', '),
  ),
  curl('deleting a song', '-X DELETE /v1/analyses/{night}', '200', ({ status }) => String(status)),
  curl(
    '… it is removed from collections',
    '/v1/collections/{friday}',
    '2 songs',
    ({ body }) => `${body.item_count} songs`,
  ),
  curl('… and the copy is the recording', '/v1/analyses/{copy}', 'null', ({ body }) =>
    String(body.headline.same_recording_as),
  ),
];
