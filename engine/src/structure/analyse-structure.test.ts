import { describe, expect, it } from 'vitest';
import { analyseStructure } from './analyse-structure.ts';
import { BAR_SECONDS, type Form, makeCurve, makeSong } from './test-songs.ts';

const outline = (form: Form, seed?: number) =>
  analyseStructure(makeSong(form, seed)).structure.sections.map(({ group, startBar }) => [group, startBar]);

describe('form', () => {
  it.each<[string, Form, [string, number][]]>([
    [
      'AABA',
      [
        ['A', 8],
        ['A', 8],
        ['B', 8],
        ['A', 8],
      ],
      [
        ['A', 0],
        ['B', 16],
        ['A', 24],
      ],
    ],
    [
      'ABABCB',
      [
        ['A', 8],
        ['B', 8],
        ['A', 8],
        ['B', 8],
        ['C', 8],
        ['B', 8],
      ],
      [
        ['A', 0],
        ['B', 8],
        ['A', 16],
        ['B', 24],
        ['C', 32],
        ['B', 40],
      ],
    ],
    [
      'intro and odd lengths',
      [
        ['I', 4],
        ['A', 12],
        ['B', 10],
        ['A', 12],
      ],
      [
        ['A', 0],
        ['B', 4],
        ['C', 16],
        ['B', 26],
      ],
    ],
    [
      'long sections',
      [
        ['A', 32],
        ['B', 16],
        ['A', 32],
      ],
      [
        ['A', 0],
        ['B', 32],
        ['A', 48],
      ],
    ],
  ])('%s', (_name, form, expected) => {
    for (const seed of [1, 2, 3]) expect(outline(form, seed)).toEqual(expected);
  });

  it('is one section where nothing changes', () => {
    expect(outline([['A', 24]])).toEqual([['A', 0]]);
  });

  it('tiles the piece with sections that start on downbeats', () => {
    const { sections } = analyseStructure(
      makeSong([
        ['A', 8],
        ['B', 8],
        ['A', 8],
      ]),
    ).structure;
    expect(sections[0]!.startSeconds).toBe(0);
    expect(sections.at(-1)!.endSeconds).toBe(24 * BAR_SECONDS);
    for (let i = 1; i < sections.length; i++) {
      expect(sections[i]!.startSeconds).toBe(sections[i - 1]!.endSeconds);
      expect(sections[i]!.startSeconds % BAR_SECONDS).toBe(0);
    }
  });

  it('starts and ends with the recording, not with its first and last downbeat', () => {
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const late = (timesSeconds: readonly number[]) => timesSeconds.map((seconds) => seconds + 0.5);
    const { sections } = analyseStructure({
      ...song,
      beatsSeconds: late(song.beatsSeconds),
      downbeatsSeconds: late(song.downbeatsSeconds),
      durationSeconds: 51.25,
    }).structure;
    expect(sections[0]!.startSeconds).toBe(0);
    expect(sections.at(-1)!.endSeconds).toBe(51.25);
  });

  it('has the tempo, key, loudness and energy of each section', () => {
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const { sections } = analyseStructure({
      ...song,
      tonal: {
        tuningCents: 0,
        keyChanges: [
          { startSeconds: 0, endSeconds: 32, key: 'C', scale: 'major', confidence: 1 },
          { startSeconds: 32, endSeconds: 48, key: 'A', scale: 'minor', confidence: 1 },
        ],
      },
      loudness: makeCurve(48, (seconds) => (seconds < 16 ? -24 : -14)),
    }).structure;
    expect(sections.map(({ bpm }) => bpm)).toEqual([120, 120, 120]);
    expect(sections.map(({ key }) => key)).toEqual(['C', 'C', 'Am']);
    expect(sections[0]!.loudnessLufs).toBeCloseTo(-24, 6);
    // 10 LU below the loudest section is half of the range of 20 LU.
    expect(sections.map(({ energy }) => energy!.toFixed(2))).toEqual(['0.50', '1.00', '1.00']);
  });

  it('is found without downbeats, and without any beats', () => {
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const starts = (input: typeof song) =>
      analyseStructure(input).structure.sections.map(({ startSeconds, startBar }) => [
        startSeconds,
        startBar,
      ]);
    expect(starts({ ...song, downbeatsSeconds: [] })).toEqual([
      [0, 0],
      [16, 8],
      [32, 16],
    ]);
    expect(starts({ ...song, beatsSeconds: [], downbeatsSeconds: [] })).toEqual([
      [0, null],
      [16, null],
      [32, null],
    ]);
  });

  it('has a higher confidence in recurring sections, and half the confidence without a meter', () => {
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const confidences = (input: typeof song) =>
      analyseStructure(input).structure.sections.map(({ confidence }) => confidence);
    const logOdds = (probability: number): number => Math.log(probability / (1 - probability));
    const [first, second, third] = confidences(song);
    // The first section is rated by its end, which is the start of the second; that its group recurs adds 0.29.
    expect(logOdds(first!) - logOdds(second!)).toBeCloseTo(0.29, 9);
    expect(third).toBeGreaterThan(second!);
    // It is rated by another bar line, whose salience differs a little.
    expect(third).not.toBe(first);
    // A salience of 1.5 to 2.5 standard deviations gives -0.79 + 1.12 times that.
    expect(logOdds(second!)).toBeGreaterThan(0.89);
    expect(logOdds(second!)).toBeLessThan(2.01);
    const free = confidences({ ...song, beatsSeconds: [], downbeatsSeconds: [] });
    expect(free).toEqual([first! / 2, second! / 2, third! / 2]);
  });

  it('is labelled by where there is a voice', () => {
    const song = makeSong([
      ['I', 8],
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const labels = (voice: typeof song.voice) =>
      analyseStructure({ ...song, voice }).structure.sections.map(
        ({ label, labelConfidence }) => `${label} ${labelConfidence}`,
      );
    const sung = labels(makeCurve(64, (seconds) => (seconds >= 16 && seconds < 32 ? 0.9 : 0)));
    expect(sung).toEqual(['intro 0.8', 'verse 0.6', 'instrumental 0.6', 'outro 0.6']);
    expect(labels(null)).toEqual(['intro 0.8', 'verse 0.6', 'chorus 0.55', 'verse 0.6']);
  });

  it('is labelled by how loud each section is', () => {
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['C', 8],
      ['B', 8],
      ['C', 8],
    ]);
    const labelsAt = (loudestLetter: 'B' | 'C') => {
      // A, B, C, B, C in 16 s each.
      const isLoud = (seconds: number) =>
        seconds >= 16 && (Math.floor(seconds / 16) % 2 === 1) === (loudestLetter === 'B');
      const loudness = makeCurve(80, (seconds) => (isLoud(seconds) ? -14 : -22));
      return analyseStructure({ ...song, loudness }).structure.sections.map(({ label }) => label);
    };
    expect(labelsAt('C')).toEqual(['intro', 'verse', 'chorus', 'verse', 'chorus']);
    expect(labelsAt('B')).toEqual(['intro', 'chorus', 'verse', 'chorus', 'verse']);
  });

  it('does not depend on the tuning', () => {
    // Bands are half semitones, so one band up is 50 cents.
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const pitch = { ...song.pitch, data: song.pitch.data.map((_, at, data) => data[at - 1] ?? 0) };
    const tonal = { tuningCents: 50, keyChanges: [] };
    const { sections } = analyseStructure(song).structure;
    const shifted = analyseStructure({ ...song, pitch, tonal }).structure.sections;
    const confidences = shifted.map(({ confidence }) => confidence);
    sections.forEach(({ confidence }, index) => {
      // The shift loses the highest band and adds one at the bottom, which changes 2e-7; a wrong tuning would change 1e-4.
      expect(confidences[index]).toBeCloseTo(confidence, 5);
    });
  });

  it('has a break or an instrumental where the voice pauses, depending on the length', () => {
    const labels = (unsungBars: number) => {
      const song = makeSong([
        ['A', 16],
        ['B', 16],
        ['C', unsungBars],
        ['A', 16],
        ['B', 16],
      ]);
      const [from, to] = [32 * BAR_SECONDS, (32 + unsungBars) * BAR_SECONDS];
      const voice = makeCurve(song.durationSeconds, (seconds) => (seconds >= from && seconds < to ? 0 : 0.9));
      return analyseStructure({ ...song, voice }).structure.sections.map(({ label }) => label);
    };
    expect(labels(4)).toEqual(['verse', 'chorus', 'break', 'verse', 'chorus']);
    expect(labels(8)).toEqual(['verse', 'chorus', 'instrumental', 'verse', 'chorus']);
  });

  it('is the same when analysed twice, in finite numbers', () => {
    const song = makeSong([
      ['A', 8],
      ['B', 8],
      ['A', 8],
    ]);
    const first = JSON.stringify(analyseStructure(song));
    expect(JSON.stringify(analyseStructure(song))).toBe(first);
    // JSON would turn numbers that are not finite into null.
    expect(JSON.parse(first)).toEqual(analyseStructure(song));
  });
});

