import { describe, expect, it } from 'vitest';
import { SONG } from '../test-song.ts';
import { COLLECTION_EXPORTS, keepForFormat } from './formats.ts';

const second = {
  ...SONG,
  analysisId: 'job_2',
  fileName: 'b ü.mp3',
  names: { title: 'B & ü', artist: 'Zoë', album: null },
};
const list = { name: 'Friday "late"', songs: [SONG, second], folder: '/Users/ada/My Music' };
const write = (format: keyof typeof COLLECTION_EXPORTS) =>
  Buffer.from(COLLECTION_EXPORTS[format].write(list));
const text = (format: keyof typeof COLLECTION_EXPORTS) => write(format).toString('utf8');

/** What programs expect of each format: its type, its ending and its first bytes. */
it.each<[keyof typeof COLLECTION_EXPORTS, contentType: string, ending: string, start: string]>([
  [
    'rekordbox',
    'application/xml; charset=utf-8',
    '.rekordbox.xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<DJ_PLAYLISTS',
  ],
  [
    'traktor',
    'application/xml; charset=utf-8',
    '.nml',
    '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n<NML ',
  ],
  [
    'virtualdj',
    'application/xml; charset=utf-8',
    '.vdjfolder',
    '<?xml version="1.0" encoding="UTF-8"?>\n<VirtualFolder ',
  ],
  ['serato', 'application/octet-stream', '.crate', 'vrsn'],
  ['m3u8', 'audio/x-mpegurl; charset=utf-8', '.m3u8', '#EXTM3U\n'],
  ['csv', 'text/csv; charset=utf-8', '.csv', 'position,job_id,'],
  ['jams', 'application/zip', '.jams.zip', 'PK\x03\x04'],
  ['chordpro', 'application/zip', '.chordpro.zip', 'PK\x03\x04'],
])('%s is %s in a file ending in %s', (format, contentType, fileNameEnding, start) => {
  expect(COLLECTION_EXPORTS[format]).toMatchObject({ contentType, fileNameEnding });
  expect(write(format).toString('latin1').startsWith(start)).toBe(true);
});

