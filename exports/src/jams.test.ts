import { describe, expect, it } from 'vitest';
import { writeJams } from './jams.ts';
import { SONG, songWithout } from './test-song.ts';

/**
 * The reference package (PyPI jams 0.3.5) has loaded the output for this song with strict validation; exports/readers does so for others.
 */
describe('writeJams', () => {
  const jams = JSON.parse(writeJams(SONG));
  const annotation = (namespace: string) =>
    jams.annotations.find((entry: { namespace: string }) => entry.namespace === namespace);

  it('has the metadata that the schema requires', () => {
    expect(jams.file_metadata).toEqual({
      title: 'Tom & "Jerry" <live>',
      artist: 'Zoë',
      release: '',
      duration: 17,
      identifiers: { earshot: SONG.analysisId },
      jams_version: '0.3.5',
    });
  });

  it('has an annotation in each namespace', () => {
    expect(
      jams.annotations.map((entry: { namespace: string; data: [] }) => [entry.namespace, entry.data.length]),
    ).toEqual([
      ['tempo', 1],
      ['beat', 25],
      ['beat_position', 25],
      ['onset', 2],
      ['key_mode', 2],
      ['chord', 3],
      ['segment_salami_function', 2],
      ['segment_open', 2],
    ]);
  });

  it('has a tag of the whole song for each genre, mood, instrument and era', () => {
    const tags = {
      genres: [{ label: 'jazz', confidence: 0.6, spans: [] }],
      moods: [{ label: 'calm', confidence: 0.9, spans: [] }],
      instruments: [],
      eras: [],
    };
    const tagged = JSON.parse(writeJams({ ...SONG, document: { ...SONG.document, tags } }));
    expect(tagged.annotations.at(-1)).toMatchObject({
      namespace: 'tag_open',
      data: [
        { time: 0, duration: 17, value: 'jazz', confidence: 0.6 },
        { time: 0, duration: 17, value: 'calm', confidence: 0.9 },
      ],
    });
  });

  it('counts each beat in the meter of its time, which is at least its position', () => {
    const changes = [
      { start_seconds: 0, end_seconds: 8.75, beats_per_bar: 6, confidence: 1 },
      { start_seconds: 8.75, end_seconds: 17, beats_per_bar: 3, confidence: 1 },
    ];
    const rhythm = { ...SONG.document.rhythm!, time_signature: { beats_per_bar: 6, confidence: 1, changes } };
    const { annotations } = JSON.parse(writeJams({ ...SONG, document: { ...SONG.document, rhythm } }));
    // The last beat of the first meter, and the first four from 8.75 s.
    expect(annotations[2].data.slice(16, 21).map(({ value }: { value: object }) => value)).toMatchObject([
      { position: 4, num_beats: 6 },
      { position: 1, num_beats: 3 },
      { position: 2, num_beats: 3 },
      { position: 3, num_beats: 3 },
      { position: 4, num_beats: 4 },
    ]);
  });

  it('has a tag for each span with a voice', () => {
    const voiceSpan = { start_seconds: 1, end_seconds: 4.5, kind: 'sung' as const, confidence: 0.9 };
    const content = {
      regions: [],
      voice_presence: 0.2,
      voice_presence_confidence: 0.9,
      voice_spans: [voiceSpan],
      voice_curve: null,
    };
    const sung = JSON.parse(writeJams({ ...SONG, document: { ...SONG.document, content } }));
    expect(sung.annotations.at(-1)).toMatchObject({
      namespace: 'tag_open',
      data: [{ time: 1, duration: 3.5, value: 'voice, sung', confidence: 0.9 }],
    });
  });

  it('gives every observation all four members', () => {
    for (const { data } of jams.annotations) {
      for (const observation of data) {
        expect(Object.keys(observation)).toEqual(['time', 'duration', 'value', 'confidence']);
      }
    }
    expect(annotation('tempo').data[0]).toEqual({ time: 0, duration: 17, value: 120, confidence: 0.8 });
    expect(annotation('key_mode').data[0].value).toBe('A:minor');
    expect(annotation('chord').data[2]).toEqual({
      time: 8.75,
      duration: 8.25,
      value: 'C:maj/3',
      confidence: 0.8,
    });
    expect(annotation('beat_position').data[0].value).toEqual({
      position: 4,
      measure: 0,
      num_beats: 4,
      beat_units: 4,
    });
  });

  it('leaves out the annotations of a missing group', () => {
    const without = JSON.parse(writeJams(songWithout('rhythm')));
    expect(without.annotations.map((entry: { namespace: string }) => entry.namespace)).toEqual([
      'key_mode',
      'chord',
      'segment_salami_function',
      'segment_open',
    ]);
  });

  // The value of a beat is its place in the bar, so it depends on the bars too.
  it.each([
    ['tempo', ['tempo', 'beat', 'beat_position']],
    ['bars', ['beat', 'beat_position']],
    ['beats', ['beat', 'beat_position']],
    ['key', ['key_mode']],
    ['chords', ['chord']],
    ['sections', ['segment_salami_function', 'segment_open']],
  ])('marks the annotations that a correction of %s affects', (kind, namespaces) => {
    const corrections = { kinds: [kind] } as unknown as typeof SONG.document.corrections;
    const corrected = JSON.parse(writeJams({ ...SONG, document: { ...SONG.document, corrections } }));
    const namespacesFrom = (source: string) =>
      corrected.annotations
        .filter(
          (entry: { annotation_metadata: { data_source: string } }) =>
            entry.annotation_metadata.data_source === source,
        )
        .map(({ namespace }: { namespace: string }) => namespace);
    expect(namespacesFrom('program, corrected by hand')).toEqual(namespaces);
    expect(namespacesFrom('program')).toHaveLength(8 - namespaces.length);
  });
});
