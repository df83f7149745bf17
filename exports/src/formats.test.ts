import { describe, expect, it } from 'vitest';
import { type ExportSource, ExportUnavailable } from './export-source.ts';
import { EXPORTS, type ExportFormat } from './formats.ts';
import { SONG, songWithout } from './test-song.ts';

const write = (format: ExportFormat) => EXPORTS[format].write(SONG);
const writeText = (format: ExportFormat) => Buffer.from(write(format)).toString('utf8');
const writeJson = (format: ExportFormat) => JSON.parse(writeText(format));

/** What programs expect of each format: its type, its ending and its first bytes. */
it.each<[ExportFormat, contentType: string, ending: string, start: string]>([
  ['jams', 'application/json; charset=utf-8', '.jams', '{"file_metadata":'],
  ['audacity', 'text/plain; charset=utf-8', '.labels.txt', '0.000000\t8.750000\tA minor'],
  ['lab-beats', 'text/plain; charset=utf-8', '.beats.lab', '0.250000\t4\n'],
  ['lab-chords', 'text/plain; charset=utf-8', '.chords.lab', '0.000000\t0.750000\tN\n'],
  ['lab-sections', 'text/plain; charset=utf-8', '.sections.lab', '0.750000\t8.750000\tverse\n'],
  ['midi', 'audio/midi', '.mid', 'MThd'],
  [
    'rekordbox-xml',
    'application/xml; charset=utf-8',
    '.rekordbox.xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<DJ_PLAYLISTS',
  ],
  ['chordpro', 'text/plain; charset=utf-8', '.cho', '{title: '],
  [
    'musicxml',
    'application/vnd.recordare.musicxml+xml; charset=utf-8',
    '.musicxml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE score-partwise',
  ],
  ['csv', 'text/csv; charset=utf-8', '.csv', 'kind,start_seconds,'],
  ['audiowaveform-json', 'application/json; charset=utf-8', '.waveform.json', '{"version":2,'],
  ['audiowaveform-dat', 'application/octet-stream', '.waveform.dat', '\x02\0\0\0\x01\0\0\0'],
  ['spotify-audio-analysis', 'application/json; charset=utf-8', '.audio-analysis.json', '{"meta":'],
  [
    'spotify-audio-features',
    'application/json; charset=utf-8',
    '.audio-features.json',
    '{"type":"audio_features"',
  ],
])('%s is %s in a file ending in %s', (format, contentType, fileNameEnding, start) => {
  expect(EXPORTS[format]).toMatchObject({ contentType, fileNameEnding });
  expect(Buffer.from(write(format)).toString('latin1').startsWith(start)).toBe(true);
});

describe('lab files', () => {
  it('have one beat per line with its place in the bar', () => {
    expect(writeText('lab-beats').split('\n').slice(0, 3)).toEqual([
      '0.250000\t4',
      '0.750000\t1',
      '1.250000\t2',
    ]);
  });

  it('have one chord per line in Harte syntax', () => {
    expect(writeText('lab-chords')).toBe(
      '0.000000\t0.750000\tN\n0.750000\t8.750000\tA:min\n8.750000\t17.000000\tC:maj\n',
    );
  });

  it('have one section per line', () => {
    expect(writeText('lab-sections')).toBe('0.750000\t8.750000\tverse\n8.750000\t17.000000\tpre-chorus\n');
  });
});

describe('audacity', () => {
  it('lists everything by time, and longer spans first', () => {
    expect(writeText('audacity').split('\n').slice(0, 6)).toEqual([
      '0.000000\t8.750000\tA minor',
      '0.000000\t0.750000\tN',
      '0.250000\t0.250000\t1.4',
      '0.750000\t8.750000\tverse (A)',
      '0.750000\t8.750000\tA:min',
      '0.750000\t0.750000\t2.1',
    ]);
  });

  it('lists the events of the quality group', () => {
    const click = { kind: 'click', start_seconds: 0.5, end_seconds: 0.5, channel: 0, severity: 0.4 } as const;
    const gap = { kind: 'dropout', start_seconds: 3, end_seconds: 3.25, channel: null, severity: 1 } as const;
    const quality = { events: [click, gap] } as unknown as ExportSource['document']['quality'];
    const labels = String(EXPORTS.audacity.write({ ...SONG, document: { ...SONG.document, quality } })).split(
      '\n',
    );
    expect(labels.slice(2, 4)).toEqual(['0.250000\t0.250000\t1.4', '0.500000\t0.500000\tclick']);
    expect(labels).toContain('3.000000\t3.250000\tdropout');
  });

  it('replaces tabs and line breaks in the group of a corrected section', () => {
    const [section] = SONG.document.structure!.sections;
    const sections = [{ ...section!, group: 'A\n\t' }];
    const labels = EXPORTS.audacity.write({
      ...SONG,
      document: { ...SONG.document, structure: { ...SONG.document.structure!, sections } },
    });
    expect(String(labels).split('\n')).toContain('0.750000\t8.750000\tverse (A  )');
  });
});

