import type { ExportSource } from '@earshot/exports';
import { expect, test, vi } from 'vitest';
import { addTestSong, makeDocument } from '../../library/test-songs.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { createTestMember } from '../../test/member.ts';
import { deleteAnalysis } from '../analyses.ts';
import { createWorkspaceBench } from '../test-workspace-bench.ts';
import { openReportPdf } from './cached-report.ts';
import type { PdfWriter } from './pdf-writer.ts';
import { saveReport } from './report-store.ts';

const { db, service, completeOne } = await createWorkspaceBench();
type Song = Awaited<ReturnType<typeof completeOne>>;

async function readPdf({ id, headers }: Song): Promise<Buffer> {
  const response = await fetch(`${service.url}/v1/analyses/${id}/artifacts/report.pdf`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await response.arrayBuffer());
}

const reportsOf = ({ id }: Song) =>
  db.query<{ object_id: string; status: string; byte_size: number; content_sha256: string }>(
    `select r.object_id, o.status, o.byte_size, r.content_sha256
     from report_files r join storage_objects o on o.id = r.object_id where r.analysis_id = $1`,
    [id],
  );
const usedBytes = async ({ client }: Song) =>
  (await client.get<{ storage: { used_bytes: number } }>('/v1/usage')).body.storage.used_bytes;

test('ten concurrent requests and a later one get the same report, stored once and counted', async () => {
  const song = await completeOne();
  const atOnce = await Promise.all(Array.from({ length: 10 }, () => readPdf(song)));
  const [report] = await reportsOf(song);
  const later = await readPdf(song);
  expect(new Set([...atOnce, later].map((bytes) => bytes.toString('base64'))).size).toBe(1);
  expect(later.subarray(0, 5).toString()).toBe('%PDF-');
  expect(await reportsOf(song)).toEqual([report]);
  expect(report).toMatchObject({ status: 'stored', byte_size: later.length });
  expect(await usedBytes(song)).toBe(later.length);
});

test('a new title replaces the report', async () => {
  const song = await completeOne();
  await readPdf(song);
  const [before] = await reportsOf(song);
  await song.client.send(`/v1/analyses/${song.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Blue Hour' }),
  });
  const bytes = await readPdf(song);
  const [after, ...others] = await reportsOf(song);
  expect(after!.object_id).not.toBe(before!.object_id);
  expect(others).toEqual([]);
  expect(await usedBytes(song)).toBe(bytes.length);
});

test('a report is deleted with its analysis', async () => {
  const song = await completeOne();
  await readPdf(song);
  const [report] = await reportsOf(song);
  await song.client.send(`/v1/analyses/${song.id}`, { method: 'DELETE' });
  expect(await reportsOf(song)).toEqual([]);
  const { status } = await db.one<{ status: string }>('select status from storage_objects where id = $1', [
    report!.object_id,
  ]);
  expect(status).toBe('deleted');
  expect(await usedBytes(song)).toBe(0);
  // A report that was being written during the deletion is not saved.
  const late = { analysisId: song.id, objectId: report!.object_id, contentSha256: 'late' };
  const { workspaceId } = song.member.actor;
  await expect(db.transaction((tx) => saveReport(tx, { ...late, workspaceId }))).rejects.toMatchObject({
    code: 'not_found',
  });
});

/** Writes the first bytes of a PDF. */
const writerOf = (
  version: string,
  write: PdfWriter['write'] = async () => Buffer.from('%PDF-'),
): PdfWriter => ({
  version: () => version,
  write: vi.fn(write),
});
const sourceOf = (analysisId: string) =>
  ({ analysisId, fileName: 'song.mp3', document: makeDocument({}) }) as ExportSource;

test('ten concurrent requests and a later one write the report once', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const analysisId = await addTestSong(db, member.actor.workspaceId);
  const [source, pdfWriter] = [sourceOf(analysisId), writerOf('1')];
  const ask = () => openReportPdf({ ...member, pdfWriter }, source);
  await Promise.all(Array.from({ length: 10 }, ask));
  await ask();
  expect(pdfWriter.write).toHaveBeenCalledTimes(1);
});

test('a release with another writer writes the report again, once', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const analysisId = await addTestSong(db, member.actor.workspaceId);
  const source = sourceOf(analysisId);
  const [before, after] = [writerOf('1'), writerOf('2')];
  for (const pdfWriter of [before, before, after, after])
    await openReportPdf({ ...member, pdfWriter }, source);
  expect([before.write, after.write].map((write) => vi.mocked(write).mock.calls.length)).toEqual([1, 1]);
});

test('a report whose file was lost is written again', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const { workspaceId } = member.actor;
  const analysisId = await addTestSong(db, workspaceId);
  const [source, pdfWriter] = [sourceOf(analysisId), writerOf('1')];
  const ask = () => openReportPdf({ ...member, pdfWriter }, source);
  await ask();
  const { key } = await db.one<{ key: string }>('select key from storage_objects where workspace_id = $1', [
    workspaceId,
  ]);
  await member.storage.delete(key);
  expect(String(await ask())).toBe('%PDF-');
  expect(pdfWriter.write).toHaveBeenCalledTimes(2);
});

test('a report is cached even when the one it replaces cannot be deleted', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const analysisId = await addTestSong(db, member.actor.workspaceId);
  await openReportPdf({ ...member, pdfWriter: writerOf('1') }, sourceOf(analysisId));
  const source = sourceOf(analysisId);
  const warnings = vi.spyOn(member.log, 'warn');
  const storage = { ...member.storage, delete: () => Promise.reject(new Error('The store is unreachable')) };
  const pdfWriter = writerOf('2');
  const ask = () => openReportPdf({ ...member, storage, pdfWriter }, source);
  await ask();
  await ask();
  expect(pdfWriter.write).toHaveBeenCalledTimes(1);
  expect(warnings.mock.calls.map(([, message]) => message)).toEqual([
    'A file was not deleted; a sweep will delete it',
  ]);
});

test('a report is not cached when its analysis is deleted while it is written', async () => {
  const member = await createTestMember(await buildTestContext(db));
  const { workspaceId } = member.actor;
  const analysisId = await addTestSong(db, workspaceId);
  const pdfWriter = writerOf('1', async () => {
    await deleteAnalysis(member, analysisId);
    return Buffer.from('%PDF-');
  });
  expect(String(await openReportPdf({ ...member, pdfWriter }, sourceOf(analysisId)))).toBe('%PDF-');
  const left = `select status from storage_objects where workspace_id = $1`;
  expect(await db.query(left, [workspaceId])).toEqual([]);
  expect(await db.query('select 1 from report_files where analysis_id = $1', [analysisId])).toEqual([]);
});
