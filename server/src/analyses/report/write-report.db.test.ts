import type { ExportSource } from '@earshot/exports';
import { expect, it } from 'vitest';
import { makeDocument, putOnShelf } from '../../library/test-songs.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { createTestMember } from '../../test/member.ts';
import { deleteAnalysis } from '../analyses.ts';
import { openReportPdf } from './kept-report.ts';

const { db } = await createTestDatabase();

it('is written once for ten who ask at once and one who asks later', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const analysisId = await putOnShelf(db, member.actor.workspaceId);
  let writtenCount = 0;
  const pdfWriter = {
    async write() {
      writtenCount += 1;
      return Buffer.from('%PDF-');
    },
  };
  const source = { analysisId, fileName: 'song.mp3', document: makeDocument({}) } as ExportSource;
  const ask = () => openReportPdf({ ...member, pdfWriter }, source);
  await Promise.all(Array.from({ length: 10 }, ask));
  await ask();
  expect(writtenCount).toBe(1);
});

it('is not kept when its analysis is deleted while it is written', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const { workspaceId } = member.actor;
  const analysisId = await putOnShelf(db, workspaceId);
  const pdfWriter = {
    async write() {
      await deleteAnalysis(member, analysisId);
      return Buffer.from('%PDF-');
    },
  };
  const source = { analysisId, fileName: 'song.mp3', document: makeDocument({}) } as ExportSource;
  expect(String(await openReportPdf({ ...member, pdfWriter }, source))).toBe('%PDF-');
  const left = `select status from storage_objects where workspace_id = $1`;
  expect(await db.query(left, [workspaceId])).toEqual([]);
  expect(await db.query('select 1 from report_files where analysis_id = $1', [analysisId])).toEqual([]);
});
