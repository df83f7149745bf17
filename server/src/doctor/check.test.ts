import { expect, it } from 'vitest';
import { failed, formatFinding, ok, runCheck, warning } from './check.ts';

const findingOf = (error: unknown) => runCheck({ name: 'database', run: () => Promise.reject(error) });

it('reports a check that throws as failed, with the messages of the error and its causes', async () => {
  const refused = new AggregateError([
    new Error('connect ECONNREFUSED ::1:5432'),
    new Error('connect ECONNREFUSED 127.0.0.1:5432'),
  ]);
  const error = new Error('The database does not answer.', { cause: refused });
  expect(await findingOf(error)).toEqual({
    name: 'database',
    ...failed('The database does not answer. connect ECONNREFUSED 127.0.0.1:5432'),
  });
  expect((await findingOf('no error at all')).detail).toBe('no error at all');
});

it('marks all findings in one width', () => {
  const formatted = [ok('full'), warning('full'), failed('full')].map((result) =>
    formatFinding({ name: 'disk', ...result }),
  );
  expect(formatted).toEqual([
    'ok      disk           full',
    'warning disk           full',
    'FAILED  disk           full',
  ]);
});

it('aligns the lines of a detail', () => {
  expect(formatFinding({ name: 'disk', ...failed('full\nof songs') })).toBe(
    'FAILED  disk           full\n                       of songs',
  );
});
