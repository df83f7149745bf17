import { describe, expect, it } from 'vitest';
import { chartName } from '../chord-label.ts';
import { EXPORTS } from '../formats.ts';
import { SONG, songWithout } from '../test-song.ts';
import { applyCorrections, reapplyCorrections } from './apply-corrections.ts';
import type { Corrections } from './corrections.ts';

/** The song of the fixture: a pickup beat at 0.25 s, four bars of 120 BPM from 0.75 s, two of 60 BPM from 8.75 s. */
const heard = SONG.document;
const correct = (corrections: Corrections) => applyCorrections(heard, corrections).document;
const timesSecondsOf = (document = heard) => document.rhythm!.beats.map((beat) => beat.time_seconds);
const countOf = (document = heard) => document.rhythm!.beats.map((beat) => `${beat.bar}.${beat.beat_in_bar}`);

describe('a value that was missing', () => {
  const reasons = {
    'rhythm.bpm': 'no_pulse',
    'rhythm.beats': 'no_pulse',
    'rhythm.time_signature': 'no_pulse',
    'structure.sections': 'too_short',
    'quality.bandwidth_hz': 'too_short',
  } as const;
  const bare = {
    ...heard,
    bpm: null,
    rhythm: { ...heard.rhythm!, bpm: null, beats: [], downbeats: [], time_signature: null },
    structure: { ...heard.structure!, sections: [] },
    unavailable: reasons,
  };

  it('loses its reason when it is corrected, and other values keep theirs', () => {
    const { document } = applyCorrections(bare, { tempo: 100 });
    // 17 s at 100 BPM, from 0 on.
    expect(document.rhythm!.beats).toHaveLength(29);
    // Nobody heard or gave the meter by which the bars are counted.
    expect(document.rhythm!.time_signature).toMatchObject({ beats_per_bar: 4, confidence: 0 });
    expect(document.unavailable).toEqual({
      'structure.sections': 'too_short',
      'quality.bandwidth_hz': 'too_short',
    });
    const sections = [{ start_seconds: 0, end_seconds: 8, label: 'verse' as const }];
    const withSections = applyCorrections(bare, { sections }).document;
    expect(withSections.unavailable).toEqual({
      'rhythm.bpm': 'no_pulse',
      'rhythm.beats': 'no_pulse',
      'rhythm.time_signature': 'no_pulse',
      'quality.bandwidth_hz': 'too_short',
    });
  });
});

it('a key or another first beat of the bar leaves the tempo of every section as it was heard', () => {
  const heardTempos = heard.structure!.sections.map((section) => ({ ...section, bpm: 117.37 }));
  const song = { ...heard, structure: { ...heard.structure!, sections: heardTempos } };
  const tempos = (corrections: Corrections) =>
    applyCorrections(song, corrections).document.structure!.sections.map(({ bpm }) => bpm);
  expect(tempos({ key: 'E minor' })).toEqual([117.37, 117.37]);
  expect(tempos({ shift_beats: 1 })).toEqual([117.37, 117.37]);
  expect(tempos({ tempo: 'double' })).toEqual([240, 120]);
});

