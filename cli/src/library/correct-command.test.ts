import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { runCorrect } from './correct-command.ts';

const JOB = { id: 'job_1', status: 'queued', file_name: 'song.mp3', headline: null };
const service = await startTestService(({ path }) => ({
  body: path.endsWith('/corrections') ? { kinds: ['bars'] } : JOB,
}));

it('shifts the bars by a negative number of beats', async () => {
  await runCorrect(['job_1', '--shift-beats', '-1']);
  const sent = service.requests.find(({ method }) => method === 'PUT');
  expect(sent).toMatchObject({ path: '/v1/analyses/job_1/corrections', body: { shift_beats: -1 } });
  expect(service.printed).toEqual(['job_1  queued  song.mp3\ncorrected: bars']);
});

it('undoes the whole correction', async () => {
  await runCorrect(['job_1', '--undo']);
  expect(service.requests).toMatchObject([{ method: 'DELETE', path: '/v1/analyses/job_1/corrections' }]);
  expect(service.printed).toEqual(['job_1 is as it was heard.']);
});
