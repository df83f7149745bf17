import { describe, expect, it } from 'vitest';
import { type Estimate, meanScores, scoreSong, type Truth } from './score-song.ts';

const NOTHING_KNOWN: Truth = { id: 'song', audio: 'song.wav', duration: 40 };
const NOTHING_SAID: Estimate = {
  tempo_bpm: null,
  beats: [],
  downbeats: [],
  time_signature: null,
  key: null,
  chords: [],
  sections: [],
};
const score = (truth: Partial<Truth>, estimate: Partial<Estimate>) =>
  scoreSong({ ...NOTHING_KNOWN, ...truth }, { ...NOTHING_SAID, ...estimate });

const metronome = (count: number, startSeconds: number, periodSeconds = 0.5) =>
  Array.from({ length: count }, (_, index) => startSeconds + index * periodSeconds);

it('gives no score without an annotation', () => {
  expect(score({}, { tempo_bpm: 120, beats: metronome(9, 0), key: 'C', roles: [] })).toEqual({});
});

it('scores 0 where there is an annotation and no answer', () => {
  const span = { start: 0, end: 40, label: 'A' };
  const truth = {
    tempo_bpm: 120,
    beats: metronome(9, 0),
    downbeats: metronome(3, 0, 2),
    time_signature: '4/4',
    key: 'C',
    chords: [span],
    sections: [span],
  };
  expect(score(truth, {})).toEqual({
    ...{ beat_f: 0, cmlc: 0, cmlt: 0, amlc: 0, amlt: 0, downbeat_f: 0 },
    ...{ tempo_accuracy_1: 0, tempo_accuracy_2: 0, time_signature: 0, key_exact: 0, key_mirex: 0 },
    ...{ chord_root: 0, chord_maj_min: 0, section_f_05: 0, section_f_3: 0, section_pairwise_f: 0 },
  });
});

describe('beats', () => {
  const truth = { beats: metronome(16, 10), downbeats: metronome(4, 10, 2) };

  it('are scored from half a beat before the annotation to half a beat after it', () => {
    const beyond = score(truth, { beats: metronome(80, 0), downbeats: metronome(20, 0, 2) });
    expect(beyond).toEqual({ beat_f: 1, cmlc: 1, cmlt: 1, amlc: 1, amlt: 1, downbeat_f: 1 });
    // Scored from 9.75 to 17.75 s: the beats at both ends are two wrong beats of 18.
    const wide = score(truth, { beats: [9.7, 9.75, ...truth.beats, 17.75, 17.8] });
    expect(wide.beat_f).toBeCloseTo((2 * 16) / (16 + 18), 12);
  });

  it('are scored where two are annotated, without downbeats', () => {
    const beats = [10, 10.5];
    const all = { beat_f: 1, cmlc: 1, cmlt: 1, amlc: 1, amlt: 1 };
    expect(score({ beats }, { beats, downbeats: [10] })).toEqual(all);
  });

  it('need no annotation for the downbeats to be scored, from half a bar before them to half a bar after', () => {
    // Scored from 9 to 17 s: the downbeat at 9 s is one wrong downbeat of 5.
    const estimate = { beats: metronome(80, 0), downbeats: [8.9, 9, ...truth.downbeats, 17.1] };
    const { downbeat_f, ...others } = score({ downbeats: truth.downbeats }, estimate);
    expect(downbeat_f).toBeCloseTo((2 * 4) / (4 + 5), 12);
    expect(others).toEqual({});
  });

  it.each([[[]], [[3]]])('get no score from an annotation of %j', (beats) => {
    expect(score({ beats, downbeats: beats }, { beats: metronome(9, 1), downbeats: [3] })).toEqual({});
  });
});

describe('tempo', () => {
  it.each([
    [120, 1, 1],
    [60, 0, 1],
    [90, 0, 0],
    [null, 0, 0],
  ])('%j for 120 BPM', (tempo_bpm, tempo_accuracy_1, tempo_accuracy_2) => {
    expect(score({ tempo_bpm: 120 }, { tempo_bpm })).toEqual({ tempo_accuracy_1, tempo_accuracy_2 });
  });
});

it('scores meter and key', () => {
  const truth = { time_signature: '3/4', key: 'C' };
  expect(score(truth, { time_signature: '3/4', key: 'G:maj' })).toEqual({
    time_signature: 1,
    key_exact: 0,
    key_mirex: 0.5,
  });
});

it('scores chords by time', () => {
  const chords = [
    { start: 0, end: 3, label: 'C' },
    { start: 3, end: 4, label: 'A:min' },
  ];
  expect(score({ chords }, { chords: [{ start: 0, end: 4, label: 'C:maj' }] })).toEqual({
    chord_root: 0.75,
    chord_maj_min: 0.75,
  });
  expect(score({ chords: [{ start: 2, end: 2, label: 'C' }] }, { chords })).toEqual({});
  expect(score({ chords: [{ start: 0, end: 4, label: 'B:dim' }] }, { chords })).toEqual({ chord_root: 0 });
});

describe('sections', () => {
  const sections = [
    { start: 0, end: 10, label: 'intro' },
    { start: 10, end: 40, label: 'A' },
  ];
  const roles = [
    { start: 0, end: 10, label: 'intro' },
    { start: 10, end: 25, label: 'verse' },
    { start: 25, end: 40, label: 'instrumental' },
  ];

  it('are scored by repetition, and by function where the estimate names functions', () => {
    const form = { section_f_05: 1, section_f_3: 1, section_pairwise_f: 1 };
    expect(score({ sections }, { sections })).toEqual(form);
    expect(score({ sections }, { sections, roles })).toEqual({ ...form, section_role: 25 / 40 });
  });

  it('are compared with the sung spans, where they are annotated', () => {
    expect(score({ sung: [[10, 40]] }, { roles })).toEqual({ section_voice: 0.5 });
    expect(score({ sung: [[10, 40]] }, {})).toEqual({});
  });
});

it('takes the mean over the songs that have the score', () => {
  expect(meanScores([{ key_exact: 1, beat_f: 0.5 }, { key_exact: 0 }, {}])).toEqual([
    { name: 'beat_f', mean: 0.5, songs: 1 },
    { name: 'key_exact', mean: 0.5, songs: 2 },
  ]);
});