describe('tempo', () => {
  it('double puts a beat between every two beats, and a bar between every two bars', () => {
    const document = correct({ tempo: 'double' });
    expect(document).toMatchObject({ bpm: 240, bpm_confidence: 1, time_signature: 4 });
    expect(timesSecondsOf(document).slice(0, 6)).toEqual([0.25, 0.5, 0.75, 1, 1.25, 1.5]);
    expect(countOf(document).slice(0, 7)).toEqual(['0.3', '0.4', '1.1', '1.2', '1.3', '1.4', '2.1']);
    expect(document.rhythm!.downbeats[1]!.time_seconds).toBe(1.75);
    expect(document.rhythm!.tempo_curve[0]!.bpm).toBe(240);
    expect(document.rhythm!.confidence).toBe(1);
  });

  it('half keeps every second beat, counted from the first downbeat', () => {
    const document = correct({ tempo: 'half' });
    expect(document.bpm).toBe(60);
    expect(timesSecondsOf(document).slice(0, 4)).toEqual([0.75, 1.75, 2.75, 3.75]);
    expect(countOf(document).slice(0, 5)).toEqual(['0.1', '0.2', '0.3', '0.4', '1.1']);
  });

  it.each(['half', 'third'] as const)('%s keeps the downbeat that is given', (tempo) => {
    const { downbeats } = correct({ tempo, first_downbeat_seconds: 1.25 }).rhythm!;
    expect(downbeats[0]!.time_seconds).toBe(1.25);
  });

  it('triple puts two beats between every two, third keeps every third', () => {
    expect(timesSecondsOf(correct({ tempo: 'triple' }))[1]).toBe(0.25 + 0.5 / 3);
    expect(timesSecondsOf(correct({ tempo: 'third' })).slice(0, 3)).toEqual([0.75, 2.25, 3.75]);
  });

  it('in BPM near a multiple of the heard tempo divides the tracked beats, and is shown as given', () => {
    const document = correct({ tempo: 239.8 });
    expect(document.bpm).toBe(239.8);
    expect(timesSecondsOf(document)).toEqual(timesSecondsOf(correct({ tempo: 'double' })));
  });

  it('in BPM near no multiple lays an even grid through the first downbeat', () => {
    const document = correct({ tempo: 100 });
    const timesSeconds = timesSecondsOf(document);
    // From 0.15 s, a beat of 0.6 s before the first downbeat, to the last one before 17 s. Exact but for the rounding of floats.
    expect(timesSeconds).toHaveLength(29);
    expect(timesSeconds[0]).toBeCloseTo(0.15, 9);
    expect(timesSeconds[1]).toBeCloseTo(0.75, 9);
    expect(timesSeconds.at(-1)).toBeCloseTo(16.95, 9);
    expect(countOf(document)[1]).toBe('1.1');
    expect(document.rhythm!.tempo_curve).toEqual([{ time_seconds: timesSeconds[0], bpm: 100 }]);
    expect(document.rhythm!.stability).toBe(1);
  });

  it('has confidence 1 if it is given, even as it was heard', () => {
    expect(correct({ tempo: 120 })).toMatchObject({ bpm: 120, bpm_confidence: 1 });
    expect(correct({ shift_beats: 1 })).toMatchObject({ bpm: 120, bpm_confidence: 0.8 });
  });

  it('keeps the swing only if the beats remain those on whose eighths it was measured', () => {
    const swing = { ratio: 0.6, confidence: 0.9 };
    const song = { ...heard, rhythm: { ...heard.rhythm!, swing } };
    const swingOf = (corrections: Corrections) => applyCorrections(song, corrections).document.rhythm!.swing;
    expect([swingOf({ shift_beats: 1 }), swingOf({ tempo: 120.4 })]).toEqual([swing, swing]);
    expect([swingOf({ tempo: 'half' }), swingOf({ tempo: 100 })]).toEqual([null, null]);
  });

  it('and key are those of the corrected result in every format', () => {
    const source = { ...SONG, document: correct({ tempo: 'double', key: 'E minor' }) };
    const write = (format: keyof typeof EXPORTS) =>
      Buffer.from(EXPORTS[format].write(source)).toString('utf8');
    expect(write('rekordbox-xml')).toContain('AverageBpm="240.00"');
    expect(write('rekordbox-xml')).toContain('Bpm="240.00"');
    expect(write('rekordbox-xml')).toContain('Tonality="Em"');
    expect(JSON.parse(write('jams')).annotations[0].data[0].value).toBe(240);
    expect(write('csv')).toContain('summary,,,bpm,240,1');
    expect(write('lab-beats').split('\n')[1]).toBe('0.500000\t4');
    expect(JSON.parse(write('spotify-audio-features'))).toMatchObject({ tempo: 240, key: 4, mode: 0 });
    // A tempo event, 0x51, with a quarter of a second: 250,000 microseconds.
    expect(
      Buffer.from(EXPORTS.midi.write(source)).includes(Buffer.from([0xff, 0x51, 3, 0x03, 0xd0, 0x90])),
    ).toBe(true);
  });
});

