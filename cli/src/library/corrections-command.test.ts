import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { runCorrections } from './corrections-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-corrections-'));
afterAll(() => rmSync(folder, { recursive: true }));
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
const JOBS = [jobOf('job_waltz', true), jobOf('job_lost', true), jobOf('job_heard', false)];
const RESULTS: Record<string, object> = {
  job_waltz: {
    file: { sha256: sha256Of('waltz') },
    duration_seconds: 4,
    bpm: 90,
    key: 'A',
    scale: 'minor',
    time_signature: 3,
    rhythm: {
      beats: [1, 2, 3, 1].map((beat_in_bar, index) => ({ time_seconds: index / 1.5, beat_in_bar })),
    },
    corrections: { kinds: ['bars', 'key'] },
    provenance: { engine_version: '1.2.3' },
  },
  job_lost: {
    file: { sha256: sha256Of('lost') },
    duration_seconds: 3,
    bpm: 120,
    time_signature: null,
    corrections: { kinds: ['tempo'] },
  },
};
const service = await startTestService(({ path }) => {
  const id = Object.keys(RESULTS).find((name) => path.includes(name));
  return { body: id === undefined ? JOBS : { status: 'completed', result: RESULTS[id] } };
});

const readTruth = (out: string, id: string) => JSON.parse(readFileSync(join(out, `${id}.json`), 'utf8'));

it('writes the corrected values of each corrected song, and no others', async () => {
  const out = join(folder, 'all');
  await runCorrections(['export', '--out', out]);
  expect(readdirSync(out).sort()).toEqual(['job_lost.json', 'job_waltz.json']);
  expect(readTruth(out, 'job_waltz')).toEqual({
    id: 'job_waltz',
    audio: 'job_waltz.wav',
    duration: 4,
    beats: [0, 1 / 1.5, 2 / 1.5, 2],
    downbeats: [0, 2],
    time_signature: '3/4',
    key: 'A:min',
    provenance: { corrections: { kinds: ['bars', 'key'] }, engine_version: '1.2.3' },
  });
  expect(readTruth(out, 'job_lost')).toMatchObject({ tempo_bpm: 120, time_signature: null });
  expect(service.printed).toEqual([`2 corrected songs in ${out}`]);
});

it('finds the audio by its bytes, and leaves out a song whose audio is missing', async () => {
  const out = join(folder, 'found');
  await runCorrections(['export', '--out', out, '--audio', audio]);
  expect(readdirSync(out)).toEqual(['job_waltz.json']);
  expect(readTruth(out, 'job_waltz').audio).toBe('../audio/waltz.wav');
  expect(service.printed).toEqual([
    `1 corrected songs in ${out}; 1 left out, whose audio is not in ${audio}`,
  ]);
});
