import type { ExportSource } from '@earshot/exports';
import { expect, it } from 'vitest';
import { makeDocument } from '../../library/test-songs.ts';
import { findDescendants } from '../../test/descendants.ts';
import { createPdfWriter } from './pdf-writer.ts';

const source: ExportSource = {
  analysisId: 'job_1',
  fileName: 'song.mp3',
  names: null,
  completedAt: new Date('2026-03-01T12:00:00Z'),
  document: makeDocument({}),
  supplement: null,
};

it('refuses the request after fifty pending ones, and writes those', async () => {
  const writer = createPdfWriter();
  const reports = Array.from({ length: 50 }, () => writer.write(source));
  expect(() => writer.write(source)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  for (const report of await Promise.all(reports)) expect(report.toString('latin1', 0, 5)).toBe('%PDF-');
  expect((await writer.write(source)).toString('latin1', 0, 5)).toBe('%PDF-');
});

it('fails the reports whose process ends, and writes the next in another process', async () => {
  const writer = createPdfWriter();
  const reports = Promise.allSettled([writer.write(source), writer.write(source)]);
  // Those of the other tests are idle.
  for (const pid of findDescendants('pdf-process.js')) process.kill(pid, 'SIGKILL');
  const reason = new Error('The report writer ended with SIGKILL');
  expect(await reports).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  expect((await writer.write(source)).toString('latin1', 0, 5)).toBe('%PDF-');
});

it('fails the report that cannot be written, and writes the next', async () => {
  const writer = createPdfWriter();
  await expect(writer.write({} as ExportSource)).rejects.toMatchObject({ name: 'TypeError' });
  expect((await writer.write(source)).toString('latin1', 0, 5)).toBe('%PDF-');
});