describe('bars', () => {
  it('begin some beats later or earlier', () => {
    expect(countOf(correct({ shift_beats: 1 })).slice(0, 4)).toEqual(['0.3', '0.4', '1.1', '1.2']);
    expect(countOf(correct({ shift_beats: -1 })).slice(0, 2)).toEqual(['0.1', '0.2']);
  });

  it('begin at the beat nearest to a time', () => {
    const document = correct({ first_downbeat_seconds: 1.3 });
    expect(document.rhythm!.downbeats[0]!.time_seconds).toBe(1.25);
  });

  it('have the corrected number of beats', () => {
    const document = correct({ beats_per_bar: 3 });
    expect(document.time_signature).toBe(3);
    expect(countOf(document).slice(0, 5)).toEqual(['0.3', '1.1', '1.2', '1.3', '2.1']);
    expect(document.rhythm!.time_signature).toMatchObject({ beats_per_bar: 3, confidence: 1 });
    // Chords have the bars in which they now begin.
    expect(document.tonal!.chords[2]).toMatchObject({ label: 'C:maj', bar: 6, beat: 2 });
  });
});

describe('beats', () => {
  it('that are moved keep their place in the bar', () => {
    const document = correct({ beats: { move: [{ from_seconds: 1.25, to_seconds: 1.3 }] } });
    expect(timesSecondsOf(document)[2]).toBe(1.3);
    expect(countOf(document)).toEqual(countOf());
  });

  it('that are added or removed shift the count of those after them', () => {
    expect(timesSecondsOf(correct({ beats: { remove: [0.25] } }))[0]).toBe(0.75);
    const document = correct({ beats: { add: [16.25] } });
    expect(countOf(document).at(-1)).toBe('7.1');
    const confidences = document.rhythm!.beats.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...heard.rhythm!.beats.map(({ confidence }) => confidence), 1]);
  });
});

describe('key', () => {
  it.each(['E minor', 'Em', '9A', 'E:min'])('%s: notation, numerals and spelling follow', (key) => {
    const document = correct({ key });
    expect(document).toMatchObject({
      key: 'E',
      scale: 'minor',
      key_notation: 'Em',
      camelot: '9A',
      open_key: '2m',
      key_confidence: 1,
    });
    expect(document.tonal!.chords.map((chord) => chord.roman)).toEqual([null, 'iv', 'VI']);
    expect(document.tonal!.key_changes).toEqual([
      { start_seconds: 0, end_seconds: 17, key: 'E', scale: 'minor', confidence: 1 },
    ]);
    expect(document.structure!.sections.map((section) => section.key)).toEqual(['Em', 'Em']);
  });

  it('that confirms the heard one holds for every section too', () => {
    expect(heard.structure!.sections.map((section) => section.key)).toEqual(['Am', 'C']);
    expect(correct({ key: 'A minor' }).structure!.sections.map((section) => section.key)).toEqual([
      'Am',
      'Am',
    ]);
  });
});

describe('chords', () => {
  it('replace the chords that were heard there, in both lists', () => {
    const { tonal } = correct({ chords: [{ start_seconds: 4.75, end_seconds: 10, label: 'Dm7' }] });
    expect(
      tonal!.chords_sevenths.map((chord) => [chord.start_seconds, chord.end_seconds, chord.label]),
    ).toEqual([
      [0, 0.75, 'N'],
      [0.75, 4.75, 'A:min7'],
      [4.75, 10, 'D:min7'],
      [10, 17, 'C:maj/3'],
    ]);
    expect(tonal!.chords[2]).toMatchObject({ label: 'D:min', roman: 'iv', bar: 3, beat: 1, confidence: 1 });
  });

  it('are triads in the list of triads, with the numeral of the key in their middle', () => {
    const { chords } = correct({ chords: [{ start_seconds: 8, end_seconds: 17, label: 'Bm7b5' }] }).tonal!;
    // Of A minor up to 8.75 s, it would be ii.
    expect(chords.at(-1)).toMatchObject({ label: 'B:min', roman: 'vii' });
  });

  it('leave no rest of a heard chord that is shorter than 50 ms', () => {
    const spansAround = (start_seconds: number) =>
      correct({ chords: [{ start_seconds, end_seconds: 8.75, label: 'Dm' }] }).tonal!.chords.map((chord) => [
        chord.start_seconds,
        chord.end_seconds,
      ]);
    expect(spansAround(0.79).slice(0, 2)).toEqual([
      [0, 0.75],
      [0.79, 8.75],
    ]);
    expect(spansAround(0.81).slice(0, 2)).toEqual([
      [0, 0.75],
      [0.75, 0.81],
    ]);
  });

  it.each([
    ['C/E', 'C:maj/3', 'C/E'],
    ['Am7/G', 'A:min7/b7', 'Am7/G'],
    ['D/F#', 'D:maj/3', 'D/F#'],
    ['C:maj/E', 'C:maj/3', 'C/E'],
    ['C:maj/5', 'C:maj/5', 'C/G'],
    ['E5', 'E:5', 'E5'],
    ['Bdim7', 'B:dim7', 'Bdim7'],
    ['Am(maj7)', 'A:minmaj7', 'Am(maj7)'],
    ['D9/F#', 'D:9/3', 'D9/F#'],
    ['C°', 'C:dim', 'Cdim'],
  ])('%s is %s, and %s on a chart', (label, harte, chart) => {
    const { tonal } = correct({ chords: [{ start_seconds: 4.75, end_seconds: 10, label }] });
    const corrected = tonal!.chords_sevenths[2]!.label;
    expect([corrected, chartName(corrected)]).toEqual([harte, chart]);
  });
});

