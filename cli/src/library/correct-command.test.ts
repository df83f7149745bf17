import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { runCorrect } from './correct-command.ts';

const JOB = { id: 'job_1', status: 'queued', file_name: 'song.mp3', headline: null };
/** The one before, and the answer to every change. */
const CORRECTION = { kinds: ['bars'], key: 'C' };
const service = await startTestService(({ path }) => ({
  body: path.endsWith('/corrections') ? CORRECTION : JOB,
}));

it('shifts the bars by a negative number of beats, and keeps the earlier correction', async () => {
  await runCorrect(['job_1', '--shift-beats', '-1']);
  const sent = service.requests.find(({ method }) => method === 'PUT');
  expect(sent).toMatchObject({ path: '/v1/analyses/job_1/corrections', body: { key: 'C', shift_beats: -1 } });
  expect(service.printed).toEqual(['job_1  queued  song.mp3\ncorrected: bars']);
});

it('sends every option under the name of the contract, the tempo as a word or a number', async () => {
  const bars = ['--beats-per-bar', '3', '--first-downbeat', '0.5'];
  await runCorrect(['job_1', '--tempo', 'double', '--key', 'A minor', ...bars, '--note', 'by ear']);
  await runCorrect(['job_1', '--tempo', '120.5']);
  const [sent, tempoSent] = service.requests.filter(({ method }) => method === 'PUT');
  expect(sent!.body).toEqual({
    tempo: 'double',
    key: 'A minor',
    beats_per_bar: 3,
    first_downbeat_seconds: 0.5,
    shift_beats: null,
    note: 'by ear',
  });
  expect(tempoSent!.body).toMatchObject({ tempo: 120.5 });
});

it('undoes the whole correction', async () => {
  await runCorrect(['job_1', '--undo']);
  expect(service.requests).toMatchObject([{ method: 'DELETE', path: '/v1/analyses/job_1/corrections' }]);
  expect(service.printed).toEqual(['job_1 is as it was heard.']);
});