describe('csv', () => {
  it('has six columns in every row', () => {
    const rows = writeText('csv').trimEnd().split('\r\n');
    expect(rows[0]).toBe('kind,start_seconds,end_seconds,label,value,confidence');
    expect(rows.every((row) => row.split(',').length === 6)).toBe(true);
    expect(
      rows.filter((row) => row.startsWith('summary')).map((row) => row.slice('summary,,,'.length)),
    ).toEqual([
      'duration_seconds,17,',
      'bpm,120,0.8',
      'time_signature,4,',
      'key,Am,0.7',
      'camelot,8A,',
      'loudness_lufs,-14.2,',
      'true_peak_dbtp,-1,',
      'energy,0.6,',
      'danceability,0.5,',
      'valence,,',
      'acousticness,,',
      'instrumentalness,,',
      'speechiness,0.1,',
    ]);
    const first = (kind: string) => rows.find((row) => row.startsWith(`${kind},`));
    expect(['section', 'key', 'chord', 'beat', 'tempo', 'onset'].map(first)).toEqual([
      'section,0.75,8.75,verse,A,0.8',
      'key,0,8.75,A minor,,0.7',
      'chord,0,0.75,N,,0.5',
      'beat,0.25,,1.4,4,0.9',
      'tempo,0.25,,,120,',
      'onset,0.25,,,0.5,',
    ]);
    expect(rows).toContain('chord,0.75,8.75,A:min,i,0.9');
  });

  it('has a row for each quality event', () => {
    const quality = { events: [{ kind: 'click', start_seconds: 1, end_seconds: 1.5, severity: 0.4 }] };
    const document = { ...SONG.document, quality } as typeof SONG.document;
    expect(EXPORTS.csv.write({ ...SONG, document })).toMatch(/quality,1,1\.5,click,0\.4,\r\n$/);
  });

  it.each(['=', '+', '-', '@', '\t'])(
    'keeps a spreadsheet from running a text that begins with "%s"',
    (sign) => {
      const [section] = SONG.document.structure!.sections;
      const sections = [{ ...section!, group: `${sign}cmd|"calc",A1` }];
      const csv = EXPORTS.csv.write({
        ...SONG,
        document: { ...SONG.document, structure: { ...SONG.document.structure!, sections } },
      });
      expect(csv).toContain(`section,0.75,8.75,verse,"'${sign}cmd|""calc"",A1",0.8\r\n`);
    },
  );
});

describe('rekordbox-xml', () => {
  it('writes one tempo per steady run, from its first beat on', () => {
    const tempos = [...writeText('rekordbox-xml').matchAll(/<TEMPO (.*)\/>/g)].map((match) => match[1]);
    expect(tempos).toEqual([
      'Inizio="0.250" Bpm="120.00" Metro="4/4" Battito="4"',
      'Inizio="8.750" Bpm="60.00" Metro="4/4" Battito="1"',
    ]);
  });

  it('escapes texts from tags', () => {
    expect(writeText('rekordbox-xml')).toContain(
      'Name="Tom &amp; &quot;Jerry&quot; &lt;live&gt;" Artist="Zoë"',
    );
    expect(writeText('rekordbox-xml')).toContain('Location="file://localhost/tom%20%26%20jerry.wav"');
  });
});

describe('audiowaveform', () => {
  it('gives the finest level, as JSON and as bytes', () => {
    expect(writeJson('audiowaveform-json')).toEqual({
      version: 2,
      channels: 1,
      sample_rate: 44100,
      samples_per_pixel: 256,
      bits: 8,
      length: 2,
      data: [-128, 127, -1, 0],
    });
    expect(Buffer.from(write('audiowaveform-dat')).toString('hex')).toBe(
      '02000000' + '01000000' + '44ac0000' + '00010000' + '02000000' + '01000000' + '807fff00',
    );
  });
});