describe('sections', () => {
  it('replace the whole form, with the bars below them and the loudness of the heard sections', () => {
    const { structure } = correct({
      sections: [
        { start_seconds: 0, end_seconds: 4.75, label: 'intro' },
        { start_seconds: 4.75, end_seconds: 17, label: 'chorus' },
      ],
    });
    expect(structure!.sections).toMatchObject([
      { label: 'intro', group: 'A', start_bar: null, bpm: 120, confidence: 1 },
      { label: 'chorus', group: 'B', start_bar: 3, loudness_lufs: -14 },
    ]);
  });

  it('take the key and the tempo of the heard section that they overlap most, and a tempo of three beats or more', () => {
    const sections = heard.structure!.sections.map((section) => ({ ...section, bpm: 117.37 }));
    const song = { ...heard, structure: { ...heard.structure!, sections } };
    const valuesOf = (start_seconds: number, end_seconds: number) => {
      const given = [{ start_seconds, end_seconds, label: 'verse' as const }];
      const [section] = applyCorrections(song, { sections: given }).document.structure!.sections;
      return [section!.key, section!.bpm];
    };
    expect([valuesOf(0, 12), valuesOf(5, 17)]).toEqual([
      ['Am', 120],
      ['C', 60],
    ]);
    expect(valuesOf(0.75, 1.75)).toEqual(['Am', 117.37]);
  });

  it('without a letter get that of their label, or an unused one', () => {
    const groupsOf = (given: [label: 'intro' | 'verse' | 'chorus', group?: string][]) =>
      correct({
        sections: given.map(([label, group], k) => ({
          start_seconds: k,
          end_seconds: k + 1,
          label,
          ...(group ? { group } : {}),
        })),
      }).structure!.sections.map(({ group }) => group);
    expect(groupsOf([['intro', 'B'], ['verse'], ['chorus']])).toEqual(['B', 'A', 'C']);
    expect(groupsOf([['verse', 'C'], ['verse']])).toEqual(['C', 'C']);
  });

  it('may end after the song by as much as players round its length', () => {
    const { structure } = correct({ sections: [{ start_seconds: 0, end_seconds: 17.5, label: 'verse' }] });
    expect(structure!.sections[0]!.end_seconds).toBe(17);
  });
});

