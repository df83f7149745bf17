import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../exit-codes.ts';
import { startTestService } from '../test-service.ts';
import { makeUnreadable } from '../test-unreadable.ts';
import { runCorrections } from './corrections-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-corrections-'));
afterAll(() => rmSync(folder, { recursive: true }));
makeUnreadable('locked');
const audio = join(folder, 'audio');
mkdirSync(audio);
writeFileSync(join(audio, 'waltz.wav'), 'waltz');
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

const jobOf = (id: string, corrected: boolean) => ({
  id,
  status: 'completed',
  file_name: `${id}.wav`,
  headline: { corrected },
});
/** Beats every second, with these places in their bars. */
const beatsOf = (...places: number[]) =>
  places.map((beat_in_bar, index) => ({ time_seconds: index, beat_in_bar }));
const span = (start_seconds: number, end_seconds: number, label: string) => ({
  start_seconds,
  end_seconds,
  label,
});

/** What a person cannot tell from the engine's answers: every song has all of them. */
const HEARD = {
  duration_seconds: 8,
  bpm: 60,
  time_signature: 4,
  key: 'C',
  scale: 'major',
  rhythm: { beats: beatsOf(1, 2, 3, 4, 1) },
  tonal: {
    chords: [span(0, 4, 'C:maj'), span(4, 8, 'G:maj')],
    chords_sevenths: [span(0, 4, 'C:maj7'), span(4, 8, 'G:7')],
  },
  structure: { sections: [span(0, 8, 'verse')] },
  provenance: { engine_version: '1.2.3' },
};
const NO_CORRECTION = { beats_per_bar: null, chords: null };
/** The songs by the name of their file; in `truth` what is exported of each. */
const SONGS: Record<string, { kinds: string[]; result: object; correction?: object; truth: object }> = {
  // Bars of four, for a song whose meter was not heard, follow from the tempo.
  tempo: {
    kinds: ['tempo'],
    result: { bpm: 120, time_signature: 4 },
    truth: { tempo_bpm: 120, beats: [0, 1, 2, 3, 4] },
  },
  beats: { kinds: ['beats'], result: {}, truth: { beats: [0, 1, 2, 3, 4] } },
  waltz: {
    kinds: ['bars'],
    result: { time_signature: 3, rhythm: { beats: beatsOf(3, 1, 2, 3, 1) } },
    correction: { beats_per_bar: 3 },
    truth: { downbeats: [1, 4], time_signature: '3/4' },
  },
  upbeat: {
    kinds: ['bars'],
    result: { rhythm: { beats: beatsOf(4, 1, 2, 3, 4) } },
    truth: { downbeats: [1] },
  },
  major: { kinds: ['key'], result: { key: 'Eb' }, truth: { key: 'Eb:maj' } },
  minor: { kinds: ['key'], result: { key: 'F#', scale: 'minor' }, truth: { key: 'F#:min' } },
  chords: {
    kinds: ['chords'],
    result: {
      tonal: {
        chords: [span(0, 2, 'C:maj'), span(2, 4, 'D:maj'), span(4, 8, 'G:maj')],
        chords_sevenths: [span(0, 2, 'C:maj7'), span(2, 4, 'D:sus4'), span(4, 8, 'G:7')],
      },
    },
    correction: { chords: [span(2, 4, 'Dsus4')] },
    truth: { chords: [{ start: 2, end: 4, label: 'D:sus4' }] },
  },
  sections: {
    kinds: ['sections'],
    result: { structure: { sections: [span(0, 3, 'intro'), span(3, 8, 'chorus')] } },
    truth: {
      sections: [
        { start: 0, end: 3, label: 'intro' },
        { start: 3, end: 8, label: 'chorus' },
      ],
    },
  },
};
const correctionsOf = (name: string) => ({ kinds: SONGS[name]!.kinds, heard: { bpm: 60 } });
const JOBS = [...Object.keys(SONGS).map((name) => jobOf(`job_${name}`, true)), jobOf('job_heard', false)];
const service = await startTestService(({ path }) => {
  const [, name, part] = /\/job_(\w+)\/(\w+)$/.exec(path) ?? [];
  if (name === undefined) return { body: JOBS };
  const { result, correction } = SONGS[name]!;
  if (part === 'corrections') return { body: { ...NO_CORRECTION, ...correction } };
  const file = { sha256: sha256Of(name) };
  return {
    body: { status: 'completed', result: { ...HEARD, file, ...result, corrections: correctionsOf(name) } },
  };
});

const readTruth = (out: string, name: string) => JSON.parse(readFileSync(join(out, name), 'utf8'));

it('writes what a person corrected of each song, and nothing that was heard', async () => {
  const out = join(folder, 'all');
  expect(await runCorrections(['export', '--out', out])).toBe(EXIT.ok);
  expect(Object.fromEntries(readdirSync(out).map((name) => [name, readTruth(out, name)]))).toEqual(
    Object.fromEntries(
      Object.entries(SONGS).map(([name, { truth }]) => [
        `job_${name}.json`,
        {
          id: `job_${name}`,
          audio: `job_${name}.wav`,
          duration: 8,
          ...truth,
          provenance: { corrections: correctionsOf(name), engine_version: '1.2.3' },
        },
      ]),
    ),
  );
  expect(service.printed).toEqual([`8 corrected songs in ${out}`]);
});

it('finds the audio by its bytes, and leaves out songs whose audio is missing', async () => {
  const out = join(folder, 'found');
  expect(await runCorrections(['export', '--out', out, '--audio', audio])).toBe(EXIT.ok);
  expect(readdirSync(out)).toEqual(['job_waltz.json']);
  expect(readTruth(out, 'job_waltz.json').audio).toBe('../audio/waltz.wav');
  expect(service.printed).toEqual([`1 corrected song in ${out}; 7 left out, whose audio is not in ${audio}`]);
});

it('exits with 1 where it could not read a folder of audio', async () => {
  const locked = join(audio, 'locked');
  mkdirSync(locked);
  onTestFinished(() => rmdirSync(locked));
  const out = join(folder, 'partly');
  expect(await runCorrections(['export', '--out', out, '--audio', audio])).toBe(EXIT.someFailed);
  expect(readdirSync(out)).toEqual(['job_waltz.json']);
  expect(service.errorLines).toEqual([expect.stringContaining(locked)]);
});

it.runIf(process.platform === 'linux')(
  'names a file of audio that cannot be read, and finds the others',
  async () => {
    const unreadable = join(audio, 'a.wav');
    // Reading its first byte fails, also for root.
    symlinkSync('/proc/self/mem', unreadable);
    onTestFinished(() => rmSync(unreadable));
    const out = join(folder, 'others');
    expect(await runCorrections(['export', '--out', out, '--audio', audio])).toBe(EXIT.someFailed);
    expect(readdirSync(out)).toEqual(['job_waltz.json']);
    expect(service.errorLines).toEqual([`${unreadable} cannot be read: EIO: i/o error, read`]);
  },
);