describe('spotify', () => {
  it('writes audio features on the scales of the original', () => {
    expect(writeJson('spotify-audio-features')).toMatchObject({
      type: 'audio_features',
      duration_ms: 17_000,
      key: 9,
      mode: 0,
      loudness: -14.2,
      tempo: 120,
      time_signature: 4,
      valence: null,
      liveness: null,
    });
  });

  it('writes bars, beats and tatums without gaps', () => {
    const analysis = writeJson('spotify-audio-analysis');
    expect(analysis.bars).toHaveLength(6);
    expect(analysis.beats).toHaveLength(25);
    expect(analysis.tatums.slice(0, 2)).toEqual([
      { start: 0.25, duration: 0.25, confidence: 0.9 },
      { start: 0.5, duration: 0.25, confidence: 0.9 },
    ]);
    for (const level of [analysis.bars, analysis.beats, analysis.tatums, analysis.segments]) {
      const last = level.at(-1);
      // Exact, because every time is a multiple of an eighth of a second.
      expect(last.start + last.duration).toBe(17);
      for (const [index, interval] of level.slice(1).entries()) {
        expect(level[index].start + level[index].duration).toBe(interval.start);
      }
    }
  });

  it('writes the analysis, the track and each section', () => {
    const { meta, track, sections } = writeJson('spotify-audio-analysis');
    expect(meta).toEqual({
      analyzer_version: 'earshot 1.2.3',
      platform: 'Earshot',
      detailed_status: 'OK',
      status_code: 0,
      timestamp: 1_772_366_400,
      analysis_time: 1.5,
      input_process: 'wav',
    });
    const meter = { time_signature: 4, time_signature_confidence: 0.95 };
    const tempo = { tempo: 120, tempo_confidence: 0.8 };
    const confidences = { key_confidence: 0.7, mode_confidence: 0.7 };
    expect(track).toEqual({
      ...{ num_samples: 17 * 44_100, duration: 17, offset_seconds: 0, window_seconds: 0 },
      ...{ analysis_sample_rate: 44_100, analysis_channels: 2, end_of_fade_in: 0, start_of_fade_out: 16 },
      ...{ loudness: -14.2, key: 9, mode: 0, ...tempo, ...meter, ...confidences },
    });
    const shared = { confidence: 0.8, loudness: -14, ...tempo, ...meter, ...confidences };
    expect(sections).toEqual([
      { start: 0.75, duration: 8, key: 9, mode: 0, ...shared },
      { start: 8.75, duration: 8.25, key: 0, mode: 1, ...shared },
    ]);
  });

  it('writes an unknown key as -1, without a mode', () => {
    const [section] = SONG.document.structure!.sections;
    const structure = { ...SONG.document.structure!, sections: [{ ...section!, key: null }] };
    const source = { ...SONG, document: { ...SONG.document, key: null, scale: null, structure } };
    const { track, sections } = JSON.parse(EXPORTS['spotify-audio-analysis'].write(source));
    const features = JSON.parse(EXPORTS['spotify-audio-features'].write(source));
    for (const written of [features, track, sections[0]]) {
      expect(written).toMatchObject({ key: -1, mode: null });
    }
  });
});