describe('a correction that cannot be true is refused', () => {
  it.each<[string, Corrections, (string | number)[]]>([
    [
      'a beat moved past its neighbour',
      { beats: { move: [{ from_seconds: 1.25, to_seconds: 2 }] } },
      ['beats', 'move', 0, 'to_seconds'],
    ],
    [
      'two beats that change places',
      {
        beats: {
          move: [
            { from_seconds: 1.25, to_seconds: 1.7 },
            { from_seconds: 1.75, to_seconds: 1.3 },
          ],
        },
      },
      ['beats', 'move'],
    ],
    ['one beat named twice', { beats: { remove: [0.25, 0.26] } }, ['beats', 'remove', 1]],
    // The nearest is at 1.25 s.
    ['a beat that is not there', { beats: { remove: [1.33] } }, ['beats', 'remove', 0]],
    ['two beats in one place', { beats: { add: [0.79] } }, ['beats']],
    ['a beat after the end', { beats: { add: [17.1] } }, ['beats', 'add', 0]],
    ['a first bar after the end', { first_downbeat_seconds: 40 }, ['first_downbeat_seconds']],
    [
      'a section after the end',
      { sections: [{ start_seconds: 0, end_seconds: 17.51, label: 'verse' }] },
      ['sections', 0, 'end_seconds'],
    ],
    [
      'a section that begins after the end',
      { sections: [{ start_seconds: 17, end_seconds: 17.4, label: 'verse' }] },
      ['sections', 0, 'start_seconds'],
    ],
    [
      'a chord that begins after the end',
      { chords: [{ start_seconds: 17.1, end_seconds: 17.4, label: 'C' }] },
      ['chords', 0, 'start_seconds'],
    ],
    [
      'a section that ends as it begins',
      { sections: [{ start_seconds: 3, end_seconds: 3, label: 'verse' }] },
      ['sections', 0, 'end_seconds'],
    ],
    [
      'sections that overlap',
      {
        sections: [
          { start_seconds: 0, end_seconds: 9, label: 'verse' },
          { start_seconds: 8, end_seconds: 17, label: 'outro' },
        ],
      },
      ['sections', 1, 'start_seconds'],
    ],
    [
      'an unknown chord',
      { chords: [{ start_seconds: 0, end_seconds: 1, label: 'H7' }] },
      ['chords', 0, 'label'],
    ],
    [
      'a chord quality that is a property of every object',
      { chords: [{ start_seconds: 0, end_seconds: 1, label: 'C:constructor' }] },
      ['chords', 0, 'label'],
    ],
    ['an unknown key', { key: 'H' }, ['key']],
  ])('%s', (_, corrections, path) => {
    expect(() => applyCorrections(heard, corrections)).toThrow(
      expect.objectContaining({ name: 'CorrectionContradicts', path }),
    );
  });

  it.each([
    ['third', 50, 'third of 50.00 is beyond 20 to 400 BPM'],
    ['double', 201, 'double of 201.00 is beyond 20 to 400 BPM'],
    ['half', null, 'no tempo was heard that "half" could be of; say it in BPM'],
  ] as const)('a tempo of %s where %j BPM were heard', (tempo, bpm, message) => {
    const song = { ...heard, rhythm: { ...heard.rhythm!, bpm } };
    expect(() => applyCorrections(song, { tempo })).toThrow(
      expect.objectContaining({ message, path: ['tempo'] }),
    );
  });

  it('not a tempo at the bounds', () => {
    const tempoOf = (bpm: number, tempo: 'double' | 'third') =>
      applyCorrections({ ...heard, rhythm: { ...heard.rhythm!, bpm } }, { tempo }).document.bpm;
    expect(tempoOf(200, 'double')).toBe(400);
    expect(tempoOf(60, 'third')).toBe(20);
  });

  it.each<Corrections>([
    { tempo: 'double' },
    { first_downbeat_seconds: 1 },
    { shift_beats: 1 },
    { beats_per_bar: 3 },
    { beats: { add: [1] } },
  ])('%j of a result that has no rhythm', (corrections) => {
    expect(() => applyCorrections(songWithout('rhythm').document, corrections)).toThrow(
      expect.objectContaining({
        message: 'this result has no rhythm to correct',
        path: Object.keys(corrections),
      }),
    );
  });

  it('is left out if it was accepted earlier, and the others are applied', () => {
    const { document, kinds } = reapplyCorrections(heard, { key: 'Em', beats: { remove: [1.5] } });
    expect(kinds).toEqual(['key']);
    expect(document.rhythm).toEqual(heard.rhythm);
    expect(document.key).toBe('E');
  });
});

it('does not change the heard result', () => {
  const before = structuredClone(heard);
  correct({ tempo: 'double', key: 'Em', beats: { add: [16.5] }, shift_beats: 2 });
  expect(heard).toEqual(before);
});
