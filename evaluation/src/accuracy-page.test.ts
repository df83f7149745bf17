import { expect, it } from 'vitest';
import { makeAccuracyPage } from './accuracy-page.ts';
import type { ScoreFile, SongAnswers } from './score-file.ts';

const tempo = (truthBpm: number, bpm: number | null, confidence: number | null): SongAnswers => ({
  tempo: { truthBpm, bpm, confidence },
  key: { truth: null, key: null, confidence: null, tuningHz: null },
});

const DEV: ScoreFile = {
  corpus: 'dev',
  ears: 'learned',
  models: [],
  means: [{ name: 'tempo_accuracy_1', mean: 1 / 3, songs: 3 }],
  calibration: { tempo: { answers: 2, expectedCalibrationError: 0.25, curve: [] } },
  songs: {
    right: { tempo_accuracy_1: 1 },
    wrong: { tempo_accuracy_1: 0 },
    withheld: { tempo_accuracy_1: 0 },
  },
  answers: {
    right: tempo(120, 121, 0.9),
    wrong: tempo(120, 60, 0.3),
    withheld: tempo(120, null, null),
  },
};
/** Another program: it has scores, but neither confidences nor answers. */
const PEER: ScoreFile = { ...DEV, corpus: 'gtzan', ears: 'librosa', calibration: {}, answers: {} };
const VOICES: ScoreFile = { ...DEV, corpus: 'voices', means: [{ name: 'voice_auc', mean: 0.9, songs: 3 }] };
const READING = { file: 'seq.flac', quantity: 'range (LU)', target: 10, tolerance: 1 } as const;

it('has a column for each of our runs with rhythm or harmony, each wrong tempo, and each loudness reading', () => {
  const files = [
    { name: 'dev-learned', file: DEV },
    { name: 'gtzan-librosa', file: PEER },
    { name: 'voices-learned', file: { ...VOICES, answers: {} } },
  ];
  const readings = [
    { ...READING, reading: 9.876 },
    { ...READING, file: 'silence.flac', reading: null },
  ];
  const { page, images } = makeAccuracyPage(files, readings, {});
  const lines = page.split('\n');
  expect(lines).toContain('| | dev, learned (3) |');
  expect(lines).toContain('| Tempo within 4 % (Accuracy 1) | 0.333 |');
  expect(lines).toContain('| Key exactly right | – |');
  expect(lines).toContain('| tempo | 0.250 (n=2) |');
  expect(lines).toContain('| key | – |');
  expect(lines.filter((line) => line.startsWith('| wrong') || line.startsWith('| withheld'))).toEqual([
    '| wrong | 120.0 | 60.0 | 0.30 |',
  ]);
  expect(lines).toContain('| seq.flac | range (LU) | 10 ± 1 | 9.88 |');
  expect(lines).toContain('| silence.flac | range (LU) | 10 ± 1 | none |');
  expect([...images.keys()]).toEqual(['calibration-dev-learned.svg']);
});

it('lists neither wrong tempi of recordings and of the engine without networks, nor real songs of a peer', () => {
  const files = [
    { name: 'dev-classical', file: { ...DEV, ears: 'classical' } },
    { name: 'gtzan-learned', file: { ...DEV, corpus: 'gtzan' } },
    { name: 'real-librosa', file: { ...PEER, corpus: 'real' } },
  ];
  const { page } = makeAccuracyPage(files, [], {});
  expect(page).not.toContain('| wrong');
  expect(page).not.toContain('one by one');
});

it('lists the songs of the corpus of real recordings one by one', () => {
  const { page } = makeAccuracyPage([{ name: 'real-learned', file: { ...DEV, corpus: 'real' } }], [], {});
  expect(page).toContain(
    '| wrong | 120.0 | 60.0 at 0.30 | another level, said to be uncertain | – | none | – |',
  );
});