describe('a collection as', () => {
  it('rekordbox: tracks with locations, grids, memory and hot cues, and the playlist in order', () => {
    const xml = text('rekordbox');
    expect(xml).toContain('<COLLECTION Entries="2">');
    expect(xml).toContain('Location="file://localhost/Users/ada/My%20Music/b%20%C3%BC.mp3"');
    expect(xml).toContain('Name="B &amp; ü"');
    expect(xml.match(/<TEMPO /g)).toHaveLength(4);
    expect(xml).toContain('Name="verse (A)" Type="0" Start="0.750" Num="0"');
    expect(xml).toContain('Name="verse (A)" Type="0" Start="0.750" Num="-1"');
    expect(xml).toContain('<NODE Name="Friday &quot;late&quot;" Type="1" KeyType="0" Entries="2">');
    expect([...xml.matchAll(/<TRACK Key="(\d)"/g)].map(([, key]) => key)).toEqual(['1', '2']);
  });

  it('a list, which shows the heard genre if the file has none', () => {
    const heard = { ...SONG, document: { ...SONG.document, genre_suggestions: ['jazz', 'blues'] } };
    for (const format of ['rekordbox', 'traktor', 'csv'] as const) {
      const bytes = Buffer.from(COLLECTION_EXPORTS[format].write({ ...list, songs: [heard] }));
      expect(bytes.toString('utf8')).toMatch(/enre="jazz"|ENRE="jazz"|,jazz,jazz,/);
    }
  });

  it('rekordbox and traktor: the first eight sections as hot cues', () => {
    const [section] = SONG.document.structure!.sections;
    const structure = { ...SONG.document.structure!, sections: new Array(9).fill(section) };
    const songs = [{ ...SONG, document: { ...SONG.document, structure } }];
    const numbersIn = (text: string, attribute: string) =>
      [...text.matchAll(new RegExp(`${attribute}="(\\d)"`, 'g'))].map(([, number]) => Number(number));
    const hotCues = [0, 1, 2, 3, 4, 5, 6, 7];
    const xml = COLLECTION_EXPORTS.rekordbox.write({ ...list, songs });
    expect(numbersIn(xml, ' Num')).toEqual(hotCues);
    expect(xml.match(/ Num="-1"/g)).toHaveLength(9);
    expect(numbersIn(COLLECTION_EXPORTS.traktor.write({ ...list, songs }), ' HOTCUE')).toEqual(hotCues);
  });

  it('m3u8', () => {
    expect(text('m3u8').split('\n').slice(3, 6)).toEqual([
      '/Users/ada/My Music/tom & jerry.wav',
      '#EXTINF:17,Zoë - B & ü',
      '/Users/ada/My Music/b ü.mp3',
    ]);
  });

  it('m3u8 with a file name that begins with #, which would be a comment', () => {
    const songs = [{ ...SONG, fileName: '#1 hit.mp3' }];
    const lines = COLLECTION_EXPORTS.m3u8.write({ ...list, folder: null, songs }).split('\n');
    expect(lines).toContain('./#1 hit.mp3');
  });

  it('rekordbox: a song without a tempo has no AverageBpm', () => {
    const songs = [{ ...SONG, document: { ...SONG.document, bpm: null, rhythm: null } }];
    expect(COLLECTION_EXPORTS.rekordbox.write({ ...list, songs })).not.toContain('AverageBpm');
  });

  it.each(['C:\\Music', 'C:/Music/'])(
    'a list with Windows paths, which begin with the drive: %s',
    (folder) => {
      const there = (format: 'm3u8' | 'virtualdj' | 'rekordbox' | 'traktor') =>
        Buffer.from(COLLECTION_EXPORTS[format].write({ ...list, folder })).toString('utf8');
      expect(there('m3u8').split('\n')).toContain('C:/Music/b ü.mp3');
      expect(there('virtualdj')).toContain('path="C:/Music/b ü.mp3"');
      expect(there('rekordbox')).toContain('file://localhost/C:/Music/b%20%C3%BC.mp3');
      expect(there('traktor')).toContain('<LOCATION DIR="/:Music/:" FILE="b ü.mp3" VOLUME="C:">');
      expect(there('traktor')).toContain('<PRIMARYKEY TYPE="TRACK" KEY="C:/:Music/:b ü.mp3">');
    },
  );

  it('csv, one row per song', () => {
    const rows = text('csv').trimEnd().split('\r\n');
    expect(rows.slice(1).map((row) => row.split(',').slice(0, 2))).toEqual([
      ['1', SONG.analysisId],
      ['2', 'job_2'],
    ]);
    expect(rows[2]).toContain('2,job_2,B & ü,Zoë,,b ü.mp3,17,120,Am,8A,1m,4,0.6');
  });

  it('csv with columns in a fixed order', () => {
    const numbers = {
      ...{ duration_seconds: 1, bpm: 2, time_signature: 3, energy: 0.04, danceability: 0.05, valence: 0.06 },
      ...{ loudness_lufs: -7, true_peak_dbtp: -8, bpm_confidence: 0.09, key_confidence: 0.1 },
      ...{ acousticness: 0.12, instrumentalness: 0.13, speechiness: 0.14 },
    };
    const document = {
      ...SONG.document,
      ...numbers,
      genre_suggestions: ['jazz'],
      mood_tags: ['calm', 'dark'],
      loudness: { ...SONG.document.loudness!, range_lu: 11 },
      content: { ...SONG.document.content!, voice_presence: 0.15 },
    };
    const song = { ...second, document };
    const [header, row] = COLLECTION_EXPORTS.csv
      .write({ ...list, songs: [song] })
      .trimEnd()
      .split('\r\n');
    expect(header).toBe(
      'position,job_id,title,artist,album,file_name,duration_seconds,bpm,key,camelot,open_key,time_signature,energy,danceability,valence,' +
        'loudness_lufs,true_peak_dbtp,genre,genre_heard,moods,bpm_confidence,key_confidence,loudness_range_lu,acousticness,' +
        'instrumentalness,speechiness,voice_presence',
    );
    expect(row).toBe(
      '1,job_2,B & ü,Zoë,,b ü.mp3,1,2,Am,8A,1m,3,0.04,0.05,0.06,-7,-8,jazz,jazz,"calm, dark",0.09,0.1,11,0.12,0.13,0.14,0.15',
    );
  });

  it('traktor: keys, grid and cues in milliseconds, paths between /:', () => {
    const nml = text('traktor');
    expect(nml).toContain('<LOCATION DIR="/:Users/:ada/:My Music/:" FILE="b ü.mp3" VOLUME="">');
    expect(nml).toContain('<MUSICAL_KEY VALUE="21">');
    expect(nml).toContain(
      'NAME="AutoGrid" DISPL_ORDER="0" TYPE="4" START="750.000000" LEN="0.000000" REPEATS="-1" HOTCUE="-1"',
    );
    expect(nml).toContain(
      'NAME="verse (A)" DISPL_ORDER="0" TYPE="0" START="750.000000" LEN="0.000000" REPEATS="-1" HOTCUE="0"',
    );
    expect(nml).toContain(
      'NAME="pre-chorus (B)" DISPL_ORDER="0" TYPE="0" START="8750.000000" LEN="0.000000" REPEATS="-1" HOTCUE="1"',
    );
    expect(nml).toContain('KEY="/:Users/:ada/:My Music/:b ü.mp3"');
  });

  it('traktor: the volume of a drive on macOS is its name', () => {
    const nml = COLLECTION_EXPORTS.traktor.write({ ...list, folder: '/Volumes/USB/Music' });
    expect(nml).toContain('<LOCATION DIR="/:Music/:" FILE="b ü.mp3" VOLUME="USB">');
    expect(nml).toContain('<PRIMARYKEY TYPE="TRACK" KEY="USB/:Music/:b ü.mp3">');
  });

  it('traktor: a song in G major, as in a collection written by Traktor', () => {
    const document = { ...SONG.document, key_notation: 'G', open_key: '2d' };
    const nml = COLLECTION_EXPORTS.traktor.write({ ...list, songs: [{ ...SONG, document }] });
    expect(nml).toContain(' KEY="2d"></INFO>');
    expect(nml).toContain('<MUSICAL_KEY VALUE="7">');
  });

  it('traktor and virtualdj: nothing about the tempo and key of a song without them', () => {
    const document = { ...SONG.document, bpm: null, key_notation: null, open_key: null };
    const songs = [{ ...SONG, document }];
    const nml = COLLECTION_EXPORTS.traktor.write({ ...list, songs });
    expect(nml).toContain('PLAYTIME_FLOAT="17.000000"></INFO>\n<CUE_V2 ');
    const folder = COLLECTION_EXPORTS.virtualdj.write({ ...list, songs });
    expect(folder).toContain('songlength="17.000" artist="Zoë"');
  });

  it('virtualdj keeps the order of the songs', () => {
    expect(text('virtualdj')).toContain('<VirtualFolder noDuplicates="yes" ordered="yes"');
    expect(text('virtualdj').match(/idx="\d+"/g)).toEqual(list.songs.map((_, index) => `idx="${index}"`));
  });

  it('virtualdj and serato name the files', () => {
    expect(text('virtualdj')).toContain('path="/Users/ada/My Music/b ü.mp3"');
    const crate = write('serato');
    expect(crate.includes(Buffer.from('Users/ada/My Music/b ü.mp3', 'utf16le').swap16())).toBe(true);
  });

  it.each(['C:\\Music', '/Volumes/USB/Music', '/Music'])(
    'serato names the files from the root of their drive: %s',
    (folder) => {
      const crate = Buffer.from(COLLECTION_EXPORTS.serato.write({ ...list, folder }));
      const track = crate.subarray(crate.lastIndexOf('ptrk') + 8);
      expect(Buffer.from(track).swap16().toString('utf16le')).toBe('Music/b ü.mp3');
    },
  );

  it('chordpro and jams: an archive with one file per song', () => {
    const zip = write('chordpro');
    const names = [...zip.toString('utf8').matchAll(/00[12] [^P]*?\.cho/g)].map(([name]) => name);
    expect(names[1]).toBe('002 Zoë - B & ü.cho');
    expect(zip.toString('utf8')).toContain(
      '{start_of_grid: verse}\n| Am7 . . . | Am7 . . . | Am7 . . . | Am7 . . . |',
    );
    expect(write('jams').includes('"jams_version":"0.3.5"')).toBe(true);
  });

  it('an archive has no file for a song without chords, and the others keep their numbers', () => {
    const silent = { ...SONG, document: { ...SONG.document, tonal: null } };
    const zip = Buffer.from(COLLECTION_EXPORTS.chordpro.write({ ...list, songs: [silent, second] }));
    const names = new Set(zip.toString('utf8').match(/00\d [^P]*?\.cho/g));
    expect([...names]).toEqual(['002 Zoë - B & ü.cho']);
  });

  it('an archive is not written without a song whose result is defective', () => {
    const songs = [{ ...SONG, document: null as never }];
    expect(() => COLLECTION_EXPORTS.chordpro.write({ ...list, songs })).toThrow(TypeError);
  });

  // 200 bytes are kept, of which the artist and the dash take seven.
  it.each([
    ['聽'.repeat(300), '聽'.repeat(64)],
    [`${'a'.repeat(191)}🎧🎧`, 'a'.repeat(191)],
  ])('an archive with file names of at most 255 bytes, which end with a whole character', (title, kept) => {
    const song = { ...SONG, names: { title, artist: 'Zoë', album: null } };
    const zip = Buffer.from(COLLECTION_EXPORTS.jams.write({ ...list, songs: [song] })).toString('utf8');
    expect(/001 [^P]*?\.jams/.exec(zip)![0]).toBe(`001 Zoë - ${kept}.jams`);
  });
});