describe('spotify segments', () => {
  type Segment = { start: number; confidence: number; pitches: number[]; timbre: number[] };
  const segmentsOf = (source: ExportSource): Segment[] =>
    JSON.parse(EXPORTS['spotify-audio-analysis'].write(source)).segments;

  it('begin at 0, then at every onset', () => {
    const segments = segmentsOf(SONG);
    expect(segments.map(({ start }) => start)).toEqual([0, 0.25, 0.75]);
    expect(segments.map(({ confidence }) => confidence)).toEqual([0, 0.5, 1]);
  });

  it('have twelve pitches in 0..1 and twelve numbers of timbre', () => {
    const [silent, first, second] = segmentsOf(SONG);
    const zeros = new Array(12).fill(0);
    expect(silent).toMatchObject({ pitches: zeros, timbre: zeros });
    expect(first!.pitches).toEqual([1, 0.2, 0, 0, 0.4, 0, 0, 0.4, 0, 0, 0, 0]);
    expect(first!.timbre).toEqual([40, -32.34, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, -0.02]);
    expect(second!.pitches.indexOf(1)).toBe(9);
    expect(second!.timbre.slice(0, 3)).toEqual([50, 32.34, -0.5]);
  });

  it('have neither if they were not stored or not requested', () => {
    const { visuals } = SONG.supplement!;
    for (const supplement of [null, { visuals, segmentSounds: null }]) {
      const segments = segmentsOf({ ...SONG, supplement });
      expect(segments).toHaveLength(3);
      for (const segment of segments) expect(segment).toMatchObject({ pitches: null, timbre: null });
    }
    expect(segmentsOf(songWithout('rhythm'))).toEqual([]);
  });

  it('have the loudness at their start and end, and the time of their loudest moment', () => {
    // A value each quarter of a second, of which the last holds to the end. Null is silence.
    const momentary = { start_seconds: 0, hop_seconds: 0.25, values: [-30, -20, -10, null, -15, -12] };
    const loudness = { momentary } as unknown as ExportSource['document']['loudness'];
    const segments = segmentsOf({ ...SONG, document: { ...SONG.document, loudness } });
    expect(segments).toMatchObject([
      { loudness_start: -30, loudness_max_time: 0.25, loudness_max: -20, loudness_end: -20 },
      { loudness_start: -20, loudness_max_time: 0.25, loudness_max: -10, loudness_end: null },
      { loudness_start: null, loudness_max_time: 0.5, loudness_max: -12, loudness_end: -12 },
    ]);
    // The value nearest to the end of the first segment, at 0.25 s, is that of 0.375 s.
    const later = { momentary: { start_seconds: 0.125, hop_seconds: 0.25, values: [-30, -10] } };
    const document = { ...SONG.document, loudness: later as unknown as typeof loudness };
    expect(segmentsOf({ ...SONG, document })[0]).toMatchObject({
      loudness_max_time: 0.25,
      loudness_max: -10,
    });
  });

  it('are one if there are no onsets', () => {
    const rhythm = { ...SONG.document.rhythm!, onsets: [] };
    expect(segmentsOf({ ...SONG, document: { ...SONG.document, rhythm } })).toMatchObject([
      { start: 0, duration: 17, confidence: 0 },
    ]);
  });
});

describe('a missing group', () => {
  it.each([
    ['lab-beats', 'rhythm'],
    ['midi', 'rhythm'],
    ['rekordbox-xml', 'rhythm'],
    ['lab-chords', 'tonal'],
    ['chordpro', 'tonal'],
    ['lab-sections', 'structure'],
    ['musicxml', 'rhythm'],
    ['musicxml', 'tonal'],
    ['audiowaveform-dat', 'waveform'],
    ['audiowaveform-json', 'waveform'],
  ] as const)('%s is not available without %s', (format, group) => {
    expect(() => EXPORTS[format].write(songWithout(group))).toThrow(
      new ExportUnavailable(
        `This format is made from the ${group} group, which this result does not have (not_requested).`,
      ),
    );
  });

  const KEY = 'A minor';
  it.each<[ExportFormat, Parameters<typeof songWithout>[0], gone: string, kept: string]>([
    ['jams', 'rhythm', '"beat_position"', '"key_mode"'],
    ['jams', 'tonal', '"key_mode"', '"beat_position"'],
    ['jams', 'structure', '"segment_open"', '"key_mode"'],
    ['csv', 'rhythm', '\nbeat,', KEY],
    ['csv', 'tonal', KEY, '\nbeat,'],
    ['csv', 'structure', '\nsection,', KEY],
    ['audacity', 'rhythm', '\t2.1\n', KEY],
    ['audacity', 'tonal', KEY, '\t2.1\n'],
    ['audacity', 'structure', 'verse (A)', KEY],
    ['spotify-audio-analysis', 'rhythm', '"beats":[{', '"sections":[{'],
    ['spotify-audio-analysis', 'structure', '"sections":[{', '"beats":[{'],
  ])('%s is written without what %s would add', (format, group, gone, kept) => {
    const without = String(EXPORTS[format].write(songWithout(group)));
    expect(writeText(format)).toContain(gone);
    expect(without).not.toContain(gone);
    expect(without).toContain(kept);
  });

  it.each(['rhythm', 'tonal', 'structure'] as const)('%s does not matter to the audio features', (group) => {
    expect(EXPORTS['spotify-audio-features'].write(songWithout(group))).toBe(
      writeText('spotify-audio-features'),
    );
  });
});