it.each<[string, number, { rms?: number }]>([
  ['a song with sections', 24, {}],
  ['a song too short for sections', 7, {}],
  ['a recording too soft for sections', 24, { rms: 1e-4 }],
])('fades are found in %s', (_name, bars, change) => {
  const song = makeSong([['A', bars]]);
  const fadeStartSeconds = song.durationSeconds - 10;
  const loudness = makeCurve(song.durationSeconds, (seconds) =>
    seconds <= fadeStartSeconds ? -14 : -14 - 4 * (seconds - fadeStartSeconds),
  );
  const { segments } = analyseStructure({ ...song, loudness, ...change }).structure;
  expect(segments.fadeInEndSeconds).toBeNull();
  // The last value within 3 LU of the maximum, at 4 LU a second; values are 0.1 s apart.
  expect(segments.fadeOutStartSeconds! - fadeStartSeconds).toBeCloseTo(0.7, 6);
});

describe('abstention', () => {
  it('from a piece that is too short', () => {
    expect(analyseStructure(makeSong([['A', 7]]))).toMatchObject({
      structure: { sections: [] },
      reason: 'too_short',
    });
    expect(analyseStructure(makeSong([['A', 8]])).reason).toBeNull();
  });

  it('from silence and from an empty recording', () => {
    const song = makeSong([['A', 12]]);
    expect(analyseStructure({ ...song, rms: 1e-4 })).toMatchObject({
      structure: { sections: [], segments: { fadeInEndSeconds: null, fadeOutStartSeconds: null } },
      reason: 'silence',
    });
    const nothing = makeSong([]);
    expect(analyseStructure({ ...nothing, rms: 0 }).reason).toBe('silence');
    expect(analyseStructure(nothing).reason).toBe('too_short');
  });
});