describe('keepForFormat', () => {
  const curve = { hop_seconds: 0.1, start_seconds: 0, values: [1, 2, 3] };
  const loudness = {
    integrated_lufs: -14,
    range_lu: 6.5,
    momentary_max_lufs: -9,
    short_term_max_lufs: -11,
    true_peak_dbtp: -1,
    sample_peak_dbfs: -1.2,
    plr_lu: 13,
    replay_gain: { track_gain_db: -4, track_peak: 0.9 },
    momentary: curve,
    short_term: curve,
    platforms: [],
  };
  const content = {
    regions: [],
    voice_presence: 0.4,
    voice_presence_confidence: 0.9,
    voice_spans: [{ start_seconds: 1, end_seconds: 2, kind: 'sung' as const, confidence: 0.8 }],
    voice_curve: curve,
  };
  // Of the groups that no format uses, what one would most likely write.
  const unused = {
    quality: {
      events: [{ kind: 'click', start_seconds: 1, end_seconds: 1.5, severity: 0.4 }],
      bandwidth_hz: 16_000,
    },
    timbre: { centroid_hz: 1_500, mfcc_mean: [1, 2] },
    fingerprint: { chromaprint: 'AQAA', embedding: [0.6, 0.8] },
  } as unknown as Pick<typeof SONG.document, 'quality' | 'timbre' | 'fingerprint'>;
  const whole = { ...SONG, document: { ...SONG.document, loudness, content, ...unused } };
  const formats = Object.keys(COLLECTION_EXPORTS) as (keyof typeof COLLECTION_EXPORTS)[];

  it.each(formats)('does not change what is written as %s', (format) => {
    const bytesOf = (song: typeof SONG) =>
      Buffer.from(COLLECTION_EXPORTS[format].write({ ...list, songs: [song] })).toString('latin1');
    expect(bytesOf(keepForFormat(whole, format))).toBe(bytesOf(whole));
  });

  it('drops the waveform, the curves and the unused groups, and the onsets except for JAMS', () => {
    expect(keepForFormat(whole, 'jams').document.rhythm?.onsets).toEqual(whole.document.rhythm?.onsets);
    const { document, supplement } = keepForFormat(whole, 'rekordbox');
    expect([document.waveform, supplement, document.content?.voice_curve]).toEqual([null, null, null]);
    expect([document.loudness?.momentary.values, document.loudness?.short_term.values]).toEqual([[], []]);
    expect([document.quality, document.timbre, document.fingerprint]).toEqual([null, null, null]);
    expect(document.rhythm?.onsets).toEqual([]);
  });
});
